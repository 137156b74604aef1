// Completes a mutation in its decide step (storage/mutation.h): sets the timestamps and the values of counters.
#pragma once

#include "storage/storage_engine.h"

namespace widerow {

// The timestamp of all cells and deletions in a conditional or counter write until its decide step has run.
inline constexpr int64_t kUndecided = 1;

// SetTimes sets the timestamps of a partition: deletions of the partition and of ranges get `ranges`. A timestamp of a
// row or cell that was kUndecided + n becomes `rows` + n, so the cells of one batch keep their order.
struct DecidedTimes {
  int64_t rows = 0, ranges = 0;
};
void SetTimes(const DecidedTimes& times, PartitionMutation& partition);

// Removes the partitions that have no changes.
void DropEmptyPartitions(Mutation& mutation);

// Adds two counter values; the sum wraps around as in Java.
inline int64_t AddCounts(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
}

// Completes a write to counter tables: replaces each cell's increment by the sum with the stored value. Increments of
// one counter by several statements add up. If one write deletes and increments a counter, the deletion wins.
// `timestamp` must be greater than every timestamp stored in such tables; only this function assigns timestamps there.
Result<Mutation> DecideCounters(ReadView& view, Mutation mutation, int64_t timestamp, int64_t now_seconds);

}  // namespace widerow
