// Statistics of the sampled key values.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "advise/facts.h"

namespace widerow::advise {

// The distribution of rows over partition keys.
struct Spread {
  double keys = 0;
  bool exact = false;  // True if all keys are known; otherwise `keys` is an estimate.
  double mean_rows = 0;
  const SampledPartition* largest = nullptr;
  double largest_share = 0;  // The share of all rows that `largest` has.
};
Spread SpreadOf(const TableFacts& table);

// Returns "seller_id = 12" or "(site, day) = ('a', 2024-01-01)".
std::string ShownKey(const TableFacts& table, const SampledPartition& partition);

// Returns the sampled values of key column `column`, at most `max`: one per partition for a partition key column, one
// per sampled row for a clustering column. They borrow from `table`.
std::vector<ByteView> ValuesOf(const TableFacts& table, uint32_t column, size_t max = 4'000);
size_t CountDistinct(std::vector<ByteView> values);

// Says if new rows are written at one end of the key range. `share` is the part of the newest tenth of the rows that is
// in the last tenth of the key range, or in the first tenth. It is about 0.1 if the keys do not follow time, and 1 if
// new rows always have the largest keys, or always the least ones.
struct Tail {
  double share = 0;
  bool at_front = false;  // The new rows have the least keys.
  size_t keys = 0, rows = 0;
  int64_t written_span = 0;
};
// Measures the tail for partition key column `column`; nullopt if the sample has fewer than 100 different keys.
std::optional<Tail> MeasureTail(const TableFacts& table, uint32_t column);

// Returns the clustering column that would spread rows best as a partition key: the one with the most values. Columns
// that hold times or rise with time are left out. nullopt if there is none with more than 100 values.
std::optional<uint32_t> BestSpreadColumn(const TableFacts& table);

// True if the first clustering column has about the same values in each partition, such as the currencies of a day or
// the seats of a hall. Then a partition has a bounded number of rows. False with fewer than three partitions.
bool SameRowsInEachPartition(const TableFacts& table);

// Returns the mean size of a stored row in bytes.
double MeanRowBytes(const TableFacts& table);

// True if rows expire, by the table's TTL or by the TTL of writes.
bool Expires(const TableFacts& table);

// A column with fewer sampled values is not judged.
inline constexpr size_t kValuesToJudge = 50;
// True if `text` has at least one digit and nothing else.
bool IsDigits(ByteView text);

}  // namespace widerow::advise
