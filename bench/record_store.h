// Widerow's own data file read through bare LMDB: what is left of its cost when nothing is planned, bound, checked or decoded.
// Open it when no Database has the directory open: a process may open an LMDB file once only. One thread.
#pragma once

#include <filesystem>
#include <vector>

#include "bench/lmdb_reader.h"

namespace widerow::bench {

class RecordStore {
 public:
  explicit RecordStore(const std::filesystem::path& directory);

  // One key of every `step`, in order; without the last `rows_after` keys.
  std::vector<Bytes> Keys(size_t step, size_t rows_after);
  void Get(const Bytes& key);
  // The `rows` records from `key` on, each value's bytes read.
  void Scan(const Bytes& key, size_t rows);

 private:
  LmdbReader lmdb_;
};

}  // namespace widerow::bench
