#include "disk_model.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <set>
#include <unordered_map>

namespace widerow::powercut {
namespace {

namespace fs = std::filesystem;

constexpr std::array kNames{"nothing", "everything", "all-but-first", "only-last", "in-order", "writes", "sectors"};
static_assert(kNames.size() == kPatterns);

std::string ParentOf(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? "" : path.substr(0, slash);
}

[[noreturn]] void Die(const std::string& doing) {
  std::perror(doing.c_str());
  std::exit(2);
}

}  // namespace

const char* PatternName(Pattern pattern) { return kNames.at(static_cast<size_t>(pattern)); }

// Says which uncertain changes of files a state keeps. `first` and `last` are the numbers of events.
struct DiskModel::Choice {
  Pattern pattern{};
  uint64_t first = 0, last = 0;  // The oldest and the newest uncertain write.
  uint64_t torn = 0;             // For kInOrder: the number of the write that is torn. For kWrites: a random number.
  unsigned percent = 50;

  // For a write, this is called for each of its sectors.
  bool Keeps(const Change& change, Random& random) const {
    switch (pattern) {
      case Pattern::kNothing: return false;
      case Pattern::kEverything: return true;
      case Pattern::kAllButFirst: return change.index != first;
      case Pattern::kOnlyLast: return change.index == last;
      case Pattern::kInOrder: return change.index < torn || (change.index == torn && random.Percent(50));
      case Pattern::kWrites: return Random(Mix(torn, change.index)).Percent(percent);
      case Pattern::kSectors: return random.Percent(percent);
    }
    return false;
  }
};

void DiskModel::Apply(const Event& event) {
  ++index_;
  const auto change_file = [&](uint64_t length) {
    files_[event.node].changes.push_back(
        {.index = index_, .kind = event.kind, .offset = event.a, .length = length, .bytes = event.payload});
  };
  const auto change_entry = [&](std::string path, std::string target = {}) {
    entry_changes_.push_back({.index = index_,
                              .kind = event.kind,
                              .path = std::move(path),
                              .target = std::move(target),
                              .node = event.node});
  };
  switch (event.kind) {
    case EventKind::kWrite: return change_file(event.payload.size());
    case EventKind::kResize: return change_file(event.a);
    case EventKind::kZero: return change_file(event.b);
    case EventKind::kCreate:
    case EventKind::kMakeDirectory:
    case EventKind::kUnlink:
    case EventKind::kRemoveDirectory: return change_entry(std::string(event.payload));
    case EventKind::kRename: {
      const size_t end = event.payload.find('\0');
      return change_entry(std::string(event.payload.substr(0, end)), std::string(event.payload.substr(end + 1)));
    }
    case EventKind::kSyncBegin:
      syncs_[event.a] = {index_, static_cast<SyncScope>(event.b), event.node, std::string(event.payload)};
      return;
    case EventKind::kSyncEnd:
      if (const auto sync = syncs_.extract(event.a); !sync.empty()) EndSync(sync.mapped(), event.b != 0);
      return;
    case EventKind::kMark: return;
  }
}

void DiskModel::EndSync(const SyncUnderWay& sync, bool failed) {
  if (sync.scope == SyncScope::kDirectory || sync.scope == SyncScope::kEverything) {
    for (EntryChange& change : entry_changes_) {
      const bool here = sync.scope == SyncScope::kEverything || ParentOf(change.path) == sync.directory ||
                        (!change.target.empty() && ParentOf(change.target) == sync.directory);
      if (here && !failed && change.index < sync.begun) change.certain = true;
    }
    SettleEntries();
  }
  for (auto& [node, file] : files_) {
    if (sync.scope == SyncScope::kDirectory) break;
    if (sync.scope != SyncScope::kEverything && node != sync.node) continue;
    for (Change& change : file.changes) {
      const bool covered =
          sync.scope == SyncScope::kLastWrite ? change.index + 1 == sync.begun : change.index < sync.begun;
      if (covered && failed && !change.certain) change.poisoned = true;
      if (covered && !failed && !change.poisoned) change.certain = true;
    }
    Settle(file);
  }
}

void DiskModel::Settle(File& file) {
  for (; !file.changes.empty() && file.changes.front().certain; file.changes.pop_front())
    Store(file, file.changes.front());
}

void DiskModel::SettleEntries() {
  for (; !entry_changes_.empty() && entry_changes_.front().certain; entry_changes_.pop_front()) {
    ApplyEntry(entries_, entry_changes_.front());
  }
}

void DiskModel::Store(File& file, const Change& change) {
  const auto fill = [&](uint64_t offset, uint64_t length, const char* bytes) {
    while (length > 0) {
      const uint64_t in_chunk = offset % kChunkBytes, part = std::min<uint64_t>(length, kChunkBytes - in_chunk);
      if (file.chunks.size() <= offset / kChunkBytes) file.chunks.resize(offset / kChunkBytes + 1);
      auto& chunk = file.chunks[offset / kChunkBytes];
      const bool zeros = bytes == nullptr || std::all_of(bytes, bytes + part, [](char c) { return c == 0; });
      if (chunk == nullptr && !zeros) chunk = std::make_unique<std::array<char, kChunkBytes>>();
      if (chunk != nullptr && bytes != nullptr) std::memcpy(chunk->data() + in_chunk, bytes, part);
      if (chunk != nullptr && bytes == nullptr) std::memset(chunk->data() + in_chunk, 0, part);
      offset += part, length -= part;
      if (bytes != nullptr) bytes += part;
    }
  };
  if (change.kind == EventKind::kResize) {
    if (change.length < file.size) fill(change.length, file.size - change.length, nullptr);
    file.size = change.length;
    return;
  }
  fill(change.offset, change.length, change.kind == EventKind::kWrite ? change.bytes.data() : nullptr);
  if (change.kind == EventKind::kWrite) file.size = std::max(file.size, change.offset + change.length);
}

void DiskModel::ApplyEntry(Entries& entries, const EntryChange& change) {
  switch (change.kind) {
    case EventKind::kCreate: entries[change.path] = change.node; return;
    case EventKind::kMakeDirectory: entries[change.path] = 0; return;
    case EventKind::kRename:
      if (const auto moved = entries.extract(change.path); !moved.empty()) entries[change.target] = moved.mapped();
      return;
    default: entries.erase(change.path);
  }
}

size_t DiskModel::pending() const {
  size_t count = entry_changes_.size();
  for (const auto& [node, file] : files_) count += file.changes.size();
  return count;
}

// Chooses which uncertain changes of directory entries are kept. If a change of a name is dropped, all later changes of
// this name are dropped too.
DiskModel::Entries DiskModel::ChooseEntries(Pattern pattern, Random& random) const {
  Entries entries = entries_;
  const bool in_order = random.Percent(50);
  const uint64_t upto = random.Below(entry_changes_.size() + 1);
  std::set<std::string> dropped;
  for (size_t i = 0; i < entry_changes_.size(); ++i) {
    const EntryChange& change = entry_changes_[i];
    bool kept = pattern == Pattern::kEverything || pattern == Pattern::kAllButFirst;
    if (!kept && pattern != Pattern::kNothing) kept = in_order ? i < upto : random.Percent(50);
    if (dropped.contains(change.path) || dropped.contains(change.target)) kept = false;
    if (change.certain || kept) {
      ApplyEntry(entries, change);
    } else {
      dropped.insert(change.path);
      if (!change.target.empty()) dropped.insert(change.target);
    }
  }
  return entries;
}

void DiskModel::Build(Pattern pattern, Random random, const fs::path& directory) const {
  Choice choice{.pattern = pattern, .first = UINT64_MAX};
  std::vector<uint64_t> uncertain;
  for (const auto& [node, file] : files_) {
    for (const Change& change : file.changes) {
      if (!change.certain && change.kind == EventKind::kWrite) uncertain.push_back(change.index);
    }
  }
  std::sort(uncertain.begin(), uncertain.end());
  if (!uncertain.empty()) {
    choice.first = uncertain.front();
    choice.last = uncertain.back();
    choice.torn = uncertain[random.Below(uncertain.size())];
  }
  if (pattern == Pattern::kWrites) choice.torn = random.Next();
  constexpr std::array kPercents{10u, 50u, 90u, 97u};
  choice.percent = kPercents[random.Below(kPercents.size())];

  const Entries entries = ChooseEntries(pattern, random);
  for (const auto& [path, node] : entries) {  // A directory comes before the entries in it.
    const std::string parent = ParentOf(path);
    if (!parent.empty() && !fs::is_directory(directory / parent)) continue;
    if (node == 0) {
      fs::create_directory(directory / path);
    } else {
      BuildFile(node, choice, random, directory / path);
    }
  }
}

// The content that a state gives a file. `versions` maps a sector to the last of its changes that is kept, as an index
// into File::changes. If a change is kept, all earlier changes of the sector are kept too.
struct DiskModel::FilePlan {
  std::unordered_map<uint64_t, size_t> versions;
  size_t sizes = 0;    // The file gets the size that it had after this number of changes.
  uint64_t space = 0;  // At least the greatest size that the file has had.
};

DiskModel::FilePlan DiskModel::PlanFile(const File& file, const Choice& choice, Random& random) {
  FilePlan plan{.space = file.size};
  const size_t count = file.changes.size();
  size_t sizes_certain = 0;
  for (size_t i = 0; i < count; ++i) {
    const Change& change = file.changes[i];
    const bool resize = change.kind == EventKind::kResize;
    plan.space = std::max(plan.space, resize ? change.length : change.offset + change.length);
    bool kept = change.certain || (resize && choice.Keeps(change, random));
    for (uint64_t sector = change.offset / kSectorBytes;
         !resize && sector * kSectorBytes < change.offset + change.length; ++sector) {
      if (!change.certain && !choice.Keeps(change, random)) continue;
      plan.versions[sector] = i;
      kept = true;
    }
    if (kept) plan.sizes = i + 1;
    if (change.certain) sizes_certain = i + 1;
  }
  const bool random_pattern = choice.pattern >= Pattern::kInOrder;
  if (random_pattern && random.Percent(50)) plan.sizes = sizes_certain + random.Below(count - sizes_certain + 1);
  return plan;
}

// Fills `image`, which has plan.space bytes of zeros. Returns the size of the file.
uint64_t DiskModel::FillFile(const File& file, const FilePlan& plan, char* image) {
  for (size_t i = 0; i < file.chunks.size(); ++i) {
    const uint64_t at = i * kChunkBytes;
    if (file.chunks[i] == nullptr || at >= file.size) continue;
    std::memcpy(image + at, file.chunks[i]->data(), std::min<uint64_t>(kChunkBytes, file.size - at));
  }
  uint64_t size = file.size;
  for (size_t i = 0; i < file.changes.size(); ++i) {
    const Change& change = file.changes[i];
    const bool write = change.kind == EventKind::kWrite;
    if (change.kind == EventKind::kResize) {
      if (i < plan.sizes && change.length < size) std::memset(image + change.length, 0, plan.space - change.length);
      if (i < plan.sizes) size = change.length;
      continue;
    }
    if (i < plan.sizes && write) size = std::max(size, change.offset + change.length);
    for (uint64_t at = change.offset, end = change.offset + change.length, part = 0; at < end; at += part) {
      const uint64_t sector = at / kSectorBytes;
      part = std::min(end, (sector + 1) * kSectorBytes) - at;
      const auto version = plan.versions.find(sector);
      if (version == plan.versions.end() || i > version->second) continue;
      if (write)
        std::memcpy(image + at, change.bytes.data() + (at - change.offset), part);
      else
        std::memset(image + at, 0, part);
    }
  }
  return size;
}

void DiskModel::BuildFile(uint32_t node, const Choice& choice, Random& random, const fs::path& path) const {
  static const File kEmpty;
  const auto found = files_.find(node);
  const File& file = found == files_.end() ? kEmpty : found->second;
  const FilePlan plan = PlanFile(file, choice, random);
  const int fd = open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (fd < 0 || ftruncate(fd, static_cast<off_t>(plan.space)) != 0) Die(path.string());
  if (plan.space > 0) {
    void* memory = mmap(nullptr, plan.space, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (memory == MAP_FAILED) Die(path.string());
    const uint64_t size = FillFile(file, plan, static_cast<char*>(memory));
    munmap(memory, plan.space);
    if (ftruncate(fd, static_cast<off_t>(size)) != 0) Die(path.string());
  }
  close(fd);
}

}  // namespace widerow::powercut
