#include "advise/values.h"

#include <algorithm>
#include <numeric>

#include "advise/columns.h"
#include "advise/text.h"
#include "advise/thresholds.h"
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
  return "(" + Joined(names) + ") = (" + Joined(values) + ")";
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

std::optional<Tail> MeasureTail(const TableFacts& table, uint32_t column) {
  constexpr size_t kKeysToJudge = 100;
  struct Written {
    ByteView key;
    int64_t at = 0;
  };
  const Type& type = *table.column(column).type;
  std::vector<Written> rows;
  for (const SampledRow& row : table.sample.rows) {
    const ByteView key = table.sample.partitions[row.partition].key[column];
    if (!key.empty()) rows.push_back({key, row.written});
  }
  std::ranges::sort(rows, [&](const Written& a, const Written& b) { return Compare(type, a.key, b.key) < 0; });
  size_t keys = rows.empty() ? 0 : 1;
  for (size_t i = 1; i < rows.size(); ++i) keys += rows[i].key != rows[i - 1].key;
  if (keys < kKeysToJudge) return std::nullopt;

  std::vector<size_t> by_time(rows.size());
  std::iota(by_time.begin(), by_time.end(), size_t{0});
  std::ranges::stable_sort(by_time, {}, [&](size_t i) { return rows[i].at; });
  const size_t tenth = rows.size() / 10;
  const auto hits = std::count_if(by_time.end() - static_cast<std::ptrdiff_t>(tenth), by_time.end(), [&](size_t i) { return i >= rows.size() - tenth; });
  return Tail{.share = static_cast<double>(hits) / static_cast<double>(tenth),
              .keys = keys,
              .rows = rows.size(),
              .written_span = rows[by_time.back()].at - rows[by_time.front()].at};
}

std::optional<uint32_t> BestSpreadColumn(const TableFacts& table) {
  constexpr size_t kValuesToJudge = 100;
  std::optional<uint32_t> best;
  size_t best_distinct = kValuesToJudge;
  const uint32_t partition_size = table.table->partition_key_size;
  for (uint32_t i = 0; i < table.table->clustering_size; ++i) {
    const uint32_t column = partition_size + i;
    if (IsTimeWindow(table, column)) continue;
    const Type& type = *table.column(column).type;
    struct Written {
      ByteView value;
      int64_t at = 0;
    };
    std::vector<Written> values;
    for (const SampledRow& row : table.sample.rows) values.push_back({row.clustering[i], row.written});
    std::ranges::sort(values, {}, &Written::at);
    size_t rising = 0;
    for (size_t v = 1; v < values.size(); ++v) rising += Compare(type, values[v - 1].value, values[v].value) < 0;
    if (values.empty() || static_cast<double>(rising) > 0.8 * static_cast<double>(values.size())) continue;
    std::vector<ByteView> plain;
    for (const Written& value : values) plain.push_back(value.value);
    const size_t distinct = CountDistinct(std::move(plain));
    if (distinct > best_distinct) {
      best = column;
      best_distinct = distinct;
    }
  }
  return best;
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

}  // namespace widerow::advise
