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

// Returns one tuple of (a, b) IN (…) or of a multi-column bound, as values of `width` clustering columns at `first`.
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

// Combines every prefix with every tuple.
Status ExtendPrefixes(const TableSchema& table, uint32_t first, const std::vector<std::vector<Bytes>>& tuples,
                      std::vector<Bytes>& prefixes) {
  if (prefixes.size() * tuples.size() > limits::kFanOutMax) {
    return InvalidError(
        "IN lists on the clustering select " + std::to_string(prefixes.size() * tuples.size()) + " slices",
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
      WR_ASSIGN_OR_RETURN(const ByteView value, RequireValue(single->values[0], column, context, scratch));
      for (Bytes& prefix : prefixes) AppendComparable(*column.type, column.descending, value, prefix);
      continue;
    }
    WR_ASSIGN_OR_RETURN(const auto tuples, BindPrefixPart(table, fixed, part, context));
    WR_RETURN_IF_ERROR(ExtendPrefixes(table, fixed, tuples, prefixes));
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
