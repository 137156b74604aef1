// The runs of a bulk load. A run is a sequence of keys and records, in memory, or in a file if memory is full. Runs are
// sorted and then merged in the order of their keys. The file of a run has no name, so a process that is killed leaves
// no file behind.
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"

namespace widerow {

// One entry of a run: a key of the `data` database (key_codec.h) and its record, which is a row or a static row
// (row_codec.h). All values are in the record; none is spilled.
struct BulkEntry {
  ByteView key, record;
};

// A run in memory. Used by one thread at a time.
class BulkRun {
 public:
  void Add(ByteView key, ByteView record);
  // Sorts by key; the order of equal keys is undefined.
  void Sort();
  void Clear();

  size_t size() const { return index_.size(); }
  // Returns the memory in use, without the unused ends of blocks.
  size_t bytes() const { return bytes_ + index_.size() * sizeof(Place); }
  BulkEntry At(size_t i) const;
  // Asks the processor to load entry i into its cache, so that At(i) need not wait for memory.
  void Prefetch(size_t i) const { __builtin_prefetch(index_[i].at); }

 private:
  // The place of an entry. `at` points to the size of the key, with which the entry begins. `position` has the first
  // eight bytes of the key's position (key_codec.h). This struct has a copy of them, because they decide nearly every
  // comparison.
  struct Place {
    uint64_t position;
    const char* at;
  };
  char* Allocate(size_t size);

  std::vector<std::unique_ptr<char[]>> blocks_;
  char* at_ = nullptr;
  size_t left_ = 0;
  size_t bytes_ = 0;
  std::vector<Place> index_;
};

// A run in a file. The destructor removes the file. Any thread may use it, one thread at a time.
class BulkFile {
 public:
  // Writes a sorted run to a file in `directory`. kServerError if that fails.
  static Result<BulkFile> Write(const std::filesystem::path& directory, const BulkRun& run);
  BulkFile(BulkFile&& other) noexcept : file_(std::exchange(other.file_, -1)), bytes_(other.bytes_) {}
  BulkFile& operator=(BulkFile&&) = delete;
  ~BulkFile();

  int file() const { return file_; }
  uint64_t bytes() const { return bytes_; }

 private:
  explicit BulkFile(int file) : file_(file) {}
  int file_;
  uint64_t bytes_ = 0;
};

// Walks a run in the order of keys. The entry that Next returns is valid until the next call.
class BulkCursor {
 public:
  virtual ~BulkCursor() = default;
  virtual Result<bool> Next(BulkEntry& entry) = 0;
};
// The run or file must outlive the cursor.
std::unique_ptr<BulkCursor> OpenRun(const BulkRun& run);
std::unique_ptr<BulkCursor> OpenRun(const BulkFile& file);
// Returns a cursor that merges the runs. It returns all entries of all runs; entries with equal keys follow one another
// in no particular order.
std::unique_ptr<BulkCursor> MergeRuns(std::vector<std::unique_ptr<BulkCursor>> runs);

}  // namespace widerow
