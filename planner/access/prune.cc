// CountPartitions computes stored keys: one for each combination of constant key values and of the values of choices
// (KeyChoice in planner/plan.h). It looks up each key in the partition map. If a value is not constant, the count is an
// upper bound (at_most).
#include "planner/access/prune.h"

#include <algorithm>
#include <set>

#include "base/limits.h"
#include "planner/access/key_ranges.h"
#include "planner/access/partition_key.h"
#include "planner/evaluate/evaluate.h"
#include "types/position.h"
#include "types/token.h"
#include "types/value_bytes.h"

namespace widerow {
namespace {

// Returns the position of a token (types/schema.h): eight bytes, big-endian, with the sign bit flipped, so that the
// order of the bytes is the order of tokens.
Bytes PositionOf(int64_t token) {
  Bytes position;
  AppendBigEndian(position, static_cast<uint64_t>(token) ^ (uint64_t{1} << 63));
  return position;
}

size_t PartitionOf(const TableSchema& table, const std::vector<ByteView>& components) {
  Bytes key;
  if (!AppendStoredKey(table, components, key).ok()) return 0;
  return PartitionIndexAt(table, table.partitioning.by_token() ? PositionOf(Murmur3Token(key)) : PositionOfKey(key));
}

const Bytes* ConstantBytes(const Expression& expression) {
  const auto* constant = std::get_if<ConstantExpression>(&expression.node);
  return constant != nullptr && constant->value ? &*constant->value : nullptr;
}

bool IsKnown(const Expression& expression) {
  if (std::holds_alternative<ConstantExpression>(expression.node)) return true;
  if (std::holds_alternative<ChoiceExpression>(expression.node)) return true;
  const auto* call = std::get_if<CallExpression>(&expression.node);
  return call != nullptr && call->function->pure &&
         std::all_of(call->arguments.begin(), call->arguments.end(), IsKnown);
}

// Returns the value of an expression that has only constants and choices; nullopt if it has anything else.
std::optional<Bytes> KnownBytes(const Expression& expression, std::span<const Bytes> chosen) {
  if (!IsKnown(expression)) return std::nullopt;
  EvaluationContext context;
  context.choices = chosen;
  Result<Value> value = Evaluate(expression, context);
  return value.ok() ? std::move(value).value() : std::nullopt;
}

// Returns the values of all choices; nullopt if they depend on bind values.
std::optional<std::vector<std::vector<Bytes>>> KnownChoices(const std::vector<KeyChoice>& choices) {
  std::vector<std::vector<Bytes>> all;
  for (const KeyChoice& choice : choices) {
    std::vector<Bytes>& values = all.emplace_back();
    for (const Expression& expression : choice.values.values) {
      const std::optional<Bytes> bytes = KnownBytes(expression, {});
      if (!bytes) return std::nullopt;
      if (!choice.values.list_valued) {
        values.push_back(*bytes);
        continue;
      }
      const Result<std::vector<ValueView>> elements = SplitCollection(*expression.type, *bytes);
      if (!elements.ok()) return std::nullopt;
      for (const ValueView& element : *elements) values.emplace_back(element.value_or(ByteView()));
    }
  }
  return all;
}

std::optional<int64_t> ConstantToken(const std::optional<TokenBound>& bound) {
  if (!bound) return std::nullopt;
  const Bytes* bytes = ConstantBytes(bound->value);
  if (bytes == nullptr || bytes->size() != sizeof(int64_t)) return std::nullopt;
  return DecodeInteger(*bytes);
}

// Returns the product of the lists' lengths; nullopt if a list is bound as a whole, or if the product exceeds
// kFanOutMax.
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

PartitionCount CountPartitions(const TableSchema& table, const std::vector<KeyValues>& partition_key,
                               const std::vector<KeyChoice>& choices) {
  PartitionCount count{.touched = 0, .total = table.partition_map.size(), .at_most = false};
  const std::optional<size_t> keys = KeyCount(partition_key);
  const std::optional<std::vector<std::vector<Bytes>>> values = KnownChoices(choices);
  if (!keys || !values) return {count.total, count.total, true};
  size_t combinations = 1;
  for (const std::vector<Bytes>& of_choice : *values) combinations *= of_choice.size();
  if (combinations > limits::kFanOutMax) return {count.total, count.total, true};
  std::set<size_t> touched;
  for (size_t i = 0; i < *keys * combinations; ++i) {
    size_t rest = i;
    std::vector<Bytes> chosen;
    for (const std::vector<Bytes>& of_choice : *values) {
      chosen.push_back(of_choice[rest % of_choice.size()]);
      rest /= of_choice.size();
    }
    std::vector<Bytes> components;
    for (const KeyValues& of_column : partition_key) {
      std::optional<Bytes> bytes = KnownBytes(of_column.values[rest % of_column.values.size()], chosen);
      rest /= of_column.values.size();
      if (!bytes) return {std::min(*keys * combinations, count.total), count.total, true};
      components.push_back(std::move(*bytes));
    }
    const std::vector<ByteView> views(components.begin(), components.end());
    touched.insert(PartitionOf(table, views));
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
  count.touched = PartitionIndexAt(table, PositionOf(last)) - PartitionIndexAt(table, PositionOf(first)) + 1;
  return count;
}

PartitionCount CountPartitions(const TableSchema& table, const KeyRangeScan& scan) {
  PartitionCount count{.touched = 0, .total = table.partition_map.size(), .at_most = false};
  KeyBounds bounds;
  for (const KeyValues& values : scan.prefix) {
    const Bytes* bytes = ConstantBytes(values.values[0]);
    if (bytes == nullptr) {
      count.at_most = true;
      break;
    }
    bounds.prefix.push_back(*bytes);
  }
  const auto read = [&](const std::optional<ClusteringBound>& bound, std::optional<KeyBounds::Bound>& into) {
    if (!bound || bounds.prefix.size() != scan.prefix.size()) return;
    const Bytes* bytes = ConstantBytes(bound->values[0]);
    if (bytes == nullptr) {
      count.at_most = true;
    } else {
      into = KeyBounds::Bound{*bytes, bound->inclusive};
    }
  };
  read(scan.lower, bounds.lower);
  read(scan.upper, bounds.upper);
  count.touched = PartitionsOf(table, bounds).size();
  return count;
}

}  // namespace widerow
