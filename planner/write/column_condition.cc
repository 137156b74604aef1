// PrepareCondition finds the column and prepares the values of one condition. The type that a value must have depends
// on the target (a column, an element or a field) and on the operator. The error for a key column comes after all
// others.
#include "planner/write/column_condition.h"

#include <algorithm>

#include "base/text.h"
#include "parser/print.h"
#include "planner/print_expression.h"
#include "planner/terms/prepare_term.h"
#include "planner/where/resolve_relation.h"

namespace widerow {
namespace {

using Target = RelationTarget::Kind;

// Returns the error for conditions that IF does not have, such as OR. The parser refuses most of them earlier.
Error NotInIf(SourceRange range) { return InvalidAt(range, "IF takes conditions on columns"); }

bool IsContains(CompareOp op) { return op == CompareOp::kContains || op == CompareOp::kContainsKey; }

bool HoldsDuration(const Type& type) {
  return type.kind == TypeKind::kDuration || std::any_of(type.arguments.begin(), type.arguments.end(),
                                                         [](const TypePtr& part) { return HoldsDuration(*part); });
}

Status CheckSlice(CompareOp op, const Type& type, SourceRange range) {
  if (!IsSliceOperator(op) || !HoldsDuration(type)) return OkStatus();
  const std::string begin = "Slice conditions are not supported on ";
  if (type.is_collection()) return InvalidAt(range, begin + "collections containing durations");
  if (type.kind == TypeKind::kTuple) return InvalidAt(range, begin + "tuples containing durations");
  if (type.kind == TypeKind::kUdt) return InvalidAt(range, begin + "UDTs containing durations");
  return InvalidAt(range, std::string("Slice conditions ( ") + OperatorText(op) + " ) are not supported on durations");
}

// Prepares the element's key and returns the receiver of the compared value.
Result<Receiver> PrepareElement(const Relation& relation, const ColumnSchema& column, SourceRange range,
                                Planning& planning, ColumnCondition& condition) {
  const Type& type = *column.type;
  if (!type.is_collection()) {
    return InvalidAt(range, "Invalid element access syntax for non-collection column " + column.name);
  }
  if (type.kind == TypeKind::kSet) {
    return InvalidAt(range, "Invalid element access syntax for set column " + column.name,
                     "ask whether it has the element: " + column.name + " CONTAINS …");
  }
  const bool list = type.kind == TypeKind::kList;
  const Receiver key = list ? Receiver{"idx(" + column.name + ")", ScalarType(TypeKind::kInt)}
                            : Receiver{"key(" + column.name + ")", type.arguments[0]};
  WR_ASSIGN_OR_RETURN(condition.element, PrepareTerm(relation.target.element[0], key, planning));
  if (IsNullConstant(*condition.element)) {
    return InvalidAt(range, std::string("Invalid null value for ") + (list ? "list" : "map") + " element access");
  }
  return Receiver{"value(" + column.name + ")", type.arguments.back()};
}

Result<Receiver> PrepareField(const Relation& relation, const ColumnSchema& column, SourceRange range,
                              ColumnCondition& condition) {
  const Type& type = *column.type;
  const std::string& field = relation.target.field->text;
  const auto found = std::find(type.field_names.begin(), type.field_names.end(), field);
  if (type.kind != TypeKind::kUdt || found == type.field_names.end()) {
    return InvalidAt(range, "Unknown field " + field + " for column " + column.name,
                     type.kind == TypeKind::kUdt ? "its fields are " + JoinNames(type.field_names)
                                                 : "its type, " + TypeText(type) + ", has no fields");
  }
  condition.field = static_cast<uint32_t>(found - type.field_names.begin());
  return Receiver{column.name + "." + field, type.arguments[*condition.field]};
}

Result<Receiver> PrepareContained(CompareOp op, const ColumnSchema& column, SourceRange range) {
  const Type& type = *column.type;
  const bool key = op == CompareOp::kContainsKey;
  if (key && type.kind != TypeKind::kMap) {
    return InvalidAt(range, "Cannot use CONTAINS KEY on non-map column " + column.name);
  }
  if (!type.is_collection()) return InvalidAt(range, "Cannot use CONTAINS on non-collection column " + column.name);
  return Receiver{(key ? "key(" : "value(") + column.name + ")", key ? type.arguments.front() : type.arguments.back()};
}

Result<Receiver> PrepareTarget(const Relation& relation, const ColumnSchema& column, SourceRange range,
                               Planning& planning, ColumnCondition& condition) {
  switch (relation.target.kind) {
    case Target::kColumn:
      if (IsContains(relation.op)) return PrepareContained(relation.op, column, range);
      return ReceiverOf(column);
    case Target::kElement: return PrepareElement(relation, column, range, planning, condition);
    case Target::kField: return PrepareField(relation, column, range, condition);
    case Target::kTuple:
    case Target::kToken: break;
  }
  return NotInIf(range);
}

Status PrepareValues(const Relation& relation, const Receiver& receiver, SourceRange range, Planning& planning,
                     ColumnCondition& condition) {
  if (relation.op == CompareOp::kIn && !relation.in_list) {
    const auto* marker = std::get_if<BindMarker>(&relation.values[0].node);
    if (marker == nullptr)
      return InvalidAt(relation.values[0].range, "IN takes values in parentheses or a bind marker");
    condition.list_valued = true;
    condition.values.push_back(
        MakeMarker(*marker, range, {"in(" + receiver.name + ")", ListType(receiver.type)}, planning));
    planning.markers[marker->index].nulls_in_list = true;
    return OkStatus();
  }
  for (const Term& term : relation.values) {
    WR_ASSIGN_OR_RETURN(condition.values.emplace_back(), PrepareTerm(term, receiver, planning));
  }
  return OkStatus();
}

Result<ColumnCondition> PrepareCondition(const Relation& relation, SourceRange range, Planning& planning) {
  WR_ASSIGN_OR_RETURN(const uint32_t index, FindColumn(*planning.table, relation.target.columns[0]));
  const ColumnSchema& column = planning.table->columns[index];
  if (column.type->kind == TypeKind::kCounter) return InvalidAt(range, "Conditions on counters are not supported");
  ColumnCondition condition{
      .column = index, .element = {}, .field = {}, .op = relation.op, .values = {}, .range = range};
  WR_ASSIGN_OR_RETURN(const Receiver receiver, PrepareTarget(relation, column, range, planning, condition));
  WR_RETURN_IF_ERROR(CheckSlice(relation.op, *receiver.type, range));
  WR_RETURN_IF_ERROR(PrepareValues(relation, receiver, range, planning, condition));
  if (!column.is_key()) return condition;
  return InvalidAt(relation.target.range, "PRIMARY KEY column '" + column.name + "' cannot have IF conditions",
                   "WHERE has it already");
}

std::string PrintCondition(const ColumnCondition& condition, const TableSchema& table) {
  const ColumnSchema& column = table.columns[condition.column];
  std::string text = QuoteIdentifier(column.name);
  if (condition.element) text += "[" + PrintExpression(*condition.element, table) + "]";
  if (condition.field) text += "." + QuoteIdentifier(column.type->field_names[*condition.field]);
  text += std::string(" ") + OperatorText(condition.op) + " ";
  std::vector<std::string> values;
  for (const Expression& value : condition.values) values.push_back(PrintExpression(value, table));
  const bool listed = condition.op == CompareOp::kIn && !condition.list_valued;
  return listed ? text + "(" + JoinNames(values) + ")" : text + JoinNames(values);
}

}  // namespace

Result<std::vector<ColumnCondition>> PrepareConditions(const std::vector<Condition>& conditions, Planning& planning) {
  std::vector<ColumnCondition> prepared;
  for (const Condition& condition : conditions) {
    const auto* relation = std::get_if<Relation>(&condition.node);
    if (relation == nullptr) return NotInIf(condition.range);
    WR_ASSIGN_OR_RETURN(prepared.emplace_back(), PrepareCondition(*relation, condition.range, planning));
  }
  return prepared;
}

bool AnyOn(const std::vector<ColumnCondition>& conditions, ColumnKind kind, const TableSchema& table) {
  return std::any_of(conditions.begin(), conditions.end(),
                     [&](const ColumnCondition& condition) { return table.columns[condition.column].kind == kind; });
}

std::string PrintConditions(const std::vector<ColumnCondition>& conditions, const TableSchema& table) {
  std::vector<std::string> texts;
  for (const ColumnCondition& condition : conditions) texts.push_back(PrintCondition(condition, table));
  return JoinNames(texts, " AND ");
}

}  // namespace widerow
