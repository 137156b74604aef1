#include "planner/select/order_by.h"

#include <algorithm>

#include "base/text.h"
#include "planner/generated/derive_key.h"

namespace widerow {
namespace {

// True if ORDER BY may leave the column out. Several values of a partition key column do not matter: partitions are
// merged.
bool MayBeLeftOut(const TableSchema& table, const GroupedWhere& where, uint32_t column) {
  const auto equal = [&](const KeyRestriction& key) {
    return key.kind == KeyRestriction::Kind::kEq && key.first <= column && column < key.end();
  };
  return FollowsFromOneValue(table, where, column) ||
         std::any_of(where.clustering.begin(), where.clustering.end(),
                     [&](const KeyRestriction& key) { return equal(key) && !TakesSeveralValues(key); }) ||
         std::any_of(where.partition.begin(), where.partition.end(), equal);
}

// True if the generated column ascends when `column` does. Then rows that are sorted by the generated column and then
// by `column` are also sorted by `column` alone.
bool FollowsOrderOf(uint32_t column, uint32_t generated_column, const TableSchema& table) {
  const GeneratedColumn* generated = table.generated == nullptr ? nullptr : table.generated->Of(generated_column);
  return generated != nullptr && generated->order.columns == std::vector<uint32_t>{column} &&
         generated->sources.size() == 1 &&
         table.columns[generated_column].descending == table.columns[column].descending;
}

std::string OrderText(const TableSchema& table, bool reversed, bool whole_key) {
  std::vector<std::string> columns;
  for (uint32_t i = 0; whole_key && i < table.partition_key_size; ++i) {
    columns.push_back(QuoteIdentifier(table.partition_key(i).name) + (reversed ? " DESC" : " ASC"));
  }
  for (uint32_t i = 0; i < table.clustering_size; ++i) {
    const ColumnSchema& column = table.clustering(i);
    columns.push_back(QuoteIdentifier(column.name) + (column.descending != reversed ? " DESC" : " ASC"));
  }
  return "ORDER BY " + JoinNames(columns);
}

std::string OrderHint(const TableSchema& table, bool whole_key) {
  if (whole_key) {
    return "the table can be read in the order of its key, " + OrderText(table, false, true) + ", or backwards, " +
           OrderText(table, true, true);
  }
  if (table.clustering_size == 0) return "the table has no clustering columns: a partition is one row";
  return "a partition can be read in its own order, " + OrderText(table, false, false) + ", or backwards, " +
         OrderText(table, true, false);
}

}  // namespace

Status FindOrderColumns(const std::vector<Ordering>& order_by, const Planning& planning) {
  for (const Ordering& order : order_by) {
    const Result<uint32_t> found = FindColumn(*planning.table, order.column);
    if (!found.ok()) return found.error();
  }
  return OkStatus();
}

Result<std::vector<std::pair<uint32_t, const Ordering*>>> ResolveOrdering(const std::vector<Ordering>& order_by,
                                                                          const Planning& planning) {
  const TableSchema& table = *planning.table;
  std::vector<std::pair<uint32_t, const Ordering*>> ordering;
  for (const Ordering& order : order_by) {
    WR_ASSIGN_OR_RETURN(const uint32_t column, FindColumn(table, order.column));
    if (!order.ann_of.empty() || !order.bm25_of.empty()) continue;
    const auto same = std::find_if(ordering.begin(), ordering.end(), [&](const auto& o) { return o.first == column; });
    if (same == ordering.end()) {
      ordering.emplace_back(column, &order);
    } else {
      same->second = &order;  // If several orderings name a column, the last of them counts.
    }
  }
  return ordering;
}

Result<bool> IsReversed(const std::vector<std::pair<uint32_t, const Ordering*>>& ordering, const TableSchema& table,
                        const GroupedWhere& where, const std::vector<KeyChoice>& choices, bool whole_key,
                        const HintMaker& with_index) {
  uint32_t next = whole_key ? 0 : table.partition_key_size;
  std::optional<bool> reversed;
  for (const auto& [column, order] : ordering) {
    const ColumnSchema& schema = table.columns[column];
    if (schema.kind != ColumnKind::kClustering && !(whole_key && schema.kind == ColumnKind::kPartitionKey)) {
      return InvalidAt(
          order->column.range,
          "Order by is currently only supported on the clustered columns of the PRIMARY KEY, got " + schema.name,
          with_index(OrderHint(table, whole_key)));
    }
    const auto several = [&](const KeyRestriction& key) {
      return key.first == column && TakesUnorderedValues(key, choices);
    };
    if (std::any_of(where.partition.begin(), where.partition.end(), several)) {
      return InvalidAt(
          order->column.range,
          "Order by is currently only supported on the clustered columns of the PRIMARY KEY, got " + schema.name,
          "the partitions are merged in the order of their clustering columns: leave " + schema.name + " out");
    }
    while (next < column && (MayBeLeftOut(table, where, next) || FollowsOrderOf(column, next, table))) ++next;
    if (next != column) {
      return InvalidAt(order->column.range,
                       "Order by currently only supports the ordering of columns following their declared order in the "
                       "PRIMARY KEY",
                       OrderHint(table, whole_key));
    }
    ++next;
    const bool against_stored = order->descending != schema.descending;
    if (reversed && *reversed != against_stored) {
      return InvalidAt(order->column.range, "Unsupported order by relation", OrderHint(table, whole_key));
    }
    reversed = against_stored;
  }
  return reversed.value_or(false);
}

}  // namespace widerow
