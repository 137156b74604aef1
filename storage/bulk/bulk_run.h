// Runs of a bulk load. A run is a sorted sequence of keys and records, in memory, or in a file if memory is full. Runs
// are merged in the order of their keys. The file of a run has no name, so a killed process leaves no file.
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"

namespace widerow {

// A key of the `data` database (key_codec.h) and its record: a row or static row (row_codec.h) with nothing spilled.
struct BulkEntry {
  ByteView key, record;
};

// A run in memory. One thread at a time.
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
  // Begins to load entry i into the cache, so that At(i) need not wait for it.
  void Prefetch(size_t i) const { __builtin_prefetch(index_[i].at); }

 private:
  // `at` points to two sizes, the key and the record. `position` is the first eight bytes of the key's position. They
  // decide nearly every comparison.
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

// A run in a file. The file is removed with the object. Any thread, one at a time.
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
// Returns a cursor that merges runs. It returns every entry; entries with equal keys follow one another.
std::unique_ptr<BulkCursor> MergeRuns(std::vector<std::unique_ptr<BulkCursor>> runs);

}  // namespace widerow
