// What the sampled key values tell.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "advise/facts.h"

namespace widerow::advise {

// How rows spread over partition keys.
struct Spread {
  double keys = 0;
  bool exact = false;  // All keys are known.
  double mean_rows = 0;
  const SampledPartition* largest = nullptr;
  double largest_share = 0;  // Of all rows.
};
Spread SpreadOf(const TableFacts& table);

// "seller_id = 12" or "(site, day) = ('a', 2024-01-01)".
std::string ShownKey(const TableFacts& table, const SampledPartition& partition);

// All values seen of key column `column`, at most `max`: of partition keys one a partition, of clustering one a sampled row.
std::vector<ByteView> ValuesOf(const TableFacts& table, uint32_t column, size_t max = 4'000);
size_t CountDistinct(std::vector<ByteView> values);

// Of the rows written last, the newest tenth: how many lie in the last tenth of the range of keys, by rows. 0.1 for keys
// without any order in time, 1 where new rows always have the largest keys.
struct Tail {
  double share = 0;
  size_t keys = 0, rows = 0;
  int64_t written_span = 0;
};
// Of partition key column `column`; nullopt with fewer than 100 different keys.
std::optional<Tail> MeasureTail(const TableFacts& table, uint32_t column);

// A clustering column over which rows spread well: many values, none with much, not rising with time.
std::optional<uint32_t> BestSpreadColumn(const TableFacts& table);

// Bytes of a row on the average, as stored.
double MeanRowBytes(const TableFacts& table);

// Whether clients or the table let rows expire.
bool Expires(const TableFacts& table);

// Fewer values than this of a column prove nothing.
inline constexpr size_t kValuesToJudge = 50;
// One digit or more, and nothing else.
bool IsDigits(ByteView text);

}  // namespace widerow::advise
