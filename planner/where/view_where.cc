// PlanViewWhere takes IS NOT NULL out of the conditions. It plans the other conditions like those of a SELECT on the
// base table (resolve.h, group.h), without extensions of CQL. Then it applies the rules for views: no markers, no
// token(), no impure functions, and conditions on key columns only.
#include "planner/where/view_where.h"

#include <algorithm>

#include "base/overloaded.h"
#include "base/text.h"
#include "parser/parse.h"
#include "parser/print.h"
#include "planner/function.h"
#include "planner/walk.h"
#include "planner/where/group.h"
#include "planner/where/resolve_relation.h"

namespace widerow {
namespace {

using Columns = std::vector<uint32_t>;

void Add(uint32_t column, Columns& columns) {
  if (std::find(columns.begin(), columns.end(), column) == columns.end()) columns.push_back(column);
}

void AddColumnsOf(const Restriction& restriction, Columns& columns) {
  std::visit(Overloaded{
                 [&](const ColumnRestriction& r) { Add(r.column, columns); },
                 [&](const TupleRestriction& r) {
                   for (uint32_t i = 0; i < r.width; ++i) Add(r.first + i, columns);
                 },
                 [&](const TokenRestriction&) {},
                 [&](const FilterRestriction& r) {
                   for (const uint32_t column : r.columns) Add(column, columns);
                 },
             },
             restriction);
}

const Relation* AsRelation(const Condition& condition) { return std::get_if<Relation>(&condition.node); }

bool IsToken(const Condition& condition) {
  const Relation* const relation = AsRelation(condition);
  return relation != nullptr && relation->target.kind == RelationTarget::Kind::kToken;
}

// If the condition is IS NOT NULL on a column, adds the column to `columns` and returns true. Returns false for other
// conditions. Refuses IS NOT NULL on anything but a column.
Result<bool> TakeNotNull(const Condition& condition, const TableSchema& base, Columns& columns) {
  const Relation* const relation = AsRelation(condition);
  if (relation == nullptr || relation->op != CompareOp::kIsNotNull) return false;
  if (relation->target.kind != RelationTarget::Kind::kColumn) {
    return InvalidAt(condition.range, "Unsupported restriction: " + Print(condition));
  }
  WR_ASSIGN_OR_RETURN(const uint32_t column, FindColumn(base, relation->target.columns[0]));
  Add(column, columns);
  return true;
}

Status RefuseOthers(const Columns& columns, const TableSchema& base, SourceRange range) {
  std::vector<std::string> names;
  for (const uint32_t column : columns) {
    if (!base.columns[column].is_key()) names.push_back(base.columns[column].name);
  }
  if (names.empty()) return OkStatus();
  return InvalidAt(range,
                   "Non-primary key columns can only be restricted with 'IS NOT NULL' (got: " + JoinNames(names, ",") +
                       " restricted illegally)",
                   "a view of all rows can be filtered when it is read");
}

// Refuses conditions that are no plain relations, because Cassandra's grammar does not have them.
Status RefuseExtensions(const Condition& condition, const std::string& view) {
  if (std::holds_alternative<IndexExpression>(condition.node)) {
    return InvalidAt(condition.range,
                     "WHERE clause for materialized view '" + view + "' cannot contain custom index expressions");
  }
  if (AsRelation(condition) != nullptr) return OkStatus();
  return InvalidAt(condition.range,
                   "WHERE clause for materialized view '" + view + "' cannot contain " + Print(condition),
                   "write column = value, column >= value, column IN (…) and IS NOT NULL, with AND between them");
}

// Refuses nulls. Cassandra accepts them, but such a view would never have a row.
Status RefuseNulls(const Predicate& condition, const TableSchema& base) {
  const auto* const comparison = std::get_if<Comparison>(&condition.node);
  if (comparison == nullptr) return OkStatus();
  const auto check = [&](const Expression& value, const Expression& left) -> Status {
    const auto* const column = std::get_if<ColumnExpression>(&left.node);
    if (column == nullptr || !IsNullConstant(value)) return OkStatus();
    return InvalidAt(value.range, "Invalid null value in condition for column " + base.columns[column->column].name);
  };
  const auto* const columns = std::get_if<CompositeExpression>(&comparison->left.node);
  for (const Expression& value : comparison->right) {
    WR_RETURN_IF_ERROR(check(value, comparison->left));
    const auto* const tuple = std::get_if<CompositeExpression>(&value.node);
    if (columns == nullptr || tuple == nullptr) continue;
    for (size_t i = 0; i < std::min(columns->parts.size(), tuple->parts.size()); ++i) {
      WR_RETURN_IF_ERROR(check(tuple->parts[i], columns->parts[i]));
    }
  }
  return OkStatus();
}

// Refuses impure functions: a condition is tested once, when a row is written, so its answer must not change.
Status RefuseImpureCalls(const Predicate& condition) {
  const auto* const comparison = std::get_if<Comparison>(&condition.node);
  if (comparison == nullptr) return OkStatus();
  const CallExpression* impure = nullptr;
  SourceRange range;
  for (const Expression& value : comparison->right) {
    VisitExpressions(value, [&](const Expression& part) {
      const auto* const call = std::get_if<CallExpression>(&part.node);
      if (call == nullptr || call->function->pure) return;
      impure = call;
      range = value.range;
    });
  }
  if (impure == nullptr) return OkStatus();
  return InvalidAt(range, "WHERE clause for a materialized view cannot contain " + impure->function->name + "()",
                   "it gives another value at every call, and which rows the view has must not change: write a value");
}

}  // namespace

Result<ViewWhere> PlanViewWhere(const std::string& view, const std::vector<Condition>& where, const TablePtr& base,
                                const SchemaSnapshot& schema) {
  const PlanContext context{.current_keyspace = base->keyspace, .language = {.dialect = Dialect::kCassandra5}};
  Planning planning{.schema = schema, .context = context, .table = base};
  ViewWhere planned;
  std::vector<Condition> conditions;
  for (const Condition& condition : where) {
    if (IsToken(condition))
      return InvalidAt(condition.range, "Cannot use token relation when defining a materialized view");
  }
  for (const Condition& condition : where) {
    WR_RETURN_IF_ERROR(RefuseExtensions(condition, view));
    WR_ASSIGN_OR_RETURN(const bool not_null, TakeNotNull(condition, *base, planned.restricted));
    if (!not_null) conditions.push_back(condition);
  }
  WR_ASSIGN_OR_RETURN(std::vector<Restriction> restrictions, ResolveWhere(conditions, AfterSlice::kAnything, planning));
  if (!planning.markers.empty()) {
    return InvalidAt(conditions.front().range, "Bind variables are not allowed in CREATE MATERIALIZED VIEW statements");
  }
  if (restrictions.empty()) return planned;
  Columns columns;
  for (const Restriction& restriction : restrictions) {
    AddColumnsOf(restriction, columns);
    planned.conditions.push_back(ToPredicate(restriction, *base));
    WR_RETURN_IF_ERROR(RefuseNulls(planned.conditions.back(), *base));
    WR_RETURN_IF_ERROR(RefuseImpureCalls(planned.conditions.back()));
  }
  WR_ASSIGN_OR_RETURN([[maybe_unused]] const GroupedWhere grouped,
                      GroupRestrictions(std::move(restrictions), *base, AfterSlice::kAnything));
  std::sort(columns.begin(), columns.end());
  WR_RETURN_IF_ERROR(RefuseOthers(columns, *base, conditions.front().range));
  for (const uint32_t column : columns) Add(column, planned.restricted);
  return planned;
}

Result<std::vector<Condition>> ParseViewWhere(const std::string& where_clause) {
  WR_ASSIGN_OR_RETURN(Statement statement, Parse("SELECT * FROM t WHERE " + where_clause));
  return std::move(std::get<SelectStatement>(statement.node).where);
}

std::string PrintViewWhere(const std::vector<Condition>& where) {
  std::string text;
  for (const Condition& condition : where) text += (text.empty() ? "" : " AND ") + Print(condition);
  return text;
}

Status RefuseWriteToView(const TableSchema& table, SourceRange range) {
  if (table.view == nullptr) return OkStatus();
  return InvalidAt(range, "Cannot directly modify a materialized view",
                   "write to " + QuoteIdentifier(table.view->base_table) + ": the view follows in the same step");
}

}  // namespace widerow
