// What a decide step makes of a mutation whose times, and whose counters' values, it is to give.
#pragma once

#include "storage/engine.h"

namespace widerow {

// Stands in a write until it is decided: the timestamp of all that it writes, whatever its statements say.
inline constexpr int64_t kUndecided = 1;

// Gives it its timestamp, and deletions of partitions and ranges theirs. Cells of one batch keep their order among themselves.
struct DecidedTimes {
  int64_t rows = 0, ranges = 0;
};
void SetTimes(const DecidedTimes& times, PartitionMutation& partition);

// Partitions that nothing is done to.
void DropEmptyPartitions(Mutation& mutation);

// What two counts make: beyond the greatest comes the least, as in Java.
inline int64_t AddCounts(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
}

// A write to counter tables: its cells have what is to be added, and get the sums. Statements that add to one counter add up.
// Deleting wins over adding in one write. `timestamp` is greater than all that is stored of such tables, which gets its
// timestamps here alone.
Result<Mutation> DecideCounters(ReadView& view, Mutation mutation, int64_t timestamp, int64_t now_seconds);

}  // namespace widerow
