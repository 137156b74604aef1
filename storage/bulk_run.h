// What a bulk load has gathered: keys and records in memory, sorted, or in a file of their own when memory is full. Runs are
// read in the order of their keys and merged with each other. A file has no name: a killed process leaves nothing behind.
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"

namespace widerow {

// A key of the `data` database (key_codec.h) and what it holds: a row or static row (row_codec.h), nothing spilled.
struct BulkEntry {
  ByteView key, record;
};

// A run in memory. One thread.
class BulkRun {
 public:
  void Add(ByteView key, ByteView record);
  // By key; equal keys in any order.
  void Sort();
  void Clear();

  size_t size() const { return index_.size(); }
  // Memory in use, but for the rest of the last block.
  size_t bytes() const { return bytes_ + index_.size() * sizeof(Place); }
  BulkEntry At(size_t i) const;
  // So that At(i) need not wait for memory.
  void Prefetch(size_t i) const { __builtin_prefetch(index_[i].at); }

 private:
  // Two sizes, key, record stand at `at`; `position` is the key's, which orders nearly all.
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

// A run moved to a file, which goes with the object. Any thread, one at a time.
class BulkFile {
 public:
  // Writes a sorted run. `directory`: where there is room.
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

// Walks a run in key order. What `Next` gives is good until it is called again.
class BulkCursor {
 public:
  virtual ~BulkCursor() = default;
  virtual Result<bool> Next(BulkEntry& entry) = 0;
};
// The run or file outlives the cursor.
std::unique_ptr<BulkCursor> OpenRun(const BulkRun& run);
std::unique_ptr<BulkCursor> OpenRun(const BulkFile& file);
// All of them as one. Equal keys come one after the other.
std::unique_ptr<BulkCursor> MergeRuns(std::vector<std::unique_ptr<BulkCursor>> runs);

}  // namespace widerow
