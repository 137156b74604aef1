#include "planner/prune.h"

#include <algorithm>
#include <set>

#include "base/limits.h"
#include "types/token.h"
#include "types/value_bytes.h"

namespace widerow {
namespace {

// Eight bytes, big-endian, sign bit flipped: token order is byte order.
Bytes PositionOf(int64_t token) {
  Bytes position;
  AppendBigEndian(position, static_cast<uint64_t>(token) ^ (uint64_t{1} << 63));
  return position;
}

size_t PartitionAt(const TableSchema& table, const Bytes& position) {
  const auto after =
      std::upper_bound(table.partition_map.begin(), table.partition_map.end(), position,
                       [](const Bytes& at, const PartitionRange& partition) { return at < partition.first_position; });
  return after == table.partition_map.begin() ? 0 : static_cast<size_t>(after - table.partition_map.begin()) - 1;
}

const Bytes* ConstantBytes(const Expression& expression) {
  const auto* constant = std::get_if<ConstantExpression>(&expression.node);
  return constant != nullptr && constant->value ? &*constant->value : nullptr;
}

std::optional<int64_t> ConstantToken(const std::optional<TokenBound>& bound) {
  if (!bound) return std::nullopt;
  const Bytes* bytes = ConstantBytes(bound->value);
  if (bytes == nullptr || bytes->size() != sizeof(int64_t)) return std::nullopt;
  return DecodeInteger(*bytes);
}

// The product of the lists' lengths; nullopt if a list is bound as a whole.
std::optional<size_t> KeyCount(const std::vector<KeyValues>& key) {
  size_t count = 1;
  for (const KeyValues& values : key) {
    if (values.list_valued) return std::nullopt;
    count *= values.values.size();
    if (count > limits::kFanOutMax) return std::nullopt;
  }
  return count;
}

}  // namespace

PartitionCount CountPartitions(const TableSchema& table, const std::vector<KeyValues>& partition_key) {
  PartitionCount count{.touched = 0, .total = table.partition_map.size(), .at_most = false};
  const std::optional<size_t> keys = KeyCount(partition_key);
  if (!keys) return {count.total, count.total, true};
  std::set<size_t> touched;
  for (size_t i = 0; i < *keys; ++i) {
    std::vector<ByteView> components;
    size_t rest = i;
    for (const KeyValues& values : partition_key) {
      const Bytes* bytes = ConstantBytes(values.values[rest % values.values.size()]);
      rest /= values.values.size();
      if (bytes == nullptr) return {std::min(*keys, count.total), count.total, true};
      components.emplace_back(*bytes);
    }
    touched.insert(PartitionAt(table, PositionOf(Murmur3Token(SerializePartitionKey(components)))));
  }
  count.touched = touched.size();
  return count;
}

PartitionCount CountPartitions(const TableSchema& table, const TokenBounds& bounds) {
  PartitionCount count{.touched = 0, .total = table.partition_map.size(), .at_most = false};
  const std::optional<int64_t> lower = ConstantToken(bounds.lower), upper = ConstantToken(bounds.upper);
  count.at_most = (bounds.lower && !lower) || (bounds.upper && !upper);
  int64_t first = lower.value_or(INT64_MIN), last = upper.value_or(INT64_MAX);
  const bool empty = (lower && !bounds.lower->inclusive && first++ == INT64_MAX) ||
                     (upper && !bounds.upper->inclusive && last-- == INT64_MIN) || first > last;
  if (empty) return count;
  count.touched = PartitionAt(table, PositionOf(last)) - PartitionAt(table, PositionOf(first)) + 1;
  return count;
}

}  // namespace widerow
