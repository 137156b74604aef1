// Looks over the shoulder of a scan: EXPLAIN ANALYZE, the heat map, the records of statements. A scan without one pays a
// comparison a row.
#pragma once

#include <atomic>
#include <cstdint>

#include "storage/row.h"

namespace widerow {

class ScanMeter {  // Several threads may call it: those of an aggregate.
 public:
  virtual ~ScanMeter() = default;
  // A partition lies behind the scan, or what was wanted of it does. `rows` of it were read, static rows too, `bytes` as they
  // are stored, the first at `clustering`.
  virtual void Partition(ByteView partition_key, ByteView clustering, uint64_t rows, uint64_t bytes) = 0;

  bool times_filter = false;                 // Set before the scan: fill filter_nanos.
  std::atomic<uint64_t> filter_nanos{0};     // That the filter took.
  std::atomic<uint64_t> rows_accepted{0};    // That passed it, or all if there is none.
};

// Of a row as it is stored, its keys included.
inline uint64_t BytesOf(const RowView& row) {
  uint64_t bytes = row.partition_key.size() + row.clustering.size();
  if (row.uniform) return bytes + row.packed.bytes();
  for (const CellView& cell : row.cells) bytes += cell.path.size() + cell.value.size();
  return bytes;
}

}  // namespace widerow
