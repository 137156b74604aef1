#include "advise/statement_load.h"

#include <algorithm>
#include <type_traits>

#include "base/overloaded.h"
#include "planner/analyzed.h"
#include "planner/function.h"
#include "planner/walk.h"

namespace widerow::advise {

namespace {

void AddOnce(std::vector<uint32_t>& list, uint32_t column) {
  if (std::ranges::find(list, column) == list.end()) list.push_back(column);
}

void AddClustering(const TableSchema& table, const ClusteringSelection& selection, std::vector<uint32_t>& out) {
  const auto add = [&](uint32_t first, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) AddOnce(out, table.partition_key_size + first + i);
  };
  uint32_t at = 0;
  for (const auto& part : selection.prefix) {
    const auto* tuples = std::get_if<ClusteringTuplesIn>(&part);
    const uint32_t width = tuples == nullptr ? 1 : tuples->width;
    add(at, width);
    at += width;
  }
  for (const auto* bound : {&selection.lower, &selection.upper}) {
    if (*bound) add((*bound)->first, (*bound)->width);
  }
}

uint64_t NamedPartitions(const std::vector<KeyValues>& key, StatementLoad& load) {
  uint64_t named = 1;
  for (uint32_t i = 0; i < key.size(); ++i) {
    if (!key[i].is_in) continue;
    load.partition_in.push_back(i);
    // IN ? may have any number of values; the text does not tell how many.
    load.names_list = load.names_list || key[i].list_valued;
    if (!key[i].list_valued) named *= std::max<size_t>(key[i].values.size(), 1);
  }
  return named;
}

void ReadAccess(const SelectPlan& plan, StatementLoad& load) {
  const TableSchema& table = *plan.table;
  std::visit(
      [&](const auto& path) {
        using T = std::decay_t<decltype(path)>;
        if constexpr (requires {
                        path.partition_key;
                        path.clustering;
                      }) {
          load.partitions_named = NamedPartitions(path.partition_key, load);
          AddClustering(table, path.clustering, load.clustering_used);
          load.access = std::is_same_v<T, PointLookup> ? Access::kRow : Access::kSlice;
          if (!load.partition_in.empty()) load.access = Access::kPartitions;
        } else if constexpr (std::is_same_v<T, IndexScan>) {
          load.access = Access::kIndex;
          load.of_one_partition = !path.partition_key.empty();
          VisitLookups(path, [&](const IndexLookup& lookup) { load.indexes.push_back(lookup.index); });
        } else if constexpr (requires { path.bounds; }) {
          load.access = path.bounds.lower || path.bounds.upper ? Access::kTokenRange : Access::kScan;
        } else {
          load.access = Access::kPartitions;
        }
      },
      plan.access);
}

// Adds the indexes that serve ORDER BY, and the columns with a LIKE pattern for which a whole index is examined.
void ReadIndexes(const SelectPlan& plan, StatementLoad& load) {
  const TableSchema& table = *plan.table;
  if (plan.relevance) load.order_indexes.push_back(plan.relevance->index);
  const auto* const scan = std::get_if<IndexScan>(&plan.access);
  if (scan == nullptr) return;
  if (scan->order) load.order_indexes.push_back(scan->order->index);
  if (scan->nearest) load.order_indexes.push_back(scan->nearest->index);
  VisitLookups(*scan, [&](const IndexLookup& lookup) {
    if (lookup.kind != IndexLookup::Kind::kLike) return;
    const auto* const pattern = std::get_if<ConstantExpression>(&lookup.values[0].node);
    const IndexSchema& index = *table.FindIndex(lookup.index);
    const ColumnSchema& column = *table.FindId(index.column);
    if (pattern == nullptr || !pattern->value || !pattern->value->starts_with('%') || WordsOf(index, column)) return;
    AddOnce(load.examined_texts, static_cast<uint32_t>(&column - table.columns.data()));
  });
}

StatementLoad OfSelect(const SelectPlan& plan) {
  StatementLoad load;
  load.kind = StatementLoad::Kind::kRead;
  ReadAccess(plan, load);
  ReadIndexes(plan, load);
  // In an index read, the filter also has the conditions that the index serves, because each row is checked again.
  load.filtered = load.access == Access::kIndex ? plan.filter.size() > load.indexes.size() : !plan.filter.empty();
  load.filters_by_equality = std::ranges::all_of(plan.filter, [](const Predicate& predicate) {
    const auto* comparison = std::get_if<Comparison>(&predicate.node);
    return comparison != nullptr && comparison->op == CompareOp::kEq;
  });
  load.reversed = plan.reversed;
  load.limited = plan.limit.has_value() || plan.per_partition_limit.has_value();
  load.ordered = plan.order_columns > 0 || plan.reversed || plan.merge_partitions || !load.order_indexes.empty();
  load.counts = plan.aggregated;
  const uint32_t key_columns = plan.table->partition_key_size + plan.table->clustering_size;
  for (const Predicate& predicate : plan.filter) {
    VisitColumns(predicate, [&](uint32_t column) {
      AddOnce(load.filter_columns, column);
      if (column < key_columns) AddOnce(load.clustering_used, column);
    });
  }
  for (const OutputColumn& output : plan.output) {
    VisitColumns(output.expression, [&](uint32_t column) { AddOnce(load.columns_read, column); });
  }
  for (const uint32_t column : load.filter_columns) AddOnce(load.columns_read, column);
  return load;
}

bool IsRandom(const Expression& expression) {
  const auto* call = std::get_if<CallExpression>(&expression.node);
  return call != nullptr && call->function->name.ends_with("random");
}

StatementLoad OfModify(const ModifyPlan& plan) {
  using Kind = StatementLoad::Kind;
  StatementLoad load;
  load.kind = plan.kind == ModifyPlan::Kind::kInsert   ? Kind::kInsert
              : plan.kind == ModifyPlan::Kind::kUpdate ? Kind::kUpdate
                                                       : Kind::kDelete;
  load.sets_ttl = plan.ttl.has_value();
  AddClustering(*plan.table, plan.clustering, load.clustering_used);
  for (const CellOperation& operation : plan.operations) AddOnce(load.columns_written, operation.column);
  for (uint32_t i = 0; i < plan.partition_key.size(); ++i) {
    if (std::ranges::any_of(plan.partition_key[i].values, IsRandom)) load.random_columns.push_back(i);
  }
  return load;
}

}  // namespace

std::vector<LoadOfTable> LoadsOf(const Plan& plan, const std::string& text) {
  std::vector<LoadOfTable> loads;
  const auto add = [&](const TablePtr& table, StatementLoad load) {
    load.text = text;
    loads.push_back({table, std::move(load)});
  };
  if (const auto* select = std::get_if<SelectPlan>(&plan.node)) add(select->table, OfSelect(*select));
  if (const auto* modify = std::get_if<ModifyPlan>(&plan.node)) add(modify->table, OfModify(*modify));
  if (const auto* batch = std::get_if<BatchPlan>(&plan.node)) {
    for (const ModifyPlan& part : batch->statements) add(part.table, OfModify(part));
  }
  return loads;
}

}  // namespace widerow::advise
