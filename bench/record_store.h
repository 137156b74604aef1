// Reads Widerow's own data file through bare LMDB. This costs as much as a query would cost without planning, binding,
// checks and decoding. No Database may have the directory open, because a process can open an LMDB file only once. For
// use by one thread.
#pragma once

#include <filesystem>
#include <vector>

#include "bench/lmdb_reader.h"

namespace widerow::bench {

class RecordStore {
 public:
  explicit RecordStore(const std::filesystem::path& directory);

  // Returns every `step`-th key in ascending order. The last `rows_after` keys of the file are left out, so that a scan
  // from a returned key finds that number of rows.
  std::vector<Bytes> Keys(size_t step, size_t rows_after);
  void Get(const Bytes& key);
  // Reads `rows` records from `key` on and looks at their values.
  void Scan(const Bytes& key, size_t rows);

 private:
  LmdbReader lmdb_;
};

}  // namespace widerow::bench
