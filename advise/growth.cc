#include "advise/growth.h"

#include <algorithm>
#include <vector>

#include "advise/calendar.h"
#include "advise/clock.h"
#include "advise/columns.h"
#include "advise/thresholds.h"

namespace widerow::advise {

namespace {

struct Times {
  int64_t first = INT64_MAX, last = INT64_MIN;

  int64_t span() const { return last < first ? 0 : last - first; }
  void Add(int64_t time) {
    first = std::min(first, time);
    last = std::max(last, time);
  }
};

// Returns, for each sampled partition, the times of its first and last rows: the values of `column`, or the write times
// if there is no `column`, or if it is no time.
std::vector<Times> TimesOf(const TableFacts& table, std::optional<uint32_t> column) {
  const TableSample& sample = table.sample;
  std::vector<Times> times(sample.partitions.size());
  const std::optional<Clock> clock = column ? ClockOf(table, *column) : std::nullopt;
  if (clock && clock->form != Clock::Form::kType) {
    const uint32_t place = *column - table.table->partition_key_size;
    for (const SampledRow& row : sample.rows) {
      const auto time = TimeOf(*clock, *table.column(*column).type, row.clustering[place]);
      if (time) times[row.partition].Add(*time);
    }
    return times;
  }
  for (size_t i = 0; i < times.size(); ++i) {
    const SampledPartition& partition = sample.partitions[i];
    times[i].Add(clock ? partition.first_event : partition.first_written);
    times[i].Add(clock ? partition.last_event : partition.last_written);
  }
  return times;
}

}  // namespace

std::optional<Growth> MeasureGrowth(const TableFacts& table) {
  constexpr int64_t kLivesOfTable = 10, kEndOfTable = 5;
  const std::optional<uint32_t> column = ClusteringClock(table);
  const int64_t span_min = column ? kHourMicros : kImportMicros;
  const std::vector<Times> times = TimesOf(table, column);
  Times all;
  for (const Times& each : times) {
    if (each.first > each.last) continue;
    all.Add(each.first);
    all.Add(each.last);
  }
  Growth most;
  size_t alive = 0, ended = 0;
  for (size_t i = 0; i < times.size(); ++i) {
    const SampledPartition& partition = table.sample.partitions[i];
    if (!partition.ends_seen || partition.rows < kRowsToProject) continue;
    const bool ends = times[i].last < all.last - all.span() / kEndOfTable;
    (ends ? ended : alive) += 1;
    const int64_t span = times[i].span();
    if (ends || span < span_min || span < all.span() / kLivesOfTable) continue;
    const double rate =
        static_cast<double>(partition.rows) * static_cast<double>(kDayMicros) / static_cast<double>(span);
    if (rate > most.rows_per_day) most = {rate, span, &partition};
  }
  return most.partition == nullptr || alive < ended ? std::nullopt : std::optional(most);
}

bool IsDividedByTime(const TableFacts& table) {
  for (uint32_t i = 0; i < table.table->partition_key_size; ++i) {
    if (PeriodOf(table, i) || IsTimeWindow(table, i) ||
        HasWord(table.column(i).name, {"bucket", "window", "period", "slice", "epoch"}))
      return true;
  }
  return false;
}

std::optional<int64_t> LifeOfPartition(const TableFacts& table) {
  std::optional<int64_t> life;
  for (uint32_t i = 0; i < table.table->partition_key_size; ++i) {
    const std::optional<int64_t> period = PeriodOf(table, i);
    if (period) life = std::min(life.value_or(INT64_MAX), *period);
  }
  const int64_t time_to_live = table.table->options.default_time_to_live;
  if (time_to_live > 0) life = std::min(life.value_or(INT64_MAX), time_to_live * kSecondMicros);
  return life;
}

}  // namespace widerow::advise
