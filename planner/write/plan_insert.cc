#include <unordered_set>

#include "planner/evaluate/json_object.h"
#include "planner/statement/plan_statements.h"
#include "planner/terms/prepare_attribute.h"
#include "planner/terms/prepare_term.h"
#include "planner/where/view_where.h"
#include "planner/write/cell_operation.h"
#include "planner/write/modified_rows.h"
#include "planner/write/row_condition.h"

namespace widerow {
namespace {

Status CheckColumns(const InsertStatement& statement, const TableSchema& table) {
  for (const ColumnSchema& column : table.columns) {
    if (column.type->kind != TypeKind::kCounter) continue;
    return InvalidAt(statement.table.range, "INSERT statements are not allowed on counter tables, use UPDATE instead");
  }
  if (statement.columns.size() != statement.values.size()) {
    return InvalidAt(
        statement.columns.empty() ? statement.table.range : statement.columns[0].range, "Unmatched column names/values",
        std::to_string(statement.columns.size()) + " columns, " + std::to_string(statement.values.size()) + " values");
  }
  std::unordered_set<std::string_view> seen;
  for (const Identifier& name : statement.columns) {
    if (!seen.insert(name.text).second) return InvalidAt(name.range, "The column names contains duplicates");
  }
  return OkStatus();
}

// A value that the INSERT gives for a column.
struct Given {
  uint32_t column = 0;
  Expression value;
  SourceRange range;
};

// Returns the values of INSERT … VALUES. As in Cassandra, errors in the values of key columns come last.
Result<std::vector<Given>> GivenValues(const InsertStatement& statement, Planning& planning) {
  std::vector<Given> given(statement.columns.size());
  for (size_t i = 0; i < given.size(); ++i) {
    WR_ASSIGN_OR_RETURN(given[i].column, FindColumn(*planning.table, statement.columns[i]));
    given[i].range = statement.values[i].range;
    const ColumnSchema& column = planning.table->columns[given[i].column];
    if (column.is_key()) continue;
    WR_ASSIGN_OR_RETURN(given[i].value, PrepareAssigned(statement.values[i], column, planning));
  }
  for (size_t i = 0; i < given.size(); ++i) {
    const ColumnSchema& column = planning.table->columns[given[i].column];
    if (!column.is_key()) continue;
    WR_ASSIGN_OR_RETURN(given[i].value, PrepareTerm(statement.values[i], ReceiverOf(column), planning));
  }
  return given;
}

// Returns the values of INSERT JSON. A column that the object does not name gets null. With DEFAULT UNSET, it gets no
// value.
Result<std::vector<Given>> GivenByJson(const InsertStatement& statement, Planning& planning) {
  const Term& json = *statement.json;
  const TableSchema& table = *planning.table;
  std::vector<Given> given;
  if (const auto* marker = std::get_if<BindMarker>(&json.node)) {
    MakeMarker(*marker, json.range, {"[json]", ScalarType(TypeKind::kText)}, planning);
    for (uint32_t i = 0; i < table.columns.size(); ++i) {
      if (table.columns[i].is_generated()) continue;
      JsonMemberExpression member{marker->index, planning.table, i, statement.json_default_unset};
      given.push_back({i, {std::move(member), table.columns[i].type, json.range}, json.range});
    }
    return given;
  }
  Result<JsonMembers> members = ReadJsonObject(std::get<Literal>(json.node).text, table);
  if (!members.ok()) {
    Error error = std::move(members).error();
    error.range = json.range;
    return error;
  }
  for (uint32_t i = 0; i < table.columns.size(); ++i) {
    const ColumnSchema& column = table.columns[i];
    std::optional<Value>& member = (*members)[i];
    if (!member && (column.is_generated() || (statement.json_default_unset && !column.is_key()))) {
      // With IF NOT EXISTS, a static column that the object does not name gets an unset value. The statement then has a
      // static column, and so the condition also tests the static row.
      if (!statement.if_not_exists || column.kind != ColumnKind::kStatic) continue;
      given.push_back(
          {i, {JsonMemberExpression{kNoJsonObject, planning.table, i, true}, column.type, json.range}, json.range});
      continue;
    }
    // The constant has no range, because the value is inside the JSON text and is not a term of the statement.
    given.push_back({i, {ConstantExpression{member.value_or(Value())}, column.type, {}}, json.range});
  }
  return given;
}

}  // namespace

Result<ModifyPlan> PlanInsert(const InsertStatement& statement, SourceRange range, Planning& planning) {
  WR_ASSIGN_OR_RETURN(planning.table, FindTable(statement.table, planning));
  WR_RETURN_IF_ERROR(RefuseWriteToView(*planning.table, statement.table.range));
  const TableSchema& table = *planning.table;
  ModifyPlan plan;
  // As in Cassandra, faults of USING come before those of the other clauses.
  WR_ASSIGN_OR_RETURN(plan.timestamp, PrepareTimestamp(statement.using_clause, planning));
  WR_ASSIGN_OR_RETURN(plan.ttl, PrepareTtl(statement.using_clause, planning));
  WR_RETURN_IF_ERROR(CheckColumns(statement, table));
  plan.kind = ModifyPlan::Kind::kInsert;
  plan.table = planning.table;
  if (statement.if_not_exists) plan.condition = RowCondition::kNotExists;
  std::vector<Restriction> key;
  bool any_clustering = false, only_statics = true;
  std::optional<std::pair<uint32_t, SourceRange>> null_key;  // The first key column with a null.
  WR_ASSIGN_OR_RETURN(std::vector<Given> given,
                      statement.json ? GivenByJson(statement, planning) : GivenValues(statement, planning));
  for (auto& [index, value, value_range] : given) {
    const ColumnSchema& column = table.columns[index];
    if (!column.is_key()) {
      only_statics = only_statics && column.kind == ColumnKind::kStatic;
      CellOperation operation;
      operation.column = index;
      operation.value = std::move(value);
      operation.range = value_range;
      plan.operations.push_back(std::move(operation));
      continue;
    }
    if (IsNullConstant(value)) {
      if (column.is_generated()) continue;  // A null counts as not given, and the value is derived.
      const bool first = !null_key || index < null_key->first;
      if (first) null_key.emplace(index, value_range);
    }
    any_clustering = any_clustering || column.kind == ColumnKind::kClustering;
    key.emplace_back(ColumnRestriction{index, CompareOp::kEq, {{std::move(value)}, false, false}, value_range});
  }
  only_statics = only_statics && !plan.operations.empty() && !any_clustering;
  const SourceRange at = statement.columns.empty()
                             ? range
                             : SourceRange{statement.columns.front().range.begin, statement.columns.back().range.end};
  WR_RETURN_IF_ERROR(SetModifiedRows(std::move(key), {plan.kind, only_statics, at}, plan));
  WR_RETURN_IF_ERROR(RefuseTimestampOfCondition(plan));
  WR_RETURN_IF_ERROR(CheckNotNull(plan, at));
  if (null_key) {
    return InvalidAt(null_key->second,
                     "Invalid null value in condition for column " + table.columns[null_key->first].name);
  }
  return plan;
}

}  // namespace widerow
