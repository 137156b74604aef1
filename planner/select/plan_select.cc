// PlanSelect prepares the selectors. Then it plans WHERE in steps: it resolves the relations, groups the restrictions,
// derives generated key columns, and chooses the access path. DISTINCT, GROUP BY, JSON, aggregation, ORDER BY and
// limits follow, each in a function of its own. Aggregation comes after JSON, because it divides the final outputs into
// group values and the rest.
#include <algorithm>

#include "base/text.h"
#include "planner/access/choose_access_path.h"
#include "planner/access/partition_key.h"
#include "planner/evaluate/group_values.h"
#include "planner/generated/derive_key.h"
#include "planner/select/group_by.h"
#include "planner/select/index_order.h"
#include "planner/select/nearest.h"
#include "planner/select/order_by.h"
#include "planner/select/read_statics.h"
#include "planner/select/relevance.h"
#include "planner/statement/plan_statements.h"
#include "planner/system_keyspaces.h"
#include "planner/terms/prepare_attribute.h"
#include "planner/terms/prepare_selector.h"
#include "planner/terms/term_parts.h"
#include "planner/walk.h"
#include "types/json_document.h"

namespace widerow {
namespace {

constexpr const char* kNoKey = "Aggregation query used without partition key";
constexpr const char* kSeveralKeys = "Aggregation query used on multiple partition keys (IN restriction)";

Status RefuseUnsupported(const SelectStatement& statement) {
  const SourceRange range = statement.table.range;
  // ALLOW SORTING and the options of SELECT exist in other versions of CQL. Cassandra 5.0 has neither.
  if (statement.allow_sorting) {
    return InvalidAt(range, "ALLOW SORTING does not exist in CQL 3.4.7",
                     "a materialized view can have the column in its key and so in its order; any other order is the "
                     "client's to make");
  }
  if (!statement.options.empty()) return InvalidAt(range, "SELECT … WITH does not exist in CQL 3.4.7");
  return OkStatus();
}

Result<std::vector<OutputColumn>> PrepareOutput(const SelectStatement& statement, Planning& planning) {
  std::vector<OutputColumn> output;
  if (statement.selectors.empty()) {
    const TableSchema& table = *planning.table;
    for (uint32_t i = 0; i < table.columns.size(); ++i) {
      output.push_back({table.columns[i].name, {ColumnExpression{i}, table.columns[i].type, {}}});
    }
    return output;
  }
  for (const Selector& selector : statement.selectors) {
    WR_ASSIGN_OR_RETURN(output.emplace_back(), PrepareSelector(selector, planning));
  }
  return output;
}

// Returns the elements and slices of collections that the select clause names.
std::vector<Expression> PartsOf(const std::vector<OutputColumn>& output) {
  std::vector<Expression> parts;
  for (const OutputColumn& column : output) {
    VisitExpressions(column.expression, [&](const Expression& part) {
      const bool is_part =
          std::holds_alternative<ElementExpression>(part.node) || std::holds_alternative<SliceExpression>(part.node);
      if (is_part) parts.push_back(part);
    });
  }
  return parts;
}

// Returns the columns that the select clause reads, each once, in order of appearance.
std::vector<uint32_t> SelectedColumns(const std::vector<OutputColumn>& output, const TableSchema& table) {
  std::vector<uint32_t> columns;
  std::vector<bool> added(table.columns.size());
  const auto add = [&](uint32_t column) {
    if (!added[column]) columns.push_back(column);
    added[column] = true;
  };
  for (const OutputColumn& column : output) {
    VisitColumns(column.expression, add);
    if (std::holds_alternative<RowTokenExpression>(column.expression.node)) {
      for (uint32_t i = 0; i < table.partition_key_size; ++i) add(i);
    }
  }
  return columns;
}

void AddNamedColumns(const Term& term, const TableSchema& table, std::vector<uint32_t>& columns) {
  if (const auto* column = std::get_if<ColumnRef>(&term.node)) {
    const Result<uint32_t> index = FindColumn(table, column->name);
    if (index.ok()) columns.push_back(*index);
  }
  ForEachPart(term, [&](const Term& part) { AddNamedColumns(part, table, columns); });
}

// Returns the columns that the select clause names, for a clause that could not be prepared.
std::vector<uint32_t> NamedColumns(const SelectStatement& statement, const TableSchema& table) {
  std::vector<uint32_t> columns;
  for (const Selector& selector : statement.selectors) AddNamedColumns(selector.term, table, columns);
  return columns;
}

bool IsOfRow(const TableSchema& table, uint32_t column) {
  const ColumnKind kind = table.columns[column].kind;
  return kind == ColumnKind::kClustering || kind == ColumnKind::kRegular;
}

// Reports those unknown names and functions in selectors that Cassandra reports before errors in WHERE. In Cassandra,
// all errors of selectors come after those of WHERE, except in a table with static columns. There, Cassandra resolves
// names before WHERE: those of the selectors up to the first one with a static column. If a selector has a static
// column, Cassandra then does the same up to the first selector with a clustering or regular column.
Status ResolveNamesBeforeWhere(const SelectStatement& statement, Planning& planning) {
  const TableSchema& table = *planning.table;
  const auto is_static = [&](uint32_t column) { return table.columns[column].kind == ColumnKind::kStatic; };
  const auto is_of_row = [&](uint32_t column) { return IsOfRow(table, column); };
  const auto resolve_until = [&](const auto& wanted) -> Result<bool> {
    for (const Selector& selector : statement.selectors) {
      WR_RETURN_IF_ERROR(ResolveSelectorNames(selector.term, planning));
      std::vector<uint32_t> columns;
      AddNamedColumns(selector.term, table, columns);
      if (std::any_of(columns.begin(), columns.end(), wanted)) return true;
    }
    return false;
  };
  if (std::none_of(table.columns.begin(), table.columns.end(),
                   [](const ColumnSchema& column) { return column.kind == ColumnKind::kStatic; })) {
    return OkStatus();
  }
  WR_ASSIGN_OR_RETURN(const bool any_static, resolve_until(is_static));
  if (!any_static) return OkStatus();
  const Result<bool> any_of_row = resolve_until(is_of_row);
  return any_of_row.ok() ? OkStatus() : any_of_row.error();
}

// True if only static columns, or static columns and the partition key, are selected. Then clustering columns cannot be
// restricted.
bool OnlyStatics(const std::vector<uint32_t>& columns, const TableSchema& table) {
  bool any_static = false;
  for (const uint32_t column : columns) {
    const ColumnKind kind = table.columns[column].kind;
    if (kind == ColumnKind::kClustering || kind == ColumnKind::kRegular) return false;
    any_static = any_static || kind == ColumnKind::kStatic;
  }
  return any_static;
}

SourceRange SelectorRange(const SelectStatement& statement) {
  return statement.selectors.empty() ? statement.table.range : statement.selectors[0].term.range;
}

Error RowsRestricted(const SelectStatement& statement) {
  return InvalidAt(
      SelectorRange(statement),
      "SELECT DISTINCT with WHERE clause only supports restriction by partition key and/or static columns.");
}

Status CheckDistinctWhere(const SelectStatement& statement, const GroupedWhere& where, const TableSchema& table) {
  const auto of_row = [&](uint32_t column) { return IsOfRow(table, column); };
  const bool rows_restricted =
      !where.clustering.empty() ||
      std::any_of(where.regular.begin(), where.regular.end(), [&](const auto& key) { return of_row(key.first); }) ||
      std::any_of(where.filters.begin(), where.filters.end(), [&](const FilterRestriction& filter) {
        return std::any_of(filter.columns.begin(), filter.columns.end(), of_row);
      });
  return rows_restricted ? Status(RowsRestricted(statement)) : OkStatus();
}

// Refuses conditions on vectors that have an index. As in Cassandra, only ANN could use such an index.
Status RefuseIndexedVectors(const GroupedWhere& where, const TableSchema& table) {
  for (const KeyRestriction& restriction : where.regular) {
    const ColumnSchema& column = table.columns[restriction.first];
    if (column.type->kind != TypeKind::kVector) continue;
    const auto index = std::find_if(table.indexes.begin(), table.indexes.end(),
                                    [&](const IndexSchema& each) { return each.column == column.id; });
    if (index == table.indexes.end()) continue;
    return InvalidAt(restriction.range, "Vector indexes only support ANN queries",
                     "without the index " + index->name + ", ALLOW FILTERING compares the vectors");
  }
  return OkStatus();
}

Status CheckDistinct(const SelectStatement& statement, const std::vector<uint32_t>& columns, const GroupedWhere& where,
                     const ChosenAccess& access, const TableSchema& table) {
  const SourceRange range = SelectorRange(statement);
  if (statement.per_partition_limit) {
    return InvalidAt(statement.per_partition_limit->range,
                     "PER PARTITION LIMIT is not allowed with SELECT DISTINCT queries");
  }
  WR_RETURN_IF_ERROR(CheckDistinctWhere(statement, where, table));
  for (const uint32_t column : columns) {
    if (!IsOfRow(table, column)) continue;
    return InvalidAt(range,
                     "SELECT DISTINCT queries must only request partition key columns and/or static columns "
                     "(not " +
                         table.columns[column].name + ")");
  }
  if (!access.key_range) return OkStatus();
  for (uint32_t i = 0; i < table.partition_key_size; ++i) {
    if (std::find(columns.begin(), columns.end(), i) != columns.end()) continue;
    return InvalidAt(range, "SELECT DISTINCT queries must request all the partition key columns (missing " +
                                table.columns[i].name + ")");
  }
  return OkStatus();
}

// Finds the index for ANN OF. Refuses statements that would have to merge several partitions.
Result<IndexNearest> NearestBy(const SelectStatement& statement, const Nearest& nearest, const GroupedWhere& where,
                               const SelectPlan& plan) {
  WR_ASSIGN_OR_RETURN(IndexNearest index, FindNearestIndex(nearest, where, *plan.table));
  if (statement.distinct && IsOfRow(*plan.table, nearest.column)) return RowsRestricted(statement);
  if (plan.choices.empty()) return index;
  return InvalidAt(nearest.range, "ANN OF cannot be combined with conditions that select several partitions",
                   "send one statement a partition");
}

Status ApplyOrder(const SelectStatement& statement, const GroupedWhere& where, const ChosenAccess& access,
                  SelectPlan& plan, Planning& planning) {
  WR_ASSIGN_OR_RETURN(const auto ordering, ResolveOrdering(statement.order_by, planning));
  if (ordering.empty()) return OkStatus();  // No ORDER BY, or only ANN OF or BM25 OF.
  const auto* const indexed = std::get_if<IndexScan>(&access.path);
  if (indexed != nullptr && indexed->order) return CheckIndexOrder(statement, plan, planning);
  const auto with_index = [&](std::string hint) {
    return WithIndexHint(std::move(hint), statement, where, plan, planning);
  };
  if (access.uses_index) {
    return InvalidAt(statement.order_by[0].column.range,
                     "ORDER BY with 2ndary indexes is not supported, except for ANN queries.",
                     with_index("leave ORDER BY out and sort on the client"));
  }
  const bool by_key = std::holds_alternative<KeyRangeScan>(access.path);
  if (access.key_range && !by_key) {
    return InvalidAt(statement.order_by[0].column.range,
                     "ORDER BY is only supported when the partition key is restricted by an EQ or an IN.",
                     with_index(""));
  }
  const bool whole_key = !plan.table->partitioning.by_token() && !access.partition_in;
  WR_ASSIGN_OR_RETURN(plan.reversed, IsReversed(ordering, *plan.table, where, plan.choices, whole_key, with_index));
  plan.key_order = by_key;
  plan.merge_partitions = access.partition_in;
  if (plan.merge_partitions && plan.distinct) {
    return InvalidAt(statement.order_by[0].column.range,
                     "SELECT DISTINCT queries must only request partition key columns and/or static columns (not " +
                         plan.table->columns[ordering[0].first].name + ")");
  }
  if (plan.merge_partitions) plan.order_columns = ordering.back().first + 1 - plan.table->partition_key_size;
  return OkStatus();
}

// True if the scan has bounds of tokens or of key columns, or a filter on a column of the partition key.
bool RestrictsPartitionKey(const ChosenAccess& access, const TableSchema& table) {
  const auto* scan = std::get_if<TokenScan>(&access.path);
  const auto* filtered = std::get_if<FilteredScan>(&access.path);
  const auto* keys = std::get_if<KeyRangeScan>(&access.path);
  const auto* indexed = std::get_if<IndexScan>(&access.path);
  if (keys != nullptr && (!keys->prefix.empty() || keys->lower || keys->upper)) return true;
  const TokenBounds* const bounds = scan       ? &scan->bounds
                                    : filtered ? &filtered->bounds
                                    : keys     ? &keys->tokens
                                    : indexed  ? &indexed->tokens
                                               : nullptr;
  if (bounds != nullptr && (bounds->lower || bounds->upper)) return true;
  return std::any_of(access.filter.begin(), access.filter.end(), [&](const Predicate& predicate) {
    const auto* comparison = std::get_if<Comparison>(&predicate.node);
    const auto* column = comparison ? std::get_if<ColumnExpression>(&comparison->left.node) : nullptr;
    return column != nullptr && table.columns[column->column].kind == ColumnKind::kPartitionKey;
  });
}

Status ApplyAggregation(const SelectStatement& statement, const GroupedWhere& where, const ChosenAccess& access,
                        SelectPlan& plan, Planning& planning) {
  plan.aggregated =
      plan.group_by || std::any_of(plan.output.begin(), plan.output.end(),
                                   [](const OutputColumn& column) { return HoldsAggregate(column.expression); });
  if (!plan.aggregated) return OkStatus();
  if (statement.per_partition_limit && !plan.group_by) {
    return InvalidAt(statement.per_partition_limit->range,
                     "PER PARTITION LIMIT is not allowed with aggregate queries.");
  }
  if (access.key_range && !RestrictsPartitionKey(access, *plan.table)) planning.warnings.emplace_back(kNoKey);
  // Cassandra warns also if IN is on a part of the key.
  const bool in = std::any_of(where.partition.begin(), where.partition.end(),
                              [](const KeyRestriction& key) { return key.kind == KeyRestriction::Kind::kIn; });
  if (in || access.partition_in) planning.warnings.emplace_back(kSeveralKeys);
  if (plan.group_by && plan.group_by->across_partitions && statement.per_partition_limit) {
    return InvalidAt(statement.per_partition_limit->range,
                     "PER PARTITION LIMIT is not allowed where groups are of the rows of several partitions",
                     "GROUP BY the partition key, too");
  }
  const bool several = std::any_of(where.partition.begin(), where.partition.end(), TakesSeveralValues);
  if (plan.group_by && !plan.group_by->across_partitions && several) {
    const bool unordered = std::any_of(where.partition.begin(), where.partition.end(), [&](const KeyRestriction& key) {
      return TakesUnorderedValues(key, plan.choices);
    });
    if (unordered && !statement.order_by.empty()) {
      return InvalidAt(statement.order_by[0].column.range,
                       "ORDER BY is not supported where each group belongs to one of several partitions",
                       "the groups come partition by partition: leave ORDER BY out and sort on the client");
    }
    for (KeyChoice& choice : plan.choices) choice.in_sequence = true;
  }
  GatherGroupValues(plan.output, plan.group_values);
  return OkStatus();
}

// For SELECT JSON: replaces the selected columns by one column of JSON objects.
void TurnIntoJson(SelectPlan& plan) {
  JsonObjectExpression object;
  for (OutputColumn& column : plan.output) {
    object.names.push_back(JsonNameOf(column.name));
    object.values.push_back(std::move(column.expression));
  }
  plan.output.clear();
  plan.output.push_back({"[json]", {std::move(object), ScalarType(TypeKind::kText), {}}});
}

// Warns if a KeyRangeScan reads all rows although the statement restricts them.
void WarnOfWholeReads(const SelectStatement& statement, const ChosenAccess& access, const TableSchema& table,
                      Planning& planning) {
  const auto* scan = std::get_if<KeyRangeScan>(&access.path);
  if (scan == nullptr || !scan->prefix.empty() || scan->lower || scan->upper) return;
  const std::string name = table.keyspace + "." + table.name;
  if (scan->tokens.lower || scan->tokens.upper) {
    planning.warnings.push_back("token() reads all rows of " + name + ", which is partitioned by " +
                                PartitionKindName(table.partitioning.kind) +
                                ", and leaves out those with other tokens");
  } else if (!access.filter.empty() && !statement.allow_filtering) {
    planning.warnings.push_back("all rows of " + name + " are read: the first column of its key, " +
                                table.partition_key(0).name + ", is not restricted");
  }
}

}  // namespace

Result<SelectPlan> PlanSelect(const SelectStatement& statement, Planning& planning) {
  WR_ASSIGN_OR_RETURN(planning.table, FindTable(statement.table, planning));
  WR_RETURN_IF_ERROR(RefuseUnsupported(statement));
  const TableSchema& table = *planning.table;
  SelectPlan plan;
  plan.table = planning.table;
  plan.distinct = statement.distinct;
  // Virtual tables are small: Cassandra filters them without ALLOW FILTERING.
  plan.allow_filtering = statement.allow_filtering || IsVirtualKeyspace(table.keyspace);
  // As in Cassandra, an error in WHERE comes before one in the selectors.
  Result<std::vector<OutputColumn>> output = PrepareOutput(statement, planning);
  if (!output.ok()) WR_RETURN_IF_ERROR(ResolveNamesBeforeWhere(statement, planning));
  const std::vector<uint32_t> columns = output.ok() ? SelectedColumns(*output, table) : NamedColumns(statement, table);

  WR_RETURN_IF_ERROR(FindOrderColumns(statement.order_by, planning));
  WR_ASSIGN_OR_RETURN(const std::optional<Nearest> nearest, PrepareNearest(statement.order_by, planning));
  const AfterSlice after = plan.allow_filtering ? AfterSlice::kAnything : AfterSlice::kIndexed;
  WR_ASSIGN_OR_RETURN(plan.relevance, OrderByRelevance(statement.order_by, planning));
  WR_ASSIGN_OR_RETURN(std::vector<Restriction> restrictions, ResolveWhere(statement.where, after, planning));
  if (plan.relevance) WR_RETURN_IF_ERROR(AddWordsOfOrder(statement.order_by[0], after, planning, restrictions));
  WR_ASSIGN_OR_RETURN(GroupedWhere where, GroupRestrictions(std::move(restrictions), table, after));
  if (nearest) WR_RETURN_IF_ERROR(CheckOrderings(statement.order_by, *nearest, where, table));
  WR_RETURN_IF_ERROR(RefuseIndexedVectors(where, table));
  WR_ASSIGN_OR_RETURN(DerivedKey derived, DeriveForSelect(table, !statement.order_by.empty(), where));
  plan.choices = std::move(derived.choices);
  plan.derived = std::move(derived.columns);
  AccessRequest request{.allow_filtering = plan.allow_filtering,
                        .has_choices = !plan.choices.empty(),
                        .only_statics_selected = !statement.selectors.empty() && OnlyStatics(columns, table),
                        .order = OrderByIndex(statement, where, plan, planning),
                        .extended = planning.extended()};
  if (nearest) { WR_ASSIGN_OR_RETURN(request.nearest, NearestBy(statement, *nearest, where, plan)); }
  request.ordered = !statement.order_by.empty() && !request.order && !request.nearest && !plan.relevance;
  WR_ASSIGN_OR_RETURN(ChosenAccess access, ChooseAccessPath(table, where, request));
  if (access.index_extension && planning.extensions.empty()) planning.UseExtension("IN on a column with an index");
  WR_ASSIGN_OR_RETURN(plan.output, std::move(output));
  plan.selected_parts = PartsOf(plan.output);
  if (statement.distinct) WR_RETURN_IF_ERROR(CheckDistinct(statement, columns, where, access, table));
  WarnOfWholeReads(statement, access, table, planning);
  WR_ASSIGN_OR_RETURN(plan.group_by,
                      ResolveGroupBy(statement.group_by, where, plan.choices, statement.distinct, planning));
  if (statement.json) TurnIntoJson(plan);
  plan.needs_statics = NeedsStatics(plan, access.filter);
  WR_RETURN_IF_ERROR(ApplyAggregation(statement, where, access, plan, planning));
  WR_RETURN_IF_ERROR(ApplyOrder(statement, where, access, plan, planning));
  if (access.needs_filtering) return *std::move(access.needs_filtering);
  WR_ASSIGN_OR_RETURN(plan.per_partition_limit,
                      PrepareLimit(statement.per_partition_limit, "[per_partition_limit]", planning));
  WR_ASSIGN_OR_RETURN(plan.limit, PrepareLimit(statement.limit, "[limit]", planning));

  if (access.refusal) return *std::move(access.refusal);

  plan.access = std::move(access.path);
  plan.filter = std::move(access.filter);
  plan.checked = std::move(access.checked);
  plan.also_bound = std::move(access.also_bound);
  plan.unread_lookups = std::move(access.unread_lookups);
  plan.statics_beside_rows = ReadsStaticsBesideRows(plan);
  return plan;
}

}  // namespace widerow
