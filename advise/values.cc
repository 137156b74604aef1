#include "advise/values.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "advise/columns.h"
#include "advise/text.h"
#include "advise/thresholds.h"
#include "base/text.h"
#include "types/compare.h"

namespace widerow::advise {

Spread SpreadOf(const TableFacts& table) {
  const TableSample& sample = table.sample;
  Spread spread{.keys = sample.partitions_total, .exact = sample.all_partitions};
  if (sample.empty()) return spread;
  spread.mean_rows = spread.keys > 0 ? static_cast<double>(sample.rows_total) / spread.keys : 0;
  spread.largest = &*std::ranges::max_element(sample.partitions, {}, &SampledPartition::rows);
  if (sample.rows_total > 0) {
    spread.largest_share = static_cast<double>(spread.largest->rows) / static_cast<double>(sample.rows_total);
  }
  return spread;
}

std::string ShownKey(const TableFacts& table, const SampledPartition& partition) {
  std::vector<std::string> names, values;
  for (uint32_t i = 0; i < partition.key.size(); ++i) {
    names.push_back(table.column(i).name);
    values.push_back(Shown(*table.column(i).type, partition.key[i]));
  }
  if (names.size() == 1) return names[0] + " = " + values[0];
  return "(" + JoinNames(names) + ") = (" + JoinNames(values) + ")";
}

std::vector<ByteView> ValuesOf(const TableFacts& table, uint32_t column, size_t max) {
  std::vector<ByteView> values;
  const uint32_t partition_size = table.table->partition_key_size;
  if (column < partition_size) {
    for (const SampledPartition& partition : table.sample.partitions) {
      if (values.size() < max) values.push_back(partition.key[column]);
    }
  } else {
    for (const SampledRow& row : table.sample.rows) {
      if (values.size() < max) values.push_back(row.clustering[column - partition_size]);
    }
  }
  return values;
}

size_t CountDistinct(std::vector<ByteView> values) {
  std::ranges::sort(values);
  return static_cast<size_t>(std::ranges::unique(values).begin() - values.begin());
}

namespace {

struct Written {
  ByteView value;
  int64_t at = 0;
};

// Looks at the newest tenth of the rows. Returns the share of them that is in the last tenth of the values, or in the
// first tenth if `at_front`. `rows` must be sorted by value.
double TailShare(const std::vector<Written>& rows, bool at_front = false) {
  std::vector<size_t> by_time(rows.size());
  std::iota(by_time.begin(), by_time.end(), size_t{0});
  std::ranges::stable_sort(by_time, {}, [&](size_t i) { return rows[i].at; });
  const size_t tenth = rows.size() / 10;
  if (tenth == 0) return 0;
  const auto hits = std::count_if(by_time.end() - static_cast<std::ptrdiff_t>(tenth), by_time.end(),
                                  [&](size_t i) { return at_front ? i < tenth : i >= rows.size() - tenth; });
  return static_cast<double>(hits) / static_cast<double>(tenth);
}

// Returns the sampled rows' values of a key column, sorted.
std::vector<Written> RowsByValue(const TableFacts& table, uint32_t column) {
  const uint32_t partition_size = table.table->partition_key_size;
  std::vector<Written> rows;
  for (const SampledRow& row : table.sample.rows) {
    const ByteView value = column < partition_size ? table.sample.partitions[row.partition].key[column]
                                                   : row.clustering[column - partition_size];
    if (!value.empty()) rows.push_back({value, row.written});
  }
  const Type& type = *table.column(column).type;
  std::ranges::sort(rows, [&](const Written& a, const Written& b) { return Compare(type, a.value, b.value) < 0; });
  return rows;
}

size_t DistinctOf(const std::vector<Written>& sorted) {
  size_t distinct = sorted.empty() ? 0 : 1;
  for (size_t i = 1; i < sorted.size(); ++i) distinct += sorted[i].value != sorted[i - 1].value;
  return distinct;
}

}  // namespace

std::optional<Tail> MeasureTail(const TableFacts& table, uint32_t column) {
  constexpr size_t kKeysToJudge = 100;
  const std::vector<Written> rows = RowsByValue(table, column);
  const size_t keys = DistinctOf(rows);
  if (keys < kKeysToJudge) return std::nullopt;
  const auto [oldest, newest] = std::ranges::minmax(rows, {}, &Written::at);
  const double last = TailShare(rows), first = TailShare(rows, true);
  return Tail{.share = std::max(last, first),
              .at_front = first > last,
              .keys = keys,
              .rows = rows.size(),
              .written_span = newest.at - oldest.at};
}

std::optional<uint32_t> BestSpreadColumn(const TableFacts& table) {
  constexpr size_t kValuesToJudge = 100;
  constexpr double kRisingShare = 0.4;
  std::optional<uint32_t> best;
  size_t best_distinct = kValuesToJudge;
  for (uint32_t i = 0; i < table.table->clustering_size; ++i) {
    const uint32_t column = table.table->partition_key_size + i;
    if (IsTimeWindow(table, column)) continue;
    const std::vector<Written> rows = RowsByValue(table, column);
    const size_t distinct = DistinctOf(rows);
    if (distinct <= best_distinct || TailShare(rows) > kRisingShare) continue;
    best = column;
    best_distinct = distinct;
  }
  return best;
}

bool SameRowsInEachPartition(const TableFacts& table) {
  constexpr size_t kPartitionsToCompare = 3;
  std::set<ByteView> values;
  std::map<uint32_t, size_t> rows;
  for (const SampledRow& row : table.sample.rows) {
    if (row.clustering.empty()) return false;
    values.insert(row.clustering[0]);
    ++rows[row.partition];
  }
  if (rows.size() < kPartitionsToCompare) return false;
  const auto most = std::ranges::max_element(rows, {}, [](const auto& entry) { return entry.second; });
  return 2 * values.size() <= 3 * most->second;
}

double MeanRowBytes(const TableFacts& table) {
  const TableSample& sample = table.sample;
  return sample.rows_total == 0 ? 0 : static_cast<double>(sample.bytes_total) / static_cast<double>(sample.rows_total);
}

bool Expires(const TableFacts& table) {
  if (table.table->options.default_time_to_live != 0) return true;
  if (std::ranges::any_of(table.load, [](const StatementLoad& load) { return load.sets_ttl; })) return true;
  const auto& rows = table.sample.rows;
  return !rows.empty() && std::ranges::all_of(rows, [](const SampledRow& row) { return row.expires; });
}

bool IsDigits(ByteView text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace widerow::advise
