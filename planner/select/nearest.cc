#include "planner/select/nearest.h"

#include <algorithm>
#include <set>

#include "planner/access/choose_access_path.h"
#include "planner/access/filtering_rules.h"
#include "planner/index_hint.h"
#include "planner/terms/prepare_term.h"
#include "types/similarity.h"

namespace widerow {
namespace {

bool HasIndex(const TableSchema& table, uint32_t column) {
  return std::ranges::any_of(table.indexes,
                             [&](const IndexSchema& index) { return index.column == table.columns[column].id; });
}

// Returns the columns outside of the partition key that WHERE restricts.
std::set<uint32_t> RestrictedColumns(const GroupedWhere& where, const TableSchema& table) {
  std::set<uint32_t> columns;
  for (const auto* keys : {&where.clustering, &where.regular}) {
    for (const KeyRestriction& key : *keys) {
      for (uint32_t column = key.first; column < key.end(); ++column) columns.insert(column);
    }
  }
  for (const FilterRestriction& filter : where.filters) columns.insert(filter.columns.begin(), filter.columns.end());
  std::erase_if(columns, [&](uint32_t column) { return column < table.partition_key_size; });
  return columns;
}

// True if all restricted columns have indexes, or if the restrictions without an index choose a slice of one partition.
bool ServedByIndexes(const GroupedWhere& where, const TableSchema& table) {
  const bool whole = WholePartitionKey(table, where);
  if (!where.partition.empty() && !whole) return false;
  size_t used = 0;
  (void)SelectionOf(where.clustering, table, used);
  const bool chooses_piece = whole && used == where.clustering.size();
  return std::ranges::all_of(RestrictedColumns(where, table), [&](uint32_t column) {
    if (HasIndex(table, column)) return true;
    const bool filtered = std::ranges::any_of(where.filters, [&](const FilterRestriction& filter) {
      return std::ranges::find(filter.columns, column) != filter.columns.end();
    });
    return table.columns[column].kind == ColumnKind::kClustering && chooses_piece && !filtered;
  });
}

}  // namespace

Result<std::optional<Nearest>> PrepareNearest(const std::vector<Ordering>& order_by, Planning& planning) {
  std::optional<Nearest> nearest;
  for (const Ordering& order : order_by) {
    if (order.ann_of.empty()) continue;
    WR_ASSIGN_OR_RETURN(const uint32_t column, FindColumn(*planning.table, order.column));
    WR_ASSIGN_OR_RETURN(Expression vector,
                        PrepareTerm(order.ann_of[0], ReceiverOf(planning.table->columns[column]), planning));
    if (vector.type->kind == TypeKind::kCounter && IsNullConstant(vector)) {
      return InvalidAt(order.column.range, "Invalid null value for counter increment/decrement");
    }
    nearest = Nearest{.column = column, .vector = std::move(vector), .range = order.column.range};
  }
  return nearest;
}

Status CheckOrderings(const std::vector<Ordering>& order_by, const Nearest& nearest, const GroupedWhere& where,
                      const TableSchema& table) {
  const auto is_nearest = [](const Ordering& order) { return !order.ann_of.empty(); };
  if (std::ranges::count_if(order_by, is_nearest) > 1)
    return InvalidAt(nearest.range, "Cannot specify more than one ANN ordering");
  if (order_by.size() > 1) return InvalidAt(nearest.range, "ANN ordering does not support any other ordering");
  if (order_by[0].descending) return InvalidAt(nearest.range, "Descending ANN ordering is not supported");
  for (const KeyRestriction& key : where.regular) {
    if (key.first != nearest.column) continue;
    return InvalidAt(key.range, table.columns[nearest.column].name +
                                    " cannot be restricted by more than one relation if it includes an Equal");
  }
  return OkStatus();
}

Result<IndexNearest> FindNearestIndex(const Nearest& nearest, const GroupedWhere& where, const TableSchema& table) {
  const ColumnSchema& column = table.columns[nearest.column];
  if (column.type->kind != TypeKind::kVector || column.type->arguments[0]->kind != TypeKind::kFloat)
    return InvalidAt(nearest.range, "ANN ordering is only supported on float vector indexes");
  const std::string hint = IndexHint(table, nearest.column, ProposedIndex::kStorageAttached, " makes such an index");
  if (!HasIndex(table, nearest.column))
    return InvalidAt(nearest.range, "ANN ordering by vector requires the column to be indexed", hint);
  if (!ServedByIndexes(where, table)) {
    return InvalidAt(nearest.range, "ANN ordering by vector requires all restricted column(s) to be indexed",
                     "CREATE INDEX … USING 'sai' on each restricted column outside of the partition key");
  }
  for (const IndexSchema& index : table.indexes) {
    if (index.column == column.id && IsVectorIndex(index, column))
      return IndexNearest{.index = index.name, .column = nearest.column, .vector = nearest.vector};
  }
  return InvalidAt(nearest.range, kNeedsFiltering, hint);
}

}  // namespace widerow
