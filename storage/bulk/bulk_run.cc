// A run in memory stores its entries in blocks. An entry is the size of the key, the size of the record, the key, and
// the record. Sort() sorts the index of the entries, first by the first eight bytes of the position and then by the
// whole key. BulkFile::Write writes the entries in this order and in the same form to a file. MemoryCursor and
// FileCursor read one run each. MergeCursor keeps the next entry of each run in a heap.
#include "storage/bulk/bulk_run.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "storage/format/key_codec.h"

namespace widerow {
namespace {

constexpr size_t kBlockBytes = 1u << 20;
constexpr size_t kWriteBytes = 1u << 20;
constexpr size_t kReadBytes = 256u << 10;
constexpr size_t kSizesBytes = 2 * sizeof(uint32_t);
constexpr size_t kPrefetchAhead = 8;

uint64_t PositionOf(ByteView key) { return ReadBigEndian<uint64_t>(key.data() + sizeof(StorageId)); }

size_t EntrySize(const char* at) {
  uint32_t sizes[2];
  std::memcpy(sizes, at, kSizesBytes);
  return kSizesBytes + sizes[0] + sizes[1];
}

BulkEntry EntryAt(const char* at) {
  uint32_t sizes[2];
  std::memcpy(sizes, at, kSizesBytes);
  return {{at + kSizesBytes, sizes[0]}, {at + kSizesBytes + sizes[0], sizes[1]}};
}

Error FileError(const char* doing) {
  return ServerError(std::string(doing) + " a file of sorted rows failed: " + std::strerror(errno),
                     "it needs room in the data directory for a copy of the rows");
}

Status WriteAll(int file, ByteView bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return FileError("Writing");
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return OkStatus();
}

// Opens a file that has no name. If that fails, returns -1 and sets errno.
int OpenNameless(const std::filesystem::path& directory) {
  const int file = ::open(directory.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (file >= 0 || (errno != EOPNOTSUPP && errno != EISDIR)) return file;
  std::string name = (directory / "bulk-XXXXXX").string();
  const int named = ::mkostemp(name.data(), O_CLOEXEC);
  if (named >= 0) ::unlink(name.c_str());
  return named;
}

}  // namespace

char* BulkRun::Allocate(size_t size) {
  if (size > left_) {
    const size_t block = std::max(size, kBlockBytes);
    blocks_.push_back(std::make_unique_for_overwrite<char[]>(block));
    at_ = blocks_.back().get();
    left_ = block;
  }
  char* at = at_;
  at_ += size;
  left_ -= size;
  bytes_ += size;
  return at;
}

void BulkRun::Add(ByteView key, ByteView record) {
  char* at = Allocate(kSizesBytes + key.size() + record.size());
  const uint32_t sizes[2] = {static_cast<uint32_t>(key.size()), static_cast<uint32_t>(record.size())};
  std::memcpy(at, sizes, kSizesBytes);
  std::memcpy(at + kSizesBytes, key.data(), key.size());
  std::memcpy(at + kSizesBytes + key.size(), record.data(), record.size());
  index_.push_back({PositionOf(key), at});
}

void BulkRun::Sort() {
  std::sort(index_.begin(), index_.end(), [](const Place& a, const Place& b) {
    if (a.position != b.position) return a.position < b.position;
    return EntryAt(a.at).key < EntryAt(b.at).key;
  });
}

void BulkRun::Clear() { *this = {}; }

BulkEntry BulkRun::At(size_t i) const { return EntryAt(index_[i].at); }

Result<BulkFile> BulkFile::Write(const std::filesystem::path& directory, const BulkRun& run) {
  BulkFile out(OpenNameless(directory));
  if (out.file_ < 0) return FileError("Making");
  Bytes buffer;
  buffer.reserve(2 * kWriteBytes);
  for (size_t i = 0; i < run.size(); ++i) {
    if (i + kPrefetchAhead < run.size()) run.Prefetch(i + kPrefetchAhead);
    const char* at = run.At(i).key.data() - kSizesBytes;
    buffer.append(at, EntrySize(at));
    if (buffer.size() < kWriteBytes) continue;
    WR_RETURN_IF_ERROR(WriteAll(out.file_, buffer));
    out.bytes_ += buffer.size();
    buffer.clear();
  }
  WR_RETURN_IF_ERROR(WriteAll(out.file_, buffer));
  out.bytes_ += buffer.size();
  return out;
}

BulkFile::~BulkFile() {
  if (file_ >= 0) ::close(file_);
}

namespace {

class MemoryCursor final : public BulkCursor {
 public:
  explicit MemoryCursor(const BulkRun& run) : run_(run) {}
  Result<bool> Next(BulkEntry& entry) override {
    if (next_ == run_.size()) return false;
    if (next_ + kPrefetchAhead < run_.size()) run_.Prefetch(next_ + kPrefetchAhead);
    entry = run_.At(next_++);
    return true;
  }

 private:
  const BulkRun& run_;
  size_t next_ = 0;
};

class FileCursor final : public BulkCursor {
 public:
  explicit FileCursor(const BulkFile& file) : file_(file) {}

  Result<bool> Next(BulkEntry& entry) override {
    WR_ASSIGN_OR_RETURN(bool there, Have(kSizesBytes));
    if (!there) return false;
    const size_t size = EntrySize(buffer_.data() + begin_);
    WR_ASSIGN_OR_RETURN(there, Have(size));
    if (!there) return ServerError("A file of sorted rows has been cut off");
    entry = EntryAt(buffer_.data() + begin_);
    begin_ += size;
    return true;
  }

 private:
  // Reads until buffer_ holds `size` bytes from begin_ on. Returns false if the file ends earlier.
  Result<bool> Have(size_t size) {
    while (buffer_.size() - begin_ < size) {
      if (offset_ == file_.bytes()) return false;
      buffer_.erase(0, begin_);
      begin_ = 0;
      const size_t old = buffer_.size();
      const size_t wanted = std::min<uint64_t>(std::max(size, kReadBytes), file_.bytes() - offset_);
      buffer_.resize(old + wanted);
      const ssize_t got = ::pread(file_.file(), buffer_.data() + old, wanted, static_cast<off_t>(offset_));
      if (got < 0 && errno != EINTR) return FileError("Reading");
      if (got == 0) return ServerError("A file of sorted rows has been cut off");
      buffer_.resize(old + static_cast<size_t>(std::max<ssize_t>(got, 0)));
      offset_ += static_cast<uint64_t>(std::max<ssize_t>(got, 0));
    }
    return true;
  }

  const BulkFile& file_;
  uint64_t offset_ = 0;
  Bytes buffer_;
  size_t begin_ = 0;
};

class MergeCursor final : public BulkCursor {
 public:
  explicit MergeCursor(std::vector<std::unique_ptr<BulkCursor>> runs) : runs_(std::move(runs)) {}

  Result<bool> Next(BulkEntry& entry) override {
    if (!started_) {
      started_ = true;
      for (const auto& run : runs_) {
        Head head{.run = run.get()};
        WR_ASSIGN_OR_RETURN(const bool there, head.Advance());
        if (there) heads_.push_back(head);
      }
      std::make_heap(heads_.begin(), heads_.end(), Later);
    } else if (!heads_.empty()) {
      WR_ASSIGN_OR_RETURN(const bool there, heads_.front().Advance());
      if (there) {
        SinkFirst();
      } else {
        std::pop_heap(heads_.begin(), heads_.end(), Later);
        heads_.pop_back();
      }
    }
    if (heads_.empty()) return false;
    entry = heads_.front().entry;
    return true;
  }

 private:
  struct Head {
    BulkCursor* run = nullptr;
    uint64_t position = 0;
    BulkEntry entry;

    Result<bool> Advance() {
      WR_ASSIGN_OR_RETURN(const bool there, run->Next(entry));
      if (there) position = PositionOf(entry.key);
      return there;
    }
  };

  static bool Later(const Head& a, const Head& b) {
    return a.position != b.position ? a.position > b.position : a.entry.key > b.entry.key;
  }

  void SinkFirst() {
    const Head moved = heads_[0];
    size_t at = 0;
    for (size_t child = 1; child < heads_.size(); child = 2 * at + 1) {
      if (child + 1 < heads_.size() && Later(heads_[child], heads_[child + 1])) ++child;
      if (!Later(moved, heads_[child])) break;
      heads_[at] = heads_[child];
      at = child;
    }
    heads_[at] = moved;
  }

  const std::vector<std::unique_ptr<BulkCursor>> runs_;
  std::vector<Head> heads_;  // A heap; the first head has the smallest key.
  bool started_ = false;
};

}  // namespace

std::unique_ptr<BulkCursor> OpenRun(const BulkRun& run) { return std::make_unique<MemoryCursor>(run); }
std::unique_ptr<BulkCursor> OpenRun(const BulkFile& file) { return std::make_unique<FileCursor>(file); }
std::unique_ptr<BulkCursor> MergeRuns(std::vector<std::unique_ptr<BulkCursor>> runs) {
  return std::make_unique<MergeCursor>(std::move(runs));
}

}  // namespace widerow
