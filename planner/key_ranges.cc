#include "planner/key_ranges.h"

#include <algorithm>

#include "planner/partition_key.h"
#include "types/compare.h"
#include "types/order_codec.h"
#include "types/position.h"

namespace widerow {
namespace {

void AppendColumn(const TableSchema& table, size_t column, const Bytes& value, Bytes& out) {
  AppendComparable(*table.partition_key(column).type, false, ByteView(value), out);
}

std::optional<Bytes> EndOf(Bytes successor) {
  return successor.empty() ? std::nullopt : std::optional<Bytes>(std::move(successor));
}

// Without partition numbers. nullopt: nothing lies between the bounds.
std::optional<StoredKeyRange> PlainRange(const TableSchema& table, const KeyBounds& bounds) {
  Bytes prefix;
  for (size_t i = 0; i < bounds.prefix.size(); ++i) AppendColumn(table, i, bounds.prefix[i], prefix);
  StoredKeyRange range{.first = prefix, .end = prefix.empty() ? std::nullopt : EndOf(ByteSuccessor(prefix))};
  const auto with = [&](const Bytes& value) {
    Bytes key = prefix;
    AppendColumn(table, bounds.prefix.size(), value, key);
    return key;
  };
  if (bounds.lower) range.first = bounds.lower->inclusive ? with(bounds.lower->value) : ByteSuccessor(with(bounds.lower->value));
  if (bounds.upper) range.end = EndOf(bounds.upper->inclusive ? ByteSuccessor(with(bounds.upper->value)) : with(bounds.upper->value));
  if (range.end && range.first >= *range.end) return std::nullopt;
  return range;
}

// What is known of the partitioning columns by `=`; empty unless of all of them.
std::vector<ByteView> FixedValues(const TableSchema& table, const KeyBounds& bounds) {
  std::vector<ByteView> values;
  for (const ColumnId id : table.partitioning.columns) {
    const ColumnSchema& column = *table.FindId(id);
    if (column.kind != ColumnKind::kPartitionKey || column.position >= bounds.prefix.size()) return {};
    values.emplace_back(bounds.prefix[column.position]);
  }
  return values;
}

// LIST by the column that the bounds are about: whether the partition has a value between them.
bool HasListValue(const TableSchema& table, const PartitionRange& partition, const KeyBounds& bounds) {
  const ColumnSchema& column = *table.FindId(table.partitioning.columns[0]);
  if (column.kind != ColumnKind::kPartitionKey || column.position != bounds.prefix.size()) return true;
  return std::any_of(partition.values.begin(), partition.values.end(), [&](const Bytes& value) {
    const int below = bounds.lower ? Compare(*column.type, value, bounds.lower->value) : 1;
    const int above = bounds.upper ? Compare(*column.type, value, bounds.upper->value) : -1;
    return (below > 0 || (below == 0 && bounds.lower->inclusive)) && (above < 0 || (above == 0 && bounds.upper->inclusive));
  });
}

}  // namespace

std::vector<size_t> PartitionsOf(const TableSchema& table, const KeyBounds& bounds) {
  std::vector<size_t> out;
  const std::optional<StoredKeyRange> range = PlainRange(table, bounds);
  if (!range) return out;
  if (table.partitioning.kind == PartitionKind::kRange) {
    const size_t first = PartitionIndexAt(table, PositionOfKey(range->first));
    for (size_t i = first; i < table.partition_map.size(); ++i) {
      if (i > first && range->end && table.partition_map[i].first_position >= PositionOfKey(*range->end)) break;
      out.push_back(i);
    }
    return out;
  }
  const std::vector<ByteView> fixed = FixedValues(table, bounds);
  const std::optional<uint32_t> number = fixed.empty() ? std::nullopt : std::optional(NumberOfValues(table, fixed));
  for (size_t i = 0; i < table.partition_map.size(); ++i) {
    const PartitionRange& partition = table.partition_map[i];
    const bool may_hold = number ? *number == partition.number
                                 : table.partitioning.kind != PartitionKind::kList || HasListValue(table, partition, bounds);
    if (may_hold) out.push_back(i);
  }
  return out;
}

std::vector<StoredKeyRange> RangesOf(const TableSchema& table, const KeyBounds& bounds, bool merged) {
  const std::optional<StoredKeyRange> plain = PlainRange(table, bounds);
  if (!plain) return {};
  if (table.partitioning.kind == PartitionKind::kRange) return {*plain};
  const std::vector<size_t> partitions = PartitionsOf(table, bounds);
  const bool all = plain->first.empty() && !plain->end && partitions.size() == table.partition_map.size();
  if (all && !merged) return {StoredKeyRange{}};
  std::vector<StoredKeyRange> ranges;
  for (const size_t index : partitions) {
    const uint32_t number = table.partition_map[index].number;
    StoredKeyRange& range = ranges.emplace_back();
    AppendPartitionNumber(number, range.first);
    range.first += plain->first;
    range.end.emplace();
    AppendPartitionNumber(plain->end ? number : number + 1, *range.end);
    if (plain->end) *range.end += *plain->end;
  }
  return ranges;
}

}  // namespace widerow
