// Judges how fast the partitions of a table grow, and what ends their growth: a time in the partition key, a TTL, or
// nothing.
#pragma once

#include <cstdint>
#include <optional>

#include "advise/facts.h"

namespace widerow::advise {

inline constexpr uint64_t kRowsToProject = 30;       // Rows of a partition that show its rate.
inline constexpr double kDaysToProject = 5 * 365.0;  // A partition that is too large within this time is a fault.

// The growth of the fastest growing partition.
struct Growth {
  double rows_per_day = 0;
  int64_t span = 0;  // In microseconds.
  const SampledPartition* partition = nullptr;
};

// Measures by the clustering column that is a clock, otherwise by writetimes. Partitions whose times span less than an
// hour (two hours of writetimes) do not count, which excludes imports; nor do partitions that live for less than a
// tenth of the time that the table covers, or that got no row in its last fifth. nullopt if no partition is left, or if
// most partitions have ended: a trip, a workflow, an order.
std::optional<Growth> MeasureGrowth(const TableFacts& table);

// True if a part of the partition key is a period of time, or a bucket, which clients may compute from one.
bool IsDividedByTime(const TableFacts& table);

// Returns the time for which a partition takes rows, or keeps them: the period in its key, or the table's TTL. nullopt
// if neither is known.
std::optional<int64_t> LifeOfPartition(const TableFacts& table);

}  // namespace widerow::advise
