// Widerow's own data file read through bare LMDB: the cost that remains if nothing is planned, bound, checked or
// decoded. No Database may have the directory open, because a process can open an LMDB file only once. One thread.
#pragma once

#include <filesystem>
#include <vector>

#include "bench/lmdb_reader.h"

namespace widerow::bench {

class RecordStore {
 public:
  explicit RecordStore(const std::filesystem::path& directory);

  // Returns one key of every `step`, in order, without the last `rows_after` keys.
  std::vector<Bytes> Keys(size_t step, size_t rows_after);
  void Get(const Bytes& key);
  // Reads the `rows` records from `key` on, with each value's bytes.
  void Scan(const Bytes& key, size_t rows);

 private:
  LmdbReader lmdb_;
};

}  // namespace widerow::bench
