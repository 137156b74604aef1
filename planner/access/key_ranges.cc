#include "planner/access/key_ranges.h"

#include <algorithm>

#include "planner/access/partition_key.h"
#include "planner/generated/expression_order.h"
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

// Returns the range of stored keys without their partition numbers; nullopt if no key is between the bounds.
std::optional<StoredKeyRange> PlainRange(const TableSchema& table, const KeyBounds& bounds) {
  Bytes prefix;
  for (size_t i = 0; i < bounds.prefix.size(); ++i) AppendColumn(table, i, bounds.prefix[i], prefix);
  StoredKeyRange range{.first = prefix, .end = prefix.empty() ? std::nullopt : EndOf(ByteSuccessor(prefix))};
  const auto with = [&](const Bytes& value) {
    Bytes key = prefix;
    AppendColumn(table, bounds.prefix.size(), value, key);
    return key;
  };
  if (bounds.lower)
    range.first = bounds.lower->inclusive ? with(bounds.lower->value) : ByteSuccessor(with(bounds.lower->value));
  if (bounds.upper)
    range.end = EndOf(bounds.upper->inclusive ? ByteSuccessor(with(bounds.upper->value)) : with(bounds.upper->value));
  if (range.end && range.first >= *range.end) return std::nullopt;
  return range;
}

// True if all keys between the bounds begin with the first n bytes of the lower bound.
bool SharePrefix(const KeyBounds& bounds, size_t n) {
  if (!bounds.lower || !bounds.upper || bounds.lower->value.size() < n) return false;
  const ByteView first = ByteView(bounds.lower->value).substr(0, n), upper = bounds.upper->value;
  const auto is_ascii = [](ByteView text) {
    return std::all_of(text.begin(), text.end(), [](char c) { return c >= 0; });
  };
  if (!is_ascii(first)) return false;  // `n` is a number of characters, so it is a number of bytes for ASCII only.
  return upper.starts_with(first) || (!bounds.upper->inclusive && upper == ByteView(ByteSuccessor(first)));
}

// Returns the partition number that all keys between the bounds have in common; nullopt if they may have several. They
// have one number if `=` on the first columns determines it, or if all values of a range begin with the same text.
std::optional<uint32_t> OneNumber(const TableSchema& table, const KeyBounds& bounds) {
  std::vector<ValueView> components(table.partition_key_size);
  for (size_t i = 0; i < bounds.prefix.size(); ++i) components[i] = ByteView(bounds.prefix[i]);
  const size_t ranged = bounds.prefix.size();
  bool shared = bounds.lower.has_value() && table.generated != nullptr && ranged < components.size();
  for (const ColumnId id : table.partitioning.columns) {
    const ColumnSchema& column = *table.FindId(id);
    const auto index = static_cast<uint32_t>(&column - table.columns.data());
    const GeneratedColumn* const generated = GeneratedOf(table, index);
    if (generated == nullptr || column.is_key()) {
      shared = shared && column.kind == ColumnKind::kPartitionKey && column.position != ranged;
      continue;
    }
    const CallExpression* call = CallOf(generated->expression, "substr");
    if (call == nullptr) call = CallOf(generated->expression, "substring");
    const std::optional<int64_t> width = call == nullptr ? std::nullopt : ConstantInteger(*call, 2);
    shared = shared && IsPrefix(generated->expression) && width && *width > 0 &&
             SharePrefix(bounds, static_cast<size_t>(*width));
  }
  if (shared) components[ranged] = ByteView(bounds.lower->value);
  const auto number = NumberOfSome(table, components);
  return number.ok() ? *number : std::nullopt;
}

// True if a partition of a LIST table has a value between the bounds, or if the bounds are not on the LIST column.
bool HasListValue(const TableSchema& table, const PartitionRange& partition, const KeyBounds& bounds) {
  const ColumnSchema& column = *table.FindId(table.partitioning.columns[0]);
  if (column.kind != ColumnKind::kPartitionKey || column.position != bounds.prefix.size()) return true;
  return std::any_of(partition.values.begin(), partition.values.end(), [&](const Bytes& value) {
    const int below = bounds.lower ? Compare(*column.type, value, bounds.lower->value) : 1;
    const int above = bounds.upper ? Compare(*column.type, value, bounds.upper->value) : -1;
    return (below > 0 || (below == 0 && bounds.lower->inclusive)) &&
           (above < 0 || (above == 0 && bounds.upper->inclusive));
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
  const std::optional<uint32_t> number = OneNumber(table, bounds);
  for (size_t i = 0; i < table.partition_map.size(); ++i) {
    const PartitionRange& partition = table.partition_map[i];
    const bool may_hold =
        number ? *number == partition.number
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
