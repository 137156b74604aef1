#include "planner/select/relevance.h"

#include <algorithm>

#include "base/text.h"
#include "planner/analyzed.h"
#include "planner/index_hint.h"
#include "planner/terms/prepare_term.h"

namespace widerow {
Result<std::optional<RelevanceOrder>> OrderByRelevance(const std::vector<Ordering>& order_by, Planning& planning) {
  const auto order = std::ranges::find_if(order_by, [](const Ordering& each) { return !each.bm25_of.empty(); });
  if (order == order_by.end()) return std::optional<RelevanceOrder>();
  planning.UseExtension("ORDER BY … BM25 OF");
  const SourceRange range = order->column.range;
  if (order_by.size() > 1) return InvalidAt(range, "BM25 ordering does not support any other ordering");
  if (order->descending) {
    return InvalidAt(range, "Descending BM25 ordering is not supported",
                     "the most relevant rows come first without DESC");
  }
  const TableSchema& table = *planning.table;
  WR_ASSIGN_OR_RETURN(const uint32_t column, FindColumn(table, order->column));
  const std::string name = QuoteIdentifier(table.columns[column].name);
  const IndexSchema* const index = IndexOfWords(table, column);
  if (index == nullptr) {
    return InvalidAt(range, StrCat("BM25 ordering on column ", name, " requires an analyzed index"),
                     IndexHint(table, column, ProposedIndex::kWords, ""));
  }
  if (!HasTextLengths(*index)) {
    return InvalidAt(range, StrCat("The index ", index->name, " has no statistics, because an older version made it"),
                     "DROP INDEX and CREATE INDEX build it anew");
  }
  WR_ASSIGN_OR_RETURN(Expression query, PrepareTerm(order->bm25_of[0], ReceiverOf(table.columns[column]), planning));
  return std::optional(RelevanceOrder{.index = index->name, .column = column, .query = std::move(query)});
}

Status AddWordsOfOrder(const Ordering& order, AfterSlice after, Planning& planning,
                       std::vector<Restriction>& restrictions) {
  const SourceRange range = order.column.range;
  Relation words{.op = CompareOp::kMatches, .values = order.bm25_of, .op_range = range};
  words.target.columns = {order.column};
  words.target.range = range;
  // The added restriction has the operator ':', but the user need not have written it. So the statement gets no warning
  // about it.
  std::vector<std::string> extensions = planning.extensions;
  WR_ASSIGN_OR_RETURN(std::vector<Restriction> added, ResolveWhere({{std::move(words), range}}, after, planning));
  planning.extensions = std::move(extensions);
  for (Restriction& restriction : added) restrictions.push_back(std::move(restriction));
  return OkStatus();
}

}  // namespace widerow
