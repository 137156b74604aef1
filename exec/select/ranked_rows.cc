#include "exec/select/ranked_rows.h"

#include <algorithm>

#include "base/check.h"
#include "base/limits.h"
#include "exec/bind/bind.h"
#include "exec/derived/bind_lookup.h"
#include "exec/derived/index_entries.h"
#include "exec/derived/word_statistics.h"
#include "planner/analyzed.h"

namespace widerow {
namespace {

// Returns the values of the whole partition key that the path names; none if it reads ranges of partitions.
const std::vector<KeyValues>& KeyOf(const SelectPlan& plan) {
  static const std::vector<KeyValues> none;
  if (const auto* const path = std::get_if<PointLookup>(&plan.access)) return path->partition_key;
  if (const auto* const path = std::get_if<PartitionSlice>(&plan.access)) return path->partition_key;
  if (const auto* const path = std::get_if<MultiPartition>(&plan.access)) return path->partition_key;
  if (const auto* const path = std::get_if<IndexScan>(&plan.access)) return path->partition_key;
  return none;
}

Result<std::vector<EntryBounds>> CollectionOf(const SelectPlan& plan, const EvaluationContext& context) {
  const TableSchema& table = *plan.table;
  std::vector<EntryBounds> collection;
  const std::vector<KeyValues>& key = KeyOf(plan);
  if (key.empty()) {
    collection.push_back(EntriesOfTokens(table, Slice::TokenRange{}));
    return collection;
  }
  WR_ASSIGN_OR_RETURN(const std::vector<Bytes> keys, BindPartitionKeys(table, key, context));
  for (const Bytes& each : keys) {
    ClusteringRange range = EntriesOfPartition(table, each);
    collection.push_back({.begin = std::move(range.begin), .end = std::move(range.end)});
  }
  return collection;
}

}  // namespace

Result<Relevance> BindRelevance(const SelectPlan& plan, const SelectRequest& request, bool may_be_stale,
                                ReadView& view) {
  const TableSchema& table = *plan.table;
  const RelevanceOrder& order = *plan.relevance;
  const IndexSchema* const index = table.FindIndex(order.index);
  WR_CHECK(index != nullptr);
  WR_RETURN_IF_ERROR(CheckBuilt(*index));
  const std::string& name = table.columns[order.column].name;
  if (IsUnset(order.query, request.context))
    return InvalidAt(order.query.range, "Unsupported unset value for column " + name);
  WR_ASSIGN_OR_RETURN(const Value query, Evaluate(order.query, request.context));
  if (!query) return InvalidAt(order.query.range, "Unsupported null value for column " + name);
  const AnalyzerPtr analyzer = WordsOf(*index, table.columns[order.column]);
  std::vector<Bytes> words = WordQuery::Parse(*query, *analyzer).DistinctWords();
  if (words.empty()) {
    return InvalidAt(order.query.range,
                     "BM25 query must contain at least one term (perhaps your analyzer is discarding tokens you didn't "
                     "expect)");
  }
  WordCount count{.base = table, .index = *index, .words = words};
  WR_ASSIGN_OR_RETURN(count.collection, CollectionOf(plan, request.context));
  count.now_seconds = request.now_seconds;
  count.may_be_stale = may_be_stale;
  count.meter = request.meter;
  WR_ASSIGN_OR_RETURN(const WordStatistics statistics, CountWords(view, count));
  return Relevance(analyzer, std::move(words), statistics);
}

Status RankedRows::Add(double score, size_t begin, RowsWriter& rows) {
  if (rows_.size() == limit_) {
    std::pop_heap(rows_.begin(), rows_.end(), Row::Before);
    bytes_ -= rows_.back().body.size();
    rows_.pop_back();
  }
  bytes_ += rows.bytes() - begin;
  rows_.push_back({.score = score, .number = arrived_++, .body = Bytes(rows.From(begin))});
  std::push_heap(rows_.begin(), rows_.end(), Row::Before);
  rows.RemoveFrom(begin);
  const size_t size = bytes_ + rows_.size() * sizeof(Row);
  if (size <= limits::kPageBytesMax) return rows.CheckWhole(size);
  return InvalidError("The rows to put in order exceed " + std::to_string(limits::kPageBytesMax) + " bytes",
                      "select fewer columns or lower LIMIT");
}

RowsPage RankedRows::Finish(const SelectRequest& request) && {
  std::sort_heap(rows_.begin(), rows_.end(), Row::Before);
  RowsPage page{.columns = request.columns};
  for (const Row& row : rows_) {
    page.body += row.body;
    ++page.row_count;
    if (request.index_rows) page.row_ends.push_back(static_cast<uint32_t>(page.body.size()));
  }
  return page;
}

}  // namespace widerow
