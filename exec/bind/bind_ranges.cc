#include "exec/bind/bind_ranges.h"

#include <algorithm>

#include "base/limits.h"
#include "exec/bind/bind.h"
#include "exec/bind/byte_ranges.h"
#include "types/compare.h"
#include "types/order_codec.h"
#include "types/token.h"
#include "types/value_bytes.h"

namespace widerow {
namespace {

// Returns "(c,d)", as Cassandra writes it.
std::string ColumnNames(const TableSchema& table, uint32_t first, uint32_t width) {
  std::string names;
  for (uint32_t i = 0; i < width; ++i) names += (i == 0 ? "(" : ",") + table.clustering(first + i).name;
  return names + ")";
}

// The use of a tuple of values. Cassandra's sentences about nulls depend on it.
enum class TupleUse { kEqual, kIn, kBound };

Error NullField(const TableSchema& table, uint32_t first, uint32_t width, uint32_t field, TupleUse use,
                SourceRange range) {
  const std::string& column = table.clustering(first + field).name;
  switch (use) {
    case TupleUse::kEqual: return InvalidAt(range, "Invalid null value for column " + column);
    case TupleUse::kBound: return InvalidAt(range, "Invalid null value in condition for column " + column);
    case TupleUse::kIn: break;
  }
  std::string names;
  for (uint32_t i = 0; i < width; ++i) names += (i == 0 ? "" : ", ") + table.clustering(first + i).name;
  return InvalidAt(range, "Invalid null value in condition for columns: [" + names + "]");
}

// Returns the fields of a tuple, none of which may be null.
Result<std::vector<Bytes>> FieldsOf(const TableSchema& table, uint32_t first, uint32_t width, const Type& type,
                                    ByteView tuple, TupleUse use, SourceRange range) {
  WR_ASSIGN_OR_RETURN(auto fields, SplitTuple(type, tuple));
  std::vector<Bytes> out;
  for (uint32_t i = 0; i < width; ++i) {
    if (i >= fields.size() || !fields[i]) return NullField(table, first, width, i, use, range);
    out.emplace_back(*fields[i]);
  }
  return out;
}

// Returns the values of one tuple, which are for `width` clustering columns from `first` on. The tuple comes from a
// list after IN, from `(a, b) = (…)`, or from a bound of several columns.
Result<std::vector<Bytes>> BindTuple(const TableSchema& table, uint32_t first, uint32_t width,
                                     const std::vector<Expression>& values, bool tuple_valued, TupleUse use,
                                     const EvaluationContext& context) {
  if (tuple_valued) {
    const Expression& tuple = values[0];
    if (IsUnset(tuple, context)) {
      return InvalidAt(tuple.range, "Invalid unset value for tuple " + ColumnNames(table, first, width));
    }
    WR_ASSIGN_OR_RETURN(Value value, Evaluate(tuple, context));
    if (!value) return InvalidAt(tuple.range, "Invalid null value for tuple");
    return FieldsOf(table, first, width, *tuple.type, *value, use, tuple.range);
  }
  std::vector<Bytes> out;
  for (uint32_t i = 0; i < values.size(); ++i) {
    if (IsUnset(values[i], context)) {
      return InvalidAt(values[i].range, "Invalid unset value for tuple field number " + std::to_string(i));
    }
    Bytes scratch;
    WR_ASSIGN_OR_RETURN(const ValueView value, EvaluateView(values[i], context, scratch));
    if (!value) return NullField(table, first, width, i, use, values[i].range);
    out.emplace_back(*value);
  }
  return out;
}

void AppendTuple(const TableSchema& table, uint32_t first, const std::vector<Bytes>& values, Bytes& out) {
  for (uint32_t i = 0; i < values.size(); ++i) {
    const ColumnSchema& column = table.clustering(first + i);
    AppendComparable(*column.type, column.descending, ByteView(values[i]), out);
  }
}

// Combines every prefix with every tuple.
Status ExtendPrefixes(const TableSchema& table, uint32_t first, const std::vector<std::vector<Bytes>>& tuples,
                      std::vector<Bytes>& prefixes) {
  WR_RETURN_IF_ERROR(CheckInProduct(prefixes.size() * tuples.size(), 0, "slices"));
  size_t bytes = 0;
  std::vector<Bytes> extended;
  extended.reserve(prefixes.size() * tuples.size());
  for (const Bytes& prefix : prefixes) {
    for (const auto& tuple : tuples) {
      extended.push_back(prefix);
      AppendTuple(table, first, tuple, extended.back());
      bytes += extended.back().size();
      WR_RETURN_IF_ERROR(CheckInProduct(1, bytes, "slices"));
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
    if (IsUnset(list, context)) {
      return InvalidAt(list.range, "Invalid unset value for in" + ColumnNames(table, in.first, in.width));
    }
    WR_ASSIGN_OR_RETURN(const Value whole, Evaluate(list, context));
    if (!whole) return InvalidAt(list.range, "Invalid null value for IN restriction");
    WR_ASSIGN_OR_RETURN(auto elements, ListElements(list, context, table.clustering(in.first).name));
    for (const Value& element : elements) {
      if (!element) return InvalidAt(list.range, "Invalid null value in condition for columns");
      WR_ASSIGN_OR_RETURN(tuples.emplace_back(), FieldsOf(table, in.first, in.width, *list.type->arguments[0], *element,
                                                          TupleUse::kIn, list.range));
    }
    return tuples;
  }
  const TupleUse use = in.tuples.size() == 1 ? TupleUse::kEqual : TupleUse::kIn;
  for (const auto& tuple : in.tuples) {
    const bool tuple_valued = tuple.size() == 1 && in.width > 1;
    WR_ASSIGN_OR_RETURN(auto values, BindTuple(table, in.first, in.width, tuple, tuple_valued, use, context));
    tuples.push_back(std::move(values));
  }
  return tuples;
}

}  // namespace

Result<std::vector<std::vector<Bytes>>> BindPrefixPart(const TableSchema& table, uint32_t first,
                                                       const ClusteringSelection::PrefixPart& part,
                                                       const EvaluationContext& context) {
  if (const auto* in = std::get_if<ClusteringTuplesIn>(&part)) return BindTuples(table, *in, context);
  WR_ASSIGN_OR_RETURN(auto values, BindKeyValues(std::get<KeyValues>(part), table.clustering(first), context));
  std::vector<std::vector<Bytes>> tuples;
  tuples.reserve(values.size());
  for (Bytes& value : values) tuples.push_back({std::move(value)});
  return tuples;
}

Result<std::vector<ClusteringRange>> BindClustering(const TableSchema& table, const ClusteringSelection& selection,
                                                    const EvaluationContext& context) {
  std::vector<Bytes> prefixes{Bytes()};
  uint32_t fixed = 0;
  for (const auto& part : selection.prefix) {
    const auto* single = std::get_if<KeyValues>(&part);
    if (single != nullptr && IsOneValue(*single)) {
      const ColumnSchema& column = table.clustering(fixed++);
      Bytes scratch;
      WR_ASSIGN_OR_RETURN(const ByteView value,
                          RequireValue(single->values[0], column, context, scratch, FormOf(*single)));
      for (Bytes& prefix : prefixes) AppendComparable(*column.type, column.descending, value, prefix);
      continue;
    }
    WR_ASSIGN_OR_RETURN(const auto tuples, BindPrefixPart(table, fixed, part, context));
    WR_RETURN_IF_ERROR(ExtendPrefixes(table, fixed, tuples, prefixes));
    if (prefixes.empty()) return std::vector<ClusteringRange>();  // As in Cassandra, later values are not checked.
    fixed += single != nullptr ? 1 : std::get<ClusteringTuplesIn>(part).width;
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
    out = BoundValues{.first = bound->first, .values = {}, .inclusive = bound->inclusive};
    if (bound->width > 1) {
      WR_ASSIGN_OR_RETURN(out->values, BindTuple(table, bound->first, bound->width, bound->values, bound->tuple_valued,
                                                 TupleUse::kBound, context));
      return OkStatus();
    }
    const ValueForm form{bound->of_tuple ? ValueForm::Kind::kTupleBound : ValueForm::Kind::kColumn};
    Bytes scratch;
    WR_ASSIGN_OR_RETURN(const ByteView value,
                        RequireValue(bound->values[0], table.clustering(bound->first), context, scratch, form));
    out->values.emplace_back(value);
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
    // As in Cassandra, INT64_MIN as an upper bound is the end of the ring.
    if (range.last == INT64_MIN)
      range.last = INT64_MAX;
    else if (!bounds.upper->inclusive)
      --range.last;
  }
  if (range.first > range.last) return std::optional<Slice::TokenRange>();
  return std::optional<Slice::TokenRange>(range);
}

}  // namespace widerow
