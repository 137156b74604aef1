#include "exec/bind/named_rows.h"

#include <algorithm>

#include "base/limits.h"
#include "exec/bind/bind.h"
#include "exec/bind/bind_ranges.h"
#include "types/order_codec.h"

namespace widerow {
namespace {

using Clustering = absl::InlinedVector<Bytes, 2>;  // One value per clustering column, for the columns known so far.
using Clusterings = absl::InlinedVector<Clustering, 1>;

Status Extend(const std::vector<std::vector<Bytes>>& tuples, Clusterings& rows) {
  WR_RETURN_IF_ERROR(CheckInProduct(rows.size() * tuples.size(), 0, "rows"));
  if (tuples.size() == 1) {
    for (Clustering& row : rows) row.insert(row.end(), tuples[0].begin(), tuples[0].end());
    return OkStatus();
  }
  Clusterings extended;
  extended.reserve(rows.size() * tuples.size());
  size_t bytes = 0;
  for (const Clustering& row : rows) {
    for (const auto& tuple : tuples) {
      extended.push_back(row);
      extended.back().insert(extended.back().end(), tuple.begin(), tuple.end());
      for (const Bytes& value : extended.back()) bytes += value.size();
      WR_RETURN_IF_ERROR(CheckInProduct(1, bytes, "rows"));
    }
  }
  rows = std::move(extended);
  return OkStatus();
}

Status Encode(const TableSchema& table, Clustering& values, NamedRow& row) {
  row.encoded = EncodeClustering(table, values);
  size_t bytes = 0;
  for (uint32_t i = 0; i < values.size(); ++i) {
    bytes += values[i].size();
    if (!KeepsBytes(*table.clustering(i).type)) row.kept.emplace_back(i, std::move(values[i]));
  }
  if (bytes > limits::kKeyBytesMax) return KeyTooLong(bytes);
  return OkStatus();
}

}  // namespace

Status BindNamedRows(const TableSchema& table, const ClusteringSelection& selection, const EvaluationContext& context,
                     NamedRows& named) {
  Clusterings rows(1);
  rows.back().reserve(table.clustering_size);
  uint32_t column = 0;
  for (const auto& part : selection.prefix) {
    if (const auto* single = std::get_if<KeyValues>(&part);
        single != nullptr && IsOneValue(*single)) {  // The usual case.
      Bytes scratch;
      WR_ASSIGN_OR_RETURN(const ByteView value,
                          RequireValue(single->values[0], table.clustering(column), context, scratch, FormOf(*single)));
      for (Clustering& row : rows) row.emplace_back(value);
      ++column;
      continue;
    }
    WR_ASSIGN_OR_RETURN(const auto tuples, BindPrefixPart(table, column, part, context));
    const auto* in = std::get_if<ClusteringTuplesIn>(&part);
    column += in != nullptr ? in->width : 1;
    WR_RETURN_IF_ERROR(Extend(tuples, rows));
    if (rows.empty()) return OkStatus();  // As in Cassandra, later values are not checked.
  }
  named.reserve(rows.size());
  for (Clustering& row : rows) WR_RETURN_IF_ERROR(Encode(table, row, named.emplace_back()));
  if (named.size() == 1) return OkStatus();
  const auto by_key = [](const NamedRow& a, const NamedRow& b) { return a.encoded < b.encoded; };
  const auto same_key = [](const NamedRow& a, const NamedRow& b) { return a.encoded == b.encoded; };
  std::stable_sort(named.begin(), named.end(), by_key);
  named.erase(std::unique(named.begin(), named.end(), same_key), named.end());
  return OkStatus();
}

}  // namespace widerow
