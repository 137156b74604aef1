#include "exec/bind/bind.h"

#include <algorithm>
#include <array>

#include "base/bytes_map.h"
#include "base/limits.h"
#include "base/overloaded.h"
#include "base/text.h"
#include "exec/bind/byte_ranges.h"
#include "planner/access/partition_key.h"
#include "types/compare.h"
#include "types/nullable_list.h"
#include "types/order_codec.h"
#include "types/token.h"
#include "types/value_bytes.h"

namespace widerow {

namespace {

Status ValidateNullableList(const Type& type, ByteView bytes) {
  Result<std::vector<ValueView>> elements = SplitNullableList(type, bytes);
  return elements.ok() ? OkStatus() : Status(std::move(elements).error());
}

Status CheckBound(const MarkerSpec& marker, const BoundValue& value) {
  if (value.kind != BoundValue::Kind::kValue) return OkStatus();
  const TypeKind kind = marker.type->kind;
  const size_t fixed = FixedSize(kind);
  // Every byte string of this size is a value of the type, so no further check is needed.
  if (fixed != 0 && value.bytes.size() == fixed && kind != TypeKind::kTimeuuid) return OkStatus();
  Status valid = ValidateValue(*marker.type, value.bytes);
  if (!valid.ok() && marker.nulls_in_list && valid.error().message == kNullElement) {
    valid = ValidateNullableList(*marker.type, value.bytes);
  }
  if (!valid.ok() && !marker.in_column.empty() && valid.error().message == kNullElement) {
    return InvalidError("Invalid null value in condition for column " + marker.in_column);
  }
  if (!valid.ok()) valid.error().hint = "value for " + marker.name + " must be a " + TypeText(*marker.type);
  return valid;
}

Error WrongCount(size_t markers, size_t given, SentAs sent_as) {
  const std::string counts = StrCat("here were ", markers, " markers(?) in CQL but ", given, " bound variables");
  switch (sent_as) {
    case SentAs::kPrepared: return InvalidError("t" + counts);
    case SentAs::kBatchPart: return InvalidError("T" + counts);
    case SentAs::kQuery: break;
  }
  return InvalidError("Invalid amount of bind variables", StrCat("expected ", markers, ", got ", given));
}

}  // namespace

Result<std::span<const BoundValue>> BindMarkers(const std::vector<MarkerSpec>& markers,
                                                const std::vector<BoundValue>& given,
                                                const std::vector<std::string>& names, SentAs sent_as,
                                                std::vector<BoundValue>& named) {
  if (names.empty()) {
    if (markers.size() != given.size()) return WrongCount(markers.size(), given.size(), sent_as);
    for (size_t i = 0; i < markers.size(); ++i) { WR_RETURN_IF_ERROR(CheckBound(markers[i], given[i])); }
    return std::span<const BoundValue>(given);
  }
  // A client may send 65,535 names, so they are put into a map. If two names are equal, the first value counts.
  ByteViewMap<const BoundValue*> by_name;
  for (size_t i = 0; i < names.size(); ++i) by_name.try_emplace(names[i], &given[i]);
  for (const MarkerSpec& marker : markers) {
    const auto found = by_name.find(marker.name);
    if (found == by_name.end()) {
      return InvalidError("Invalid unset value for bind variable " + marker.name,
                          "the statement needs a value named " + marker.name);
    }
    const BoundValue& value = *found->second;
    WR_RETURN_IF_ERROR(CheckBound(marker, value));
    named.push_back(value);
  }
  return std::span<const BoundValue>(named);
}

namespace {

Error UnsetValue(const Expression& expression, const ColumnSchema& column, ValueForm form) {
  const std::string begin = "Invalid unset value for ";
  if (form.kind == ValueForm::Kind::kColumn) return InvalidAt(expression.range, begin + "column " + column.name);
  const bool whole = std::holds_alternative<FieldExpression>(expression.node);
  return InvalidAt(expression.range, begin + (whole ? "tuple (" + column.name + ")"
                                                    : "tuple field number " + std::to_string(form.field)));
}

Error NullValue(const Expression& expression, const ColumnSchema& column, ValueForm form) {
  const std::string& name = column.name;
  switch (form.kind) {
    case ValueForm::Kind::kTupleEqual: return InvalidAt(expression.range, "Invalid null value for column " + name);
    case ValueForm::Kind::kTupleIn:
      return InvalidAt(expression.range, "Invalid null value in condition for columns: [" + name + "]");
    case ValueForm::Kind::kColumn:
    case ValueForm::Kind::kTupleBound: break;
  }
  return InvalidAt(expression.range, "Invalid null value in condition for column " + name);
}

}  // namespace

Result<ByteView> RequireValue(const Expression& expression, const ColumnSchema& column,
                              const EvaluationContext& context, Bytes& scratch, ValueForm form) {
  if (const Bytes* given = GivenBytes(expression, context); given != nullptr) return ByteView(*given);
  const auto* field = std::get_if<FieldExpression>(&expression.node);  // A field of a tuple, as in (c) = ?
  if (IsUnset(field != nullptr ? field->base[0] : expression, context)) return UnsetValue(expression, column, form);
  WR_ASSIGN_OR_RETURN(const ValueView value, EvaluateView(expression, context, scratch));
  if (!value) return NullValue(expression, column, form);
  return *value;
}

Result<std::vector<Value>> ListElements(const Expression& list, const EvaluationContext& context,
                                        const std::string& what) {
  if (IsUnset(list, context)) return InvalidAt(list.range, "Invalid unset value for column " + what);
  WR_ASSIGN_OR_RETURN(Value value, Evaluate(list, context));
  if (!value) return InvalidAt(list.range, "Invalid null value for column " + what);
  WR_ASSIGN_OR_RETURN(const std::vector<ValueView> elements, SplitNullableList(*list.type, *value));
  std::vector<Value> out;
  for (const ValueView& element : elements) { out.push_back(element ? Value(Bytes(*element)) : Value()); }
  return out;
}

Result<std::vector<Bytes>> BindKeyValues(const KeyValues& values, const ColumnSchema& column,
                                         const EvaluationContext& context) {
  std::vector<Bytes> out;
  if (values.list_valued) {
    WR_ASSIGN_OR_RETURN(auto elements, ListElements(values.values[0], context, column.name));
    for (Value& element : elements) {
      if (!element || ReadsAsNull(*column.type, *element))
        return InvalidError("Invalid null value in condition for column " + column.name);
      out.push_back(std::move(*element));
    }
  } else {
    out.reserve(values.values.size());
    for (const Expression& expression : values.values) {
      Bytes scratch;
      WR_ASSIGN_OR_RETURN(const ByteView value, RequireValue(expression, column, context, scratch, FormOf(values)));
      out.emplace_back(value);
    }
  }
  if (out.size() > 1) {
    const Type& type = *column.type;
    // 1.0 and 1.00 are equal in order, but different partition keys. So the bytes are compared as well, and equal bytes
    // become neighbors.
    std::sort(out.begin(), out.end(), [&](const Bytes& a, const Bytes& b) {
      const int order = Compare(type, a, b);
      return order != 0 ? order < 0 : a < b;
    });
    out.erase(std::unique(out.begin(), out.end()), out.end());
  }
  return out;
}

Error KeyTooLong(size_t bytes) {
  return InvalidError(StrCat("Key length of ", bytes, " is longer than maximum of ", limits::kKeyBytesMax));
}

namespace {

// Sets `key`, which is empty on entry, to the stored form of the components.
Status SerializeChecked(const TableSchema& table, std::span<const ByteView> components, Bytes& key) {
  size_t sum = 0;
  for (const ByteView component : components) sum += component.size();
  if (sum > limits::kKeyBytesMax) return KeyTooLong(sum);
  if (!table.partitioning.by_token()) [[unlikely]] {
    const size_t bytes = sum + 3 * (components.size() - 1);
    if (bytes > limits::kKeyBytesMax) return KeyTooLong(bytes);
    // A key of one empty value is not encoded here: RefuseEmptyKeys refuses it later.
    return components.size() == 1 && components[0].empty() ? OkStatus() : AppendStoredKey(table, components, key);
  }
  SerializePartitionKey(components, key);
  if (key.size() > limits::kKeyBytesMax) return KeyTooLong(key.size());
  return OkStatus();
}

// Binds a key in which every column has one value. `key` is empty on entry.
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
    WR_ASSIGN_OR_RETURN(components[i], RequireValue(values[i].values[0], table.partition_key(i), context, scratch[i]));
  }
  return SerializeChecked(table, components, key);
}

}  // namespace

Status CheckInProduct(size_t count, size_t bytes, const char* things) {
  if (count > limits::kInProductMax) {
    return InvalidError("IN lists select " + std::to_string(count) + " " + things,
                        "at most " + std::to_string(limits::kInProductMax) + " in one statement");
  }
  if (bytes <= limits::kInBytesMax) return OkStatus();
  return InvalidError("IN lists select keys of more than " + std::to_string(limits::kInBytesMax) + " bytes",
                      "divide the lists among several statements");
}

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
    if (column_values.empty()) return std::vector<Bytes>();  // As in Cassandra, later values are not checked.
    if (table.partition_key(i).descending) std::reverse(column_values.begin(), column_values.end());
    count *= column_values.size();
    WR_RETURN_IF_ERROR(CheckInProduct(count, 0, "partitions"));
    columns.push_back(std::move(column_values));
  }
  std::vector<Bytes> keys;
  keys.reserve(count);
  std::vector<ByteView> components(columns.size());
  size_t bytes = 0;
  for (size_t n = 0; n < count; ++n) {
    size_t rest = n;
    for (size_t i = columns.size(); i-- > 0;) {  // The last column changes fastest, which gives key order.
      components[i] = columns[i][rest % columns[i].size()];
      rest /= columns[i].size();
    }
    WR_RETURN_IF_ERROR(SerializeChecked(table, components, keys.emplace_back()));
    bytes += keys.back().size();
    WR_RETURN_IF_ERROR(CheckInProduct(count, bytes, "partitions"));
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
    WR_ASSIGN_OR_RETURN(const ByteView value, RequireValue(values.values[0], column, context, scratch, FormOf(values)));
    AppendComparable(*column.type, column.descending, value, clustering);
  }
  if (partition_key.empty()) return InvalidError("Key may not be empty");
  return OkStatus();
}

Bytes EncodeClustering(const TableSchema& table, std::span<const Bytes> values) {
  Bytes out;
  for (size_t i = 0; i < values.size(); ++i) {
    const ColumnSchema& column = table.clustering(i);
    AppendComparable(*column.type, column.descending, ByteView(values[i]), out);
  }
  return out;
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
