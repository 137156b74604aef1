#include "exec/bind.h"

#include <algorithm>
#include <array>

#include "base/limits.h"
#include "base/overloaded.h"
#include "exec/byte_ranges.h"
#include "planner/partition_key.h"
#include "types/compare.h"
#include "types/order_codec.h"
#include "types/token.h"
#include "types/value_bytes.h"

namespace widerow {

namespace {

Status CheckBound(const MarkerSpec& marker, const BoundValue& value) {
  if (value.kind != BoundValue::Kind::kValue) return OkStatus();
  const TypeKind kind = marker.type->kind;
  const size_t fixed = FixedSize(kind);
  if (fixed != 0 && value.bytes.size() == fixed && kind != TypeKind::kTimeuuid) return OkStatus();  // All bytes are values.
  Status valid = ValidateValue(*marker.type, value.bytes);
  if (!valid.ok() && !marker.in_column.empty() && valid.error().message == kNullElement) {
    return InvalidError("Invalid null value in condition for column " + marker.in_column);
  }
  if (!valid.ok()) valid.error().hint = "value for " + marker.name + " must be a " + TypeText(*marker.type);
  return valid;
}

Error WrongCount(size_t markers, size_t given, SentAs sent_as) {
  const std::string counts =
      "here were " + std::to_string(markers) + " markers(?) in CQL but " + std::to_string(given) + " bound variables";
  switch (sent_as) {
    case SentAs::kPrepared: return InvalidError("t" + counts);
    case SentAs::kBatchPart: return InvalidError("T" + counts);
    case SentAs::kQuery: break;
  }
  return InvalidError("Invalid amount of bind variables",
                      "expected " + std::to_string(markers) + ", got " + std::to_string(given));
}

// A key value: present, or Cassandra's refusal. Borrows as EvaluateView does.
Result<ByteView> RequireValue(const Expression& expression, const ColumnSchema& column, const EvaluationContext& context,
                              Bytes& scratch) {
  if (const Bytes* given = GivenBytes(expression, context); given != nullptr) return ByteView(*given);
  if (IsUnset(expression, context)) return InvalidAt(expression.range, "Invalid unset value for column " + column.name);
  WR_ASSIGN_OR_RETURN(const ValueView value, EvaluateView(expression, context, scratch));
  if (!value) return InvalidAt(expression.range, "Invalid null value in condition for column " + column.name);
  return *value;
}

// column = value: the usual restriction.
bool IsOneValue(const KeyValues& values) { return values.values.size() == 1 && !values.list_valued; }

// The elements of an IN given as one list value.
Result<std::vector<Value>> ListElements(const Expression& list, const EvaluationContext& context,
                                        const std::string& what) {
  if (IsUnset(list, context)) return InvalidAt(list.range, "Invalid unset value for column " + what);
  WR_ASSIGN_OR_RETURN(Value value, Evaluate(list, context));
  if (!value) return InvalidAt(list.range, "Invalid null value for column " + what);
  WR_ASSIGN_OR_RETURN(auto elements, SplitCollection(*list.type, *value));
  std::vector<Value> out;
  for (const ValueView& element : elements) {
    out.push_back(element ? Value(Bytes(*element)) : Value());
  }
  return out;
}

}  // namespace

Result<std::span<const BoundValue>> BindMarkers(const std::vector<MarkerSpec>& markers,
                                                const std::vector<BoundValue>& given,
                                                const std::vector<std::string>& names, SentAs sent_as,
                                                std::vector<BoundValue>& named) {
  if (names.empty()) {
    if (markers.size() != given.size()) return WrongCount(markers.size(), given.size(), sent_as);
    for (size_t i = 0; i < markers.size(); ++i) {
      WR_RETURN_IF_ERROR(CheckBound(markers[i], given[i]));
    }
    return std::span<const BoundValue>(given);
  }
  for (const MarkerSpec& marker : markers) {
    const auto name = std::find(names.begin(), names.end(), marker.name);
    if (name == names.end()) {
      return InvalidError("Invalid unset value for bind variable " + marker.name,
                          "the statement needs a value named " + marker.name);
    }
    const BoundValue& value = given[static_cast<size_t>(name - names.begin())];
    WR_RETURN_IF_ERROR(CheckBound(marker, value));
    named.push_back(value);
  }
  return std::span<const BoundValue>(named);
}

Result<std::vector<Bytes>> BindKeyValues(const KeyValues& values, const ColumnSchema& column,
                                         const EvaluationContext& context) {
  std::vector<Bytes> out;
  if (values.list_valued) {
    WR_ASSIGN_OR_RETURN(auto elements, ListElements(values.values[0], context, column.name));
    for (Value& element : elements) {
      if (!element) return InvalidError("Invalid null value in condition for column " + column.name);
      out.push_back(std::move(*element));
    }
  } else {
    out.reserve(values.values.size());
    for (const Expression& expression : values.values) {
      Bytes scratch;
      WR_ASSIGN_OR_RETURN(const ByteView value, RequireValue(expression, column, context, scratch));
      out.emplace_back(value);
    }
  }
  if (out.size() > 1) {
    const Type& type = *column.type;
    std::sort(out.begin(), out.end(), [&](const Bytes& a, const Bytes& b) { return Compare(type, a, b) < 0; });
    // Bytes, not order, tell partition keys apart: 1.0 and 1.00 are two.
    out.erase(std::unique(out.begin(), out.end()), out.end());
  }
  return out;
}

namespace {

Error KeyTooLong(size_t bytes) {
  return InvalidError("Key length of " + std::to_string(bytes) + " is longer than maximum of " +
                      std::to_string(limits::kKeyBytesMax));
}

// Fills `key`, which is empty.
Status SerializeChecked(const TableSchema& table, std::span<const ByteView> components, Bytes& key) {
  for (const ByteView component : components) {
    if (component.size() > limits::kKeyBytesMax) return KeyTooLong(component.size());
  }
  if (!table.partitioning.by_token()) [[unlikely]] {
    size_t bytes = 0;
    for (const ByteView component : components) bytes += component.size() + 3;
    if (bytes > limits::kKeyBytesMax + 3) return KeyTooLong(bytes - 3);
    // A key of one empty value is refused by RefuseEmptyKeys.
    return components.size() == 1 && components[0].empty() ? OkStatus() : AppendStoredKey(table, components, key);
  }
  SerializePartitionKey(components, key);
  if (key.size() > limits::kKeyBytesMax) return KeyTooLong(key.size());
  return OkStatus();
}

// All columns = one value each. Fills `key`, which is empty.
Status BindOnePartitionKey(const TableSchema& table, const std::vector<KeyValues>& values,
                           const EvaluationContext& context, Bytes& key) {
  constexpr size_t kUsualColumns = 4;
  if (values.size() <= kUsualColumns) {
    std::array<ByteView, kUsualColumns> components;
    size_t given = 0;
    for (; given < values.size(); ++given) {
      const Bytes* bytes = GivenBytes(values[given].values[0], context);
      if (bytes == nullptr) break;
      components[given] = *bytes;
    }
    if (given == values.size()) return SerializeChecked(table, std::span(components).first(given), key);
  }
  std::vector<Bytes> scratch(values.size());
  std::vector<ByteView> components(values.size());
  for (size_t i = 0; i < values.size(); ++i) {
    WR_ASSIGN_OR_RETURN(components[i],
                        RequireValue(values[i].values[0], table.partition_key(i), context, scratch[i]));
  }
  return SerializeChecked(table, components, key);
}

}  // namespace

Result<std::vector<Bytes>> BindPartitionKeys(const TableSchema& table, const std::vector<KeyValues>& values,
                                             const EvaluationContext& context) {
  if (std::all_of(values.begin(), values.end(), IsOneValue)) {
    std::vector<Bytes> keys(1);
    WR_RETURN_IF_ERROR(BindOnePartitionKey(table, values, context, keys[0]));
    return keys;
  }
  std::vector<std::vector<Bytes>> columns;
  columns.reserve(values.size());
  size_t count = 1;
  for (size_t i = 0; i < values.size(); ++i) {
    WR_ASSIGN_OR_RETURN(auto column_values, BindKeyValues(values[i], table.partition_key(i), context));
    count *= column_values.size();
    if (count > limits::kFanOutMax) {
      return InvalidError("IN lists on the partition key select " + std::to_string(count) + " partitions",
                          "at most " + std::to_string(limits::kFanOutMax) + " in one statement");
    }
    columns.push_back(std::move(column_values));
  }
  std::vector<Bytes> keys;
  keys.reserve(count);
  std::vector<ByteView> components(columns.size());
  for (size_t n = 0; n < count; ++n) {
    size_t rest = n;
    for (size_t i = columns.size(); i-- > 0;) {  // The last column varies fastest: key order.
      components[i] = columns[i][rest % columns[i].size()];
      rest /= columns[i].size();
    }
    WR_RETURN_IF_ERROR(SerializeChecked(table, components, keys.emplace_back()));
  }
  return keys;
}

Status RefuseEmptyKeys(const std::vector<Bytes>& keys) {
  const bool any = std::any_of(keys.begin(), keys.end(), [](const Bytes& key) { return key.empty(); });
  return any ? Status(InvalidError("Key may not be empty")) : OkStatus();
}

Status BindRowKey(const TableSchema& table, const std::vector<KeyValues>& partition_values,
                  const ClusteringSelection& clustering_values, const EvaluationContext& context, Bytes& partition_key,
                  Bytes& clustering) {
  WR_RETURN_IF_ERROR(BindOnePartitionKey(table, partition_values, context, partition_key));
  Bytes scratch;
  for (uint32_t i = 0; i < clustering_values.prefix.size(); ++i) {
    const ColumnSchema& column = table.clustering(i);
    const auto& values = std::get<KeyValues>(clustering_values.prefix[i]);
    WR_ASSIGN_OR_RETURN(const ByteView value, RequireValue(values.values[0], column, context, scratch));
    AppendComparable(*column.type, column.descending, value, clustering);
  }
  if (partition_key.empty()) return InvalidError("Key may not be empty");
  return OkStatus();
}

Bytes EncodeClustering(const TableSchema& table, const std::vector<Bytes>& values) {
  Bytes out;
  for (size_t i = 0; i < values.size(); ++i) {
    const ColumnSchema& column = table.clustering(i);
    AppendComparable(*column.type, column.descending, ByteView(values[i]), out);
  }
  return out;
}

namespace {

// "(c,d)", as Cassandra writes it.
std::string ColumnNames(const TableSchema& table, uint32_t first, uint32_t width) {
  std::string names;
  for (uint32_t i = 0; i < width; ++i) names += (i == 0 ? "(" : ",") + table.clustering(first + i).name;
  return names + ")";
}

// One tuple of (a, b) IN (…) or of a multi-column bound, as values of `width` clustering columns from `first`.
Result<std::vector<Bytes>> BindTuple(const TableSchema& table, uint32_t first, uint32_t width,
                                     const std::vector<Expression>& values, bool tuple_valued,
                                     const EvaluationContext& context) {
  std::vector<Bytes> out;
  if (tuple_valued) {
    const Expression& tuple = values[0];
    if (IsUnset(tuple, context)) {
      return InvalidAt(tuple.range, "Invalid unset value for tuple " + ColumnNames(table, first, width));
    }
    WR_ASSIGN_OR_RETURN(Value value, Evaluate(tuple, context));
    if (!value) return InvalidAt(tuple.range, "Invalid null value for tuple");
    WR_ASSIGN_OR_RETURN(auto fields, SplitTuple(*tuple.type, *value));
    for (uint32_t i = 0; i < width; ++i) {
      if (i >= fields.size() || !fields[i]) {
        return InvalidAt(tuple.range, "Invalid null value in condition for column " + table.clustering(first + i).name);
      }
      out.emplace_back(*fields[i]);
    }
    return out;
  }
  for (uint32_t i = 0; i < values.size(); ++i) {
    Bytes scratch;
    WR_ASSIGN_OR_RETURN(const ByteView value, RequireValue(values[i], table.clustering(first + i), context, scratch));
    out.emplace_back(value);
  }
  return out;
}

void AppendTuple(const TableSchema& table, uint32_t first, const std::vector<Bytes>& values, Bytes& out) {
  for (uint32_t i = 0; i < values.size(); ++i) {
    const ColumnSchema& column = table.clustering(first + i);
    AppendComparable(*column.type, column.descending, ByteView(values[i]), out);
  }
}

// Extends every prefix by every tuple.
Status ExtendPrefixes(const TableSchema& table, uint32_t first, const std::vector<std::vector<Bytes>>& tuples,
                      std::vector<Bytes>& prefixes) {
  if (prefixes.size() * tuples.size() > limits::kFanOutMax) {
    return InvalidError("IN lists on the clustering select " + std::to_string(prefixes.size() * tuples.size()) + " slices",
                        "at most " + std::to_string(limits::kFanOutMax) + " in one statement");
  }
  std::vector<Bytes> extended;
  extended.reserve(prefixes.size() * tuples.size());
  for (const Bytes& prefix : prefixes) {
    for (const auto& tuple : tuples) {
      extended.push_back(prefix);
      AppendTuple(table, first, tuple, extended.back());
    }
  }
  prefixes = std::move(extended);
  return OkStatus();
}

Result<std::vector<std::vector<Bytes>>> BindTuples(const TableSchema& table, const ClusteringTuplesIn& in,
                                                   const EvaluationContext& context) {
  std::vector<std::vector<Bytes>> tuples;
  if (in.list_valued) {
    const Expression& list = in.tuples[0][0];
    if (!IsUnset(list, context)) {
      WR_ASSIGN_OR_RETURN(const Value whole, Evaluate(list, context));
      if (!whole) return InvalidAt(list.range, "Invalid null value for IN restriction");
    }
    WR_ASSIGN_OR_RETURN(auto elements, ListElements(list, context, table.clustering(in.first).name));
    for (const Value& element : elements) {
      if (!element) return InvalidAt(list.range, "Invalid null value in condition for columns");
      WR_ASSIGN_OR_RETURN(auto fields, SplitTuple(*list.type->arguments[0], *element));
      std::vector<Bytes> tuple;
      for (uint32_t i = 0; i < in.width; ++i) {
        if (i >= fields.size() || !fields[i]) {
          return InvalidAt(list.range,
                           "Invalid null value in condition for column " + table.clustering(in.first + i).name);
        }
        tuple.emplace_back(*fields[i]);
      }
      tuples.push_back(std::move(tuple));
    }
    return tuples;
  }
  for (const auto& tuple : in.tuples) {
    const bool tuple_valued = tuple.size() == 1 && in.width > 1;
    WR_ASSIGN_OR_RETURN(auto values, BindTuple(table, in.first, in.width, tuple, tuple_valued, context));
    tuples.push_back(std::move(values));
  }
  return tuples;
}

}  // namespace

Result<std::vector<ClusteringRange>> BindClustering(const TableSchema& table, const ClusteringSelection& selection,
                                                    const EvaluationContext& context) {
  std::vector<Bytes> prefixes{Bytes()};
  uint32_t fixed = 0;
  for (const auto& part : selection.prefix) {
    const auto* single = std::get_if<KeyValues>(&part);
    if (single != nullptr && IsOneValue(*single)) {
      const ColumnSchema& column = table.clustering(fixed++);
      Bytes scratch;
      WR_ASSIGN_OR_RETURN(const ByteView value, RequireValue(single->values[0], column, context, scratch));
      for (Bytes& prefix : prefixes) AppendComparable(*column.type, column.descending, value, prefix);
      continue;
    }
    std::vector<std::vector<Bytes>> tuples;
    if (single != nullptr) {
      WR_ASSIGN_OR_RETURN(auto values, BindKeyValues(*single, table.clustering(fixed), context));
      for (Bytes& value : values) tuples.push_back({std::move(value)});
      WR_RETURN_IF_ERROR(ExtendPrefixes(table, fixed, tuples, prefixes));
      fixed += 1;
    } else {
      const auto& in = std::get<ClusteringTuplesIn>(part);
      WR_ASSIGN_OR_RETURN(tuples, BindTuples(table, in, context));
      WR_RETURN_IF_ERROR(ExtendPrefixes(table, fixed, tuples, prefixes));
      fixed += in.width;
    }
  }
  if (prefixes.size() > 1) {
    std::sort(prefixes.begin(), prefixes.end());
    prefixes.erase(std::unique(prefixes.begin(), prefixes.end()), prefixes.end());
  }

  std::vector<ClusteringRange> ranges;
  if (fixed == table.clustering_size) {
    for (Bytes& prefix : prefixes) ranges.push_back({.begin = std::move(prefix), .end = std::nullopt, .exact = true});
    return ranges;
  }
  std::optional<BoundValues> lower, upper;
  const auto bind = [&](const std::optional<ClusteringBound>& bound, std::optional<BoundValues>& out) -> Status {
    if (!bound) return OkStatus();
    WR_ASSIGN_OR_RETURN(auto values,
                        BindTuple(table, bound->first, bound->width, bound->values, bound->tuple_valued, context));
    out = BoundValues{.first = bound->first, .values = std::move(values), .inclusive = bound->inclusive};
    return OkStatus();
  };
  WR_RETURN_IF_ERROR(bind(selection.lower, lower));
  WR_RETURN_IF_ERROR(bind(selection.upper, upper));
  for (const Bytes& prefix : prefixes) AppendSliceRanges(table, prefix, lower, upper, ranges);
  return ranges;
}

Result<std::vector<StoredKeyRange>> BindKeyRange(const TableSchema& table, const KeyRangeScan& scan, bool merged,
                                                 const EvaluationContext& context) {
  KeyBounds bounds;
  const auto value_of = [&](const Expression& expression, size_t column) -> Result<Bytes> {
    Bytes scratch;
    WR_ASSIGN_OR_RETURN(const ByteView value, RequireValue(expression, table.partition_key(column), context, scratch));
    return Bytes(value);
  };
  for (const KeyValues& values : scan.prefix) {
    WR_ASSIGN_OR_RETURN(Bytes value, value_of(values.values[0], bounds.prefix.size()));
    bounds.prefix.push_back(std::move(value));
  }
  const auto bind = [&](const std::optional<ClusteringBound>& bound, std::optional<KeyBounds::Bound>& into) -> Status {
    if (!bound) return OkStatus();
    WR_ASSIGN_OR_RETURN(Bytes value, value_of(bound->values[0], scan.prefix.size()));
    into = KeyBounds::Bound{std::move(value), bound->inclusive};
    return OkStatus();
  };
  WR_RETURN_IF_ERROR(bind(scan.lower, bounds.lower));
  WR_RETURN_IF_ERROR(bind(scan.upper, bounds.upper));
  return RangesOf(table, bounds, merged);
}

Result<std::optional<Slice::TokenRange>> BindTokens(const TokenBounds& bounds, const EvaluationContext& context) {
  Slice::TokenRange range;
  const auto token = [&](const TokenBound& bound) -> Result<int64_t> {
    if (IsUnset(bound.value, context)) return InvalidAt(bound.value.range, "Invalid unset value for token");
    WR_ASSIGN_OR_RETURN(Value value, Evaluate(bound.value, context));
    if (!value || value->size() != 8) return InvalidAt(bound.value.range, "Invalid null token value");
    return DecodeInteger(*value);
  };
  if (bounds.lower) {
    WR_ASSIGN_OR_RETURN(range.first, token(*bounds.lower));
    if (!bounds.lower->inclusive) {
      if (range.first == INT64_MAX) return std::optional<Slice::TokenRange>();
      ++range.first;
    }
  }
  if (bounds.upper) {
    WR_ASSIGN_OR_RETURN(range.last, token(*bounds.upper));
    // As Cassandra: INT64_MIN as an upper bound is the ring's end.
    if (range.last == INT64_MIN) range.last = INT64_MAX;
    else if (!bounds.upper->inclusive) --range.last;
  }
  if (range.first > range.last) return std::optional<Slice::TokenRange>();
  return std::optional<Slice::TokenRange>(range);
}

Result<std::optional<uint32_t>> BindLimit(const std::optional<Expression>& limit, const EvaluationContext& context) {
  if (!limit || IsUnset(*limit, context)) return std::optional<uint32_t>();
  WR_ASSIGN_OR_RETURN(Value value, Evaluate(*limit, context));
  if (!value) return InvalidAt(limit->range, "Invalid null value of limit");
  if (value->size() != 4) return InvalidAt(limit->range, "Invalid empty value of limit");
  const int64_t rows = DecodeInteger(*value);
  if (rows <= 0) return InvalidAt(limit->range, "LIMIT must be strictly positive");
  return std::optional<uint32_t>(static_cast<uint32_t>(rows));
}

}  // namespace widerow
