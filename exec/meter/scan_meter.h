// Measures a scan for EXPLAIN ANALYZE, the heat map and the statement records. A scan without a meter pays one
// comparison per row.
#pragma once

#include <chrono>

#include "exec/meter/touched_partitions.h"
#include "storage/row.h"

namespace widerow {

// Collects what one SELECT, or one thread's part of it, reads. Used by one thread.
class ScanMeter {
 public:
  using SteadyClock = std::chrono::steady_clock;

  explicit ScanMeter(TablePtr table) : table_(std::move(table)) {}

  // Records that the scan has finished with a partition. It has read `rows` rows, static rows included. These rows have
  // `bytes` stored bytes, and the first of them has the key `clustering`.
  void Partition(ByteView partition_key, ByteView clustering, uint64_t rows, uint64_t bytes) {
    touched_.Add(table_, partition_key, clustering, rows, bytes);
  }
  // Returns a meter for another thread, which reads a part of the rows. Add merges that meter into this one.
  ScanMeter OfPart() const {
    ScanMeter part(table_);
    part.times_filter = times_filter;
    return part;
  }
  void Add(ScanMeter&& part) {
    touched_.Add(std::move(part.touched_));
    filter_nanos += part.filter_nanos;
    rows_accepted += part.rows_accepted;
    codes_compared += part.codes_compared;
    vectors_compared += part.vectors_compared;
    entries_counted += part.entries_counted;
    texts_scored += part.texts_scored;
  }

  const TouchedPartitions& touched() const { return touched_; }
  SteadyClock::time_point begun() const { return begun_; }

  bool times_filter = false;   // If set before the scan, the time of the filter is measured.
  uint64_t filter_nanos = 0;   // Time spent in the filter.
  uint64_t rows_accepted = 0;  // Rows that passed the filter, or all if there is none.
  // ORDER BY … ANN OF: how many codes (types/vector_code.h) and how many vectors of rows were compared with the query.
  uint64_t codes_compared = 0, vectors_compared = 0;
  // ORDER BY … BM25 OF: the index entries that were counted, and the texts that got a score (types/relevance.h).
  uint64_t entries_counted = 0, texts_scored = 0;

 private:
  TablePtr table_;
  SteadyClock::time_point begun_ = SteadyClock::now();
  TouchedPartitions touched_;
};

// Returns the stored size of a row, keys included.
inline uint64_t BytesOf(const RowView& row) {
  uint64_t bytes = row.partition_key.size() + row.clustering.size();
  if (row.uniform) return bytes + row.packed.bytes();
  for (const CellView& cell : row.cells) bytes += cell.path.size() + cell.value.size();
  return bytes;
}

// Counts what a scan reads of one partition.
struct PartitionReads {
  uint64_t rows = 0, bytes = 0;
  Bytes first_clustering;

  void Count(const RowView& row) {
    if (rows++ == 0) first_clustering = Bytes(row.clustering);
    bytes += BytesOf(row);
  }
};

// Counts rows that come in the order of their partitions, and reports each partition to a meter. Without a meter it
// does nothing.
class PartitionMeter {
 public:
  explicit PartitionMeter(ScanMeter* meter) : meter_(meter) {}
  ~PartitionMeter() { End(); }
  PartitionMeter(const PartitionMeter&) = delete;
  PartitionMeter& operator=(const PartitionMeter&) = delete;

  void Count(const RowView& row) {
    if (meter_ == nullptr) return;
    if (reads_.rows == 0 || row.partition_key != partition_) {
      End();
      partition_.assign(row.partition_key);
    }
    reads_.Count(row);
  }

 private:
  void End() {
    if (reads_.rows > 0) meter_->Partition(partition_, reads_.first_clustering, reads_.rows, reads_.bytes);
    reads_ = {};
  }

  ScanMeter* const meter_;
  Bytes partition_;
  PartitionReads reads_;
};

}  // namespace widerow
