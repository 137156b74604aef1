// Judges how fast the partitions of a table grow, and what ends their growth: a time in the partition key, a TTL, or
// nothing.
#pragma once

#include <cstdint>
#include <optional>

#include "advise/facts.h"

namespace widerow::advise {

inline constexpr uint64_t kRowsToProject = 30;       // With fewer rows, a partition does not show how fast it grows.
inline constexpr double kDaysToProject = 5 * 365.0;  // A partition that becomes too large within this time is a fault.

// The growth of the partition that grows fastest.
struct Growth {
  double rows_per_day = 0;
  int64_t span = 0;  // The time between its first and its last row, in microseconds.
  const SampledPartition* partition = nullptr;
};

// Measures the growth of the sampled partitions. The time of a row is the value of the clustering column that holds
// times (advise/clock.h); without such a column, it is the row's writetime. Some partitions are left out:
//   - those with fewer than kRowsToProject rows, and those whose last rows were not read;
//   - those whose rows came within an hour (for writetimes: within two hours), because they may be an import;
//   - those whose rows span less than a tenth of the time that the table covers;
//   - those that have ended: they got no row in the last fifth of the time that the table covers.
// nullopt if no partition is left, or if more partitions have ended than go on, as for trips, workflows or orders.
std::optional<Growth> MeasureGrowth(const TableFacts& table);

// True if a column of the partition key is a period of time, or has a name such as "bucket" or "window". Clients may
// compute such a column from a time.
bool IsDividedByTime(const TableFacts& table);

// Returns the shorter of two times: the period in the partition key, after which a partition gets no more rows, and the
// table's TTL, after which its rows expire. nullopt if the table has neither.
std::optional<int64_t> LifeOfPartition(const TableFacts& table);

}  // namespace widerow::advise
