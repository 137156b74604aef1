#include "planner/select/index_order.h"

#include "base/text.h"
#include "planner/access/choose_access_path.h"
#include "planner/access/filtering_rules.h"
#include "planner/index_hint.h"

namespace widerow {

std::optional<IndexOrder> OrderByIndex(const SelectStatement& statement, const GroupedWhere& where,
                                       const SelectPlan& plan, const Planning& planning) {
  if (!planning.extended() || statement.order_by.size() != 1 || !plan.choices.empty()) return std::nullopt;
  const Ordering& order = statement.order_by[0];
  const Result<uint32_t> column = FindColumn(*planning.table, order.column);
  if (!column.ok() || !order.ann_of.empty() || !order.bm25_of.empty()) return std::nullopt;
  return IndexOrderOf(*planning.table, *column, order.descending, where);
}

std::string WithIndexHint(std::string hint, const SelectStatement& statement, const GroupedWhere& where,
                          const SelectPlan& plan, const Planning& planning) {
  TableSchema indexed = *planning.table;
  const Result<uint32_t> column = FindColumn(indexed, statement.order_by[0].column);
  if (!planning.extended() || statement.order_by.size() != 1 || !plan.choices.empty() || !column.ok()) return hint;
  if (indexed.clustering_size == 0 && WholePartitionKey(indexed, where)) return hint;  // The statement reads one row.
  const ColumnSchema& wanted = indexed.columns[*column];
  indexed.indexes.push_back({.name = "wanted", .column = wanted.id});
  if (!IndexOrderOf(indexed, *column, false, where)) return hint;
  return StrCat(hint, hint.empty() ? "" : "; ",
                IndexHint(indexed, *column, ProposedIndex::kPlain, " would serve this order"));
}

Status CheckIndexOrder(const SelectStatement& statement, const SelectPlan& plan, Planning& planning) {
  planning.UseExtension("ORDER BY on a column with an index");
  const char* const clause = plan.distinct                   ? "DISTINCT"
                             : plan.group_by                 ? "GROUP BY"
                             : plan.aggregated               ? "aggregates"
                             : statement.per_partition_limit ? "PER PARTITION LIMIT"
                                                             : nullptr;
  if (clause == nullptr) return OkStatus();
  return InvalidAt(statement.order_by[0].column.range,
                   StrCat("ORDER BY on a column with an index cannot be combined with ", clause),
                   StrCat("leave out ", plan.aggregated && !plan.group_by ? "ORDER BY" : clause));
}

}  // namespace widerow
