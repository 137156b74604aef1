#include "recorder.h"

#include <fcntl.h>
#include <linux/falloc.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

namespace widerow::powercut {
namespace {

namespace fs = std::filesystem;

// This file is not recorded. LMDB writes it through a mapping, and makes it anew each time the database is opened.
constexpr std::string_view kNotRecorded = "lock.mdb";

uint64_t FromEnvironment(const char* name) {
  const char* text = std::getenv(name);
  return text == nullptr ? 0 : std::strtoull(text, nullptr, 10);
}

int64_t SizeOf(int fd) {
  struct stat info {};
  return fstat(fd, &info) == 0 ? info.st_size : 0;
}

}  // namespace

Recorder* Recorder::Get() {
  static thread_local bool constructing = false;  // The calls that the recorder makes itself are not recorded.
  if (constructing) return nullptr;
  constructing = true;
  static Recorder* const recorder = []() -> Recorder* {
    const char* directory = std::getenv("WIDEROW_POWERCUT_DIRECTORY");
    const char* trace = std::getenv("WIDEROW_POWERCUT_TRACE");
    return directory == nullptr || trace == nullptr ? nullptr : new Recorder(directory, trace);
  }();
  constructing = false;
  return recorder;
}

Recorder::Recorder(std::string directory, const std::string& trace) : directory_(std::move(directory)) {
  LoadNodes(trace);
  trace_fd_ =
      static_cast<int>(syscall(SYS_openat, AT_FDCWD, trace.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
  if (trace_fd_ < 0) std::abort();
  sync_micros_max_ = FromEnvironment("WIDEROW_POWERCUT_SYNC_MICROS");
  lies_ = FromEnvironment("WIDEROW_POWERCUT_LIE") != 0;
  die_at_ = FromEnvironment("WIDEROW_POWERCUT_DIE_AT");
  if (const char* fault = std::getenv("WIDEROW_POWERCUT_FAIL"); fault != nullptr) {
    char mode[16] = "", kind[16] = "";
    if (std::sscanf(fault, "%lu:%d:%15[a-z]:%15[a-z]", &fail_at_, &fail_errno_, mode, kind) != 4) std::abort();
    fail_names_ = std::strcmp(kind, "names") == 0;
    fail_mode_ = std::strcmp(mode, "once") == 0     ? FaultMode::kOnce
                 : std::strcmp(mode, "sticky") == 0 ? FaultMode::kSticky
                                                    : FaultMode::kShort;
  }
}

// Loads the numbers of files from the trace. A process that continues the trace of a killed process needs them.
void Recorder::LoadNodes(const std::string& path) {
  if (access(path.c_str(), R_OK) != 0) return;
  const Trace trace(path);
  for (const Event& event : trace.events()) {
    const std::string name(event.payload.substr(0, event.kind == EventKind::kWrite ? 0 : 4'096));
    if (event.kind == EventKind::kCreate) {
      nodes_[name] = event.node;
      next_node_ = std::max(next_node_, event.node + 1);
    } else if (event.kind == EventKind::kUnlink) {
      nodes_.erase(name);
    } else if (event.kind == EventKind::kRename) {
      const std::string from(name.c_str());
      nodes_[name.substr(from.size() + 1)] = nodes_[from];
      nodes_.erase(from);
    } else if (event.kind == EventKind::kSyncBegin) {
      next_sync_ = std::max(next_sync_, event.a + 1);
    }
  }
}

bool Recorder::Below(int at, const char* path, std::string& below) {
  fs::path whole(path);
  if (whole.is_relative()) {
    const std::string base = at == AT_FDCWD ? "/proc/self/cwd" : "/proc/self/fd/" + std::to_string(at);
    char link[4'096];
    const ssize_t size = readlink(base.c_str(), link, sizeof link);
    if (size <= 0) return false;
    whole = fs::path(std::string(link, static_cast<size_t>(size))) / whole;
  }
  std::string text = whole.lexically_normal().string();
  while (text.size() > 1 && text.back() == '/') text.pop_back();
  if (text.compare(0, directory_.size(), directory_) != 0) return false;
  if (text.size() > directory_.size() && text[directory_.size()] != '/') return false;
  below = text.size() == directory_.size() ? "" : text.substr(directory_.size() + 1);
  return below != kNotRecorded;
}

Recorder::Descriptor* Recorder::Find(int fd) {
  if (fd < 0 || static_cast<size_t>(fd) >= descriptors_.size() || !descriptors_[fd].tracked) return nullptr;
  return &descriptors_[fd];
}

bool Recorder::Tracks(int fd) {
  const std::lock_guard lock(mutex_);
  return Find(fd) != nullptr;
}

bool Recorder::Exists(const char* path) { return syscall(SYS_faccessat, AT_FDCWD, path, F_OK) == 0; }

void Recorder::Append(EventHeader header, const iovec* parts, int count) {
  std::vector<iovec> all{{&header, sizeof header}};
  for (int i = 0; i < count; ++i) {
    header.payload_bytes += parts[i].iov_len;
    all.push_back(parts[i]);
  }
  const auto size = static_cast<ssize_t>(sizeof header + header.payload_bytes);
  if (syscall(SYS_writev, trace_fd_, all.data(), all.size()) != size) {
    std::fprintf(stderr, "the trace cannot be written\n");
    std::abort();
  }
}

void Recorder::AppendText(EventKind kind, uint32_t node, std::string_view text, uint64_t a, uint64_t b) {
  const iovec part{const_cast<char*>(text.data()), text.size()};
  Append({.kind = kind, .node = node, .a = a, .b = b}, &part, 1);
}

bool Recorder::Fails(bool* half) {
  // The mutex is held, so no other thread is inside a recorded call.
  if (++calls_ == die_at_) kill(getpid(), SIGKILL);
  if (fail_at_ == 0 || fail_names_ || calls_ < fail_at_) return false;
  if (calls_ == fail_at_ && fail_mode_ == FaultMode::kShort && half != nullptr) {
    *half = true;
    return false;
  }
  if (calls_ > fail_at_ && fail_mode_ == FaultMode::kOnce) return false;
  errno = fail_errno_;
  return true;
}

bool Recorder::NameFails(NameCall call) {
  name_calls_.push_back(static_cast<char>(call));
  if (!fail_names_ || name_calls_.size() < fail_at_ || !CanFailWith(call, fail_errno_)) return false;
  if (name_calls_.size() > fail_at_ && fail_mode_ == FaultMode::kOnce) return false;
  errno = fail_errno_;
  return true;
}

bool Recorder::MayMap() {
  const std::lock_guard lock(mutex_);
  return !NameFails(NameCall::kMap);
}

std::string Recorder::name_calls() {
  const std::lock_guard lock(mutex_);
  return name_calls_;
}

void Recorder::Track(int fd, int flags, const std::string& below, bool existed, bool truncated) {
  if (static_cast<size_t>(fd) >= descriptors_.size()) descriptors_.resize(fd + 64);
  Descriptor& descriptor = descriptors_[fd] = {};
  descriptor.tracked = true;
  struct stat info {};
  if (fstat(fd, &info) == 0 && S_ISDIR(info.st_mode)) {
    descriptor.directory = true;
    descriptor.path = below;
    return;
  }
  if (!existed || !nodes_.contains(below)) {
    nodes_[below] = next_node_++;
    AppendText(EventKind::kCreate, nodes_[below], below);
  }
  descriptor.node = nodes_[below];
  descriptor.dsync = (flags & O_DSYNC) != 0;  // O_SYNC includes this bit.
  descriptor.append = (flags & O_APPEND) != 0;
  if (truncated) Append({.kind = EventKind::kResize, .node = descriptor.node});
}

int Recorder::Open(int at, const char* path, int flags, unsigned mode) {
  const std::lock_guard lock(mutex_);
  std::string below;
  const bool nameless = (flags & O_TMPFILE) == O_TMPFILE;  // A power cut leaves nothing of a file without a name.
  if (nameless || !Below(at, path, below)) return static_cast<int>(syscall(SYS_openat, at, path, flags, mode));
  const bool existed = syscall(SYS_faccessat, at, path, F_OK) == 0;
  if ((existed || (flags & O_CREAT) != 0) && NameFails(existed ? NameCall::kOpen : NameCall::kCreate)) return -1;
  // Syncs are only recorded and not made (see Sync), so O_SYNC is left out.
  const int fd = static_cast<int>(syscall(SYS_openat, at, path, flags & ~O_SYNC, mode));
  if (fd >= 0) Track(fd, flags, below, existed, existed && (flags & O_TRUNC) != 0);
  return fd;
}

void Recorder::Opened(int fd, const char* path, bool existed) {
  const std::lock_guard lock(mutex_);
  std::string below;
  const int flags = fcntl(fd, F_GETFL);
  if (Below(AT_FDCWD, path, below)) Track(fd, flags, below, existed, existed && SizeOf(fd) == 0);
}

int Recorder::Close(int fd) {
  const std::lock_guard lock(mutex_);
  if (Descriptor* descriptor = Find(fd)) *descriptor = {};
  return static_cast<int>(syscall(SYS_close, fd));
}

ssize_t Recorder::Write(int fd, const iovec* parts, int count, int64_t offset) {
  std::unique_lock lock(mutex_);
  Descriptor* file = Find(fd);
  std::vector<iovec> wanted(parts, parts + count);
  bool half = false;
  const bool fails = Fails(&half);
  // If a write with O_DSYNC fails because of the disk, its bytes are in the page cache, so the write is made and
  // recorded here, too. A full disk takes no bytes.
  if (fails && (!file->dsync || errno == ENOSPC)) return -1;
  if (half) {
    size_t size = 0;
    for (const iovec& part : wanted) size += part.iov_len;
    size_t left = size / 2;
    for (iovec& part : wanted) left -= part.iov_len = std::min(part.iov_len, left);
  }
  const int64_t at = offset >= 0 ? offset : file->append ? SizeOf(fd) : lseek(fd, 0, SEEK_CUR);
  const ssize_t written = offset >= 0 ? syscall(SYS_pwritev, fd, wanted.data(), count, offset, 0)
                                      : syscall(SYS_writev, fd, wanted.data(), count);
  if (written < 0) return written;
  auto left = static_cast<size_t>(written);
  for (iovec& part : wanted) left -= part.iov_len = std::min(part.iov_len, left);
  const uint32_t node = file->node;
  Append({.kind = EventKind::kWrite, .node = node, .a = static_cast<uint64_t>(at)}, wanted.data(), count);
  if (!file->dsync) return written;
  const uint64_t sync = next_sync_++;
  Append({.kind = EventKind::kSyncBegin, .node = node, .a = sync, .b = static_cast<uint64_t>(SyncScope::kLastWrite)});
  Wait(lock);
  EndSync(node, sync, fails);
  if (fails) errno = fail_errno_;
  return fails ? -1 : written;
}

int Recorder::Resize(int fd, int64_t size) {
  const std::lock_guard lock(mutex_);
  if (Fails()) return -1;
  const int result = static_cast<int>(syscall(SYS_ftruncate, fd, size));
  if (result == 0) { Append({.kind = EventKind::kResize, .node = Find(fd)->node, .a = static_cast<uint64_t>(size)}); }
  return result;
}

int Recorder::Allocate(int fd, int mode, int64_t offset, int64_t length) {
  const std::lock_guard lock(mutex_);
  if (Fails()) return -1;
  const int64_t before = SizeOf(fd);
  const int result = static_cast<int>(syscall(SYS_fallocate, fd, mode, offset, length));
  if (result != 0) return result;
  const uint32_t node = Find(fd)->node;
  if ((mode & (FALLOC_FL_PUNCH_HOLE | FALLOC_FL_ZERO_RANGE)) != 0) {
    Append({.kind = EventKind::kZero,
            .node = node,
            .a = static_cast<uint64_t>(offset),
            .b = static_cast<uint64_t>(length)});
  }
  if (const int64_t after = SizeOf(fd); after != before) {
    Append({.kind = EventKind::kResize, .node = node, .a = static_cast<uint64_t>(after)});
  }
  return 0;
}

// Waits for the time that a sync takes. The lock is free meanwhile: other threads write, and this sync does not cover
// their writes.
void Recorder::Wait(std::unique_lock<std::mutex>& lock) {
  random_ ^= random_ << 13, random_ ^= random_ >> 7, random_ ^= random_ << 17;
  const auto micros = sync_micros_max_ == 0 ? 0 : random_ % sync_micros_max_;
  lock.unlock();
  if (micros > 0) usleep(static_cast<useconds_t>(micros));
  lock.lock();
}

void Recorder::EndSync(uint32_t node, uint64_t sync, bool failed) {
  if (!lies_) Append({.kind = EventKind::kSyncEnd, .node = node, .a = sync, .b = failed ? 1u : 0u});
}

// Records a sync, but makes none: the disk model decides what a power cut leaves.
int Recorder::Sync(int fd) {
  std::unique_lock lock(mutex_);
  const Descriptor file = *Find(fd);
  const bool fails = Fails();
  const uint64_t sync = next_sync_++;
  const auto scope = static_cast<uint64_t>(file.directory ? SyncScope::kDirectory : SyncScope::kFile);
  AppendText(EventKind::kSyncBegin, file.node, file.path, sync, scope);
  Wait(lock);
  EndSync(file.node, sync, fails);
  if (fails) errno = fail_errno_;
  return fails ? -1 : 0;
}

int Recorder::WriteBack(int fd) {
  const std::lock_guard lock(mutex_);
  if (!Fails()) return 0;
  const Descriptor file = *Find(fd);
  const uint64_t sync = next_sync_++;
  AppendText(EventKind::kSyncBegin, file.node, file.path, sync, static_cast<uint64_t>(SyncScope::kFile));
  EndSync(file.node, sync, true);
  errno = fail_errno_;
  return -1;
}

void Recorder::SyncEverything() {
  std::unique_lock lock(mutex_);
  const uint64_t sync = next_sync_++;
  Append({.kind = EventKind::kSyncBegin, .a = sync, .b = static_cast<uint64_t>(SyncScope::kEverything)});
  Wait(lock);
  EndSync(0, sync, false);
}

int Recorder::Rename(int from_at, const char* from, int to_at, const char* to, unsigned flags) {
  const std::lock_guard lock(mutex_);
  std::string below_from, below_to;
  const bool ours = Below(from_at, from, below_from) && Below(to_at, to, below_to);
  if (ours && NameFails(NameCall::kRename)) return -1;
  const int result = static_cast<int>(syscall(SYS_renameat2, from_at, from, to_at, to, flags));
  if (result != 0 || !ours) return result;
  AppendText(EventKind::kRename, 0, below_from + '\0' + below_to);
  if (const auto node = nodes_.extract(below_from); !node.empty()) nodes_[below_to] = node.mapped();
  return 0;
}

int Recorder::Unlink(int at, const char* path, int flags) {
  const std::lock_guard lock(mutex_);
  std::string below;
  const bool ours = Below(at, path, below);
  const bool there = syscall(SYS_faccessat, at, path, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
  if (ours && there && NameFails(NameCall::kUnlink)) return -1;
  const int result = static_cast<int>(syscall(SYS_unlinkat, at, path, flags));
  if (result != 0 || !ours) return result;
  AppendText((flags & AT_REMOVEDIR) != 0 ? EventKind::kRemoveDirectory : EventKind::kUnlink, 0, below);
  nodes_.erase(below);
  return 0;
}

int Recorder::MakeDirectory(int at, const char* path, unsigned mode) {
  const std::lock_guard lock(mutex_);
  std::string below;
  const bool ours = Below(at, path, below);
  const bool there = syscall(SYS_faccessat, at, path, F_OK) == 0;
  if (ours && !there && NameFails(NameCall::kMakeDirectory)) return -1;
  const int result = static_cast<int>(syscall(SYS_mkdirat, at, path, mode));
  if (result == 0 && ours && !below.empty()) AppendText(EventKind::kMakeDirectory, 0, below);
  return result;
}

void Recorder::AddMark(const void* bytes, size_t size) {
  const std::lock_guard lock(mutex_);
  const iovec part{const_cast<void*>(bytes), size};
  Append({.kind = EventKind::kMark}, &part, 1);
}

uint64_t Recorder::calls() {
  const std::lock_guard lock(mutex_);
  return calls_;
}

}  // namespace widerow::powercut
