// Widerow's own data file read through bare LMDB: what is left of its cost when nothing is planned, bound, checked or decoded.
// Open it when no Database has the directory open: a process may open an LMDB file once only. One thread.
#pragma once

#include <lmdb.h>

#include <filesystem>
#include <vector>

#include "base/bytes.h"

namespace widerow::bench {

class RecordStore {
 public:
  explicit RecordStore(const std::filesystem::path& directory);
  ~RecordStore();
  RecordStore(const RecordStore&) = delete;
  RecordStore& operator=(const RecordStore&) = delete;

  // One key of every `step`, in order; without the last `rows_after` keys.
  std::vector<Bytes> Keys(size_t step, size_t rows_after);
  void Get(const Bytes& key);
  // The `rows` records from `key` on, each value's bytes read.
  void Scan(const Bytes& key, size_t rows);

 private:
  MDB_env* env_ = nullptr;
  MDB_dbi dbi_ = 0;
  MDB_txn* reader_ = nullptr;
  MDB_cursor* cursor_ = nullptr;
};

}  // namespace widerow::bench
