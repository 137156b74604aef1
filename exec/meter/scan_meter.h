// Looks over the shoulder of a scan: EXPLAIN ANALYZE, the heat map, the records of statements. A scan without one pays a
// comparison a row.
#pragma once

#include <chrono>

#include "exec/meter/touched_partitions.h"
#include "storage/row.h"

namespace widerow {

// Gathers what one SELECT reads, or a thread's part of it. One thread.
class ScanMeter {
 public:
  using SteadyClock = std::chrono::steady_clock;

  explicit ScanMeter(TablePtr table) : table_(std::move(table)) {}

  // A partition lies behind the scan, or what was wanted of it does. `rows` of it were read, static rows too, `bytes` as they
  // are stored, the first at `clustering`.
  void Partition(ByteView partition_key, ByteView clustering, uint64_t rows, uint64_t bytes) {
    touched_.Add(table_, partition_key, clustering, rows, bytes);
  }
  // For another thread that reads a part; Add brings it back.
  ScanMeter OfPart() const {
    ScanMeter part(table_);
    part.times_filter = times_filter;
    return part;
  }
  void Add(ScanMeter&& part) {
    touched_.Add(std::move(part.touched_));
    filter_nanos += part.filter_nanos;
    rows_accepted += part.rows_accepted;
  }

  const TouchedPartitions& touched() const { return touched_; }
  SteadyClock::time_point begun() const { return begun_; }

  bool times_filter = false;   // Set before the scan: fill filter_nanos.
  uint64_t filter_nanos = 0;   // That the filter took.
  uint64_t rows_accepted = 0;  // That passed it, or all if there is none.

 private:
  TablePtr table_;
  SteadyClock::time_point begun_ = SteadyClock::now();
  TouchedPartitions touched_;
};

// Of a row as it is stored, its keys included.
inline uint64_t BytesOf(const RowView& row) {
  uint64_t bytes = row.partition_key.size() + row.clustering.size();
  if (row.uniform) return bytes + row.packed.bytes();
  for (const CellView& cell : row.cells) bytes += cell.path.size() + cell.value.size();
  return bytes;
}

}  // namespace widerow
