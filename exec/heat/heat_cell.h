// The counts of a table's heat for one key range and one slice of time.
#pragma once

#include <algorithm>

#include "exec/heat/read_bound.h"

namespace widerow {

struct HeatCell {
  uint64_t reads = 0;    // Reads of partitions: an estimate, because each measured read counts for several.
  uint64_t writes = 0;   // Rows written, exact; a deletion of a range of rows or of a partition counts as one.
  uint64_t bytes = 0;    // Bytes of the rows read or written.
  uint64_t micros = 0;   // The sum of the durations; that of a write ends with its answer.
  uint64_t samples = 0;  // The measured reads that count for kReadsOfSample each.
  // When Project (key_axis.h) moves cells to other ranges, it divides a cell evenly among several ranges. The truth may
  // be different. `reads` and `writes` are wrong by at most these numbers because of that. They are not stored.
  uint64_t reads_guessed = 0, writes_guessed = 0;

  void Add(const HeatCell& other) {
    reads += other.reads;
    writes += other.writes;
    bytes += other.bytes;
    micros += other.micros;
    samples += other.samples;
    reads_guessed += other.reads_guessed;
    writes_guessed += other.writes_guessed;
  }
  // Returns the counts of one partition, if these counts are divided evenly among `partitions` partitions.
  HeatCell OfOne(uint64_t partitions) const {
    HeatCell one = *this;
    if (partitions == 1) return one;
    for (uint64_t* number : {&one.reads, &one.writes, &one.bytes, &one.micros, &one.samples}) *number /= partitions;
    return one;
  }
  bool empty() const { return reads == 0 && writes == 0 && bytes == 0 && micros == 0; }
  friend bool operator==(const HeatCell&, const HeatCell&) = default;

  // ReadsError and WritesError return bounds for the errors of `reads` and `writes`. `skipped`: the server's reads in
  // the slice that were not measured (BoundOfSampledReads).
  uint64_t ReadsError(uint64_t skipped) const { return BoundOfSampledReads(samples, skipped) + reads_guessed; }
  uint64_t WritesError() const { return writes_guessed; }
};

}  // namespace widerow
