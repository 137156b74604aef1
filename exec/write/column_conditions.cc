#include "exec/write/column_conditions.h"

#include <algorithm>

#include "parser/print.h"
#include "planner/evaluate/evaluate.h"
#include "types/compare.h"
#include "types/nullable_list.h"
#include "types/value_bytes.h"

namespace widerow {
namespace {

bool IsContains(CompareOp op) { return op == CompareOp::kContains || op == CompareOp::kContainsKey; }
bool TakesNull(CompareOp op) { return op == CompareOp::kEq || op == CompareOp::kNotEq || op == CompareOp::kIn; }

Error Unset(SourceRange range) {
  return InvalidAt(range, "Invalid 'unset' value in condition", "a condition needs a value, or null");
}

// True for an empty value of a multi-cell collection. Such a collection is the same as null.
Result<bool> IsEmptyCollection(const Type& type, const Value& value) {
  if (!value || !type.is_collection() || !type.is_multi_cell()) return false;
  WR_ASSIGN_OR_RETURN(const std::vector<ValueView> elements, SplitCollection(type, *value));
  return elements.empty();
}

const char* CollectionName(const Type& type) {
  return type.kind == TypeKind::kList ? "list" : type.kind == TypeKind::kSet ? "set" : "map";
}

Status BindElement(const ColumnCondition& condition, const Type& type, const EvaluationContext& context,
                   Value& element) {
  const std::string kind = type.kind == TypeKind::kMap ? "map" : "list";
  if (IsUnset(*condition.element, context)) {
    return InvalidAt(condition.range, "Invalid unset value for " + kind + " element access");
  }
  WR_ASSIGN_OR_RETURN(element, Evaluate(*condition.element, context));
  if (!element || (kind == "list" && element->size() != 4)) {
    return InvalidAt(condition.range, "Invalid null value for " + kind + " element access");
  }
  if (kind == "map" || DecodeInteger(*element) >= 0) return OkStatus();
  return InvalidAt(condition.element->range, "Invalid negative list index " + std::to_string(DecodeInteger(*element)));
}

// Evaluates the values of IN. With IN (?, ?), unset values are left out. With IN ?, an unset list is an error.
Status BindList(const ColumnCondition& condition, const EvaluationContext& context, std::vector<Value>& values) {
  if (!condition.list_valued) {
    for (const Expression& expression : condition.values) {
      if (IsUnset(expression, context)) continue;
      WR_ASSIGN_OR_RETURN(values.emplace_back(), Evaluate(expression, context));
    }
    return OkStatus();
  }
  const Expression& list = condition.values[0];
  if (IsUnset(list, context)) return Unset(list.range);
  WR_ASSIGN_OR_RETURN(const Value whole, Evaluate(list, context));
  if (!whole) return InvalidAt(list.range, "Invalid null list in IN condition");
  WR_ASSIGN_OR_RETURN(const std::vector<ValueView> elements, SplitNullableList(*list.type, *whole));
  const Type& type = *list.type->arguments[0];
  for (const ValueView& element : elements) {
    values.push_back(element && !ReadsAsNull(type, *element) ? Value(Bytes(*element)) : Value());
  }
  return OkStatus();
}

Status BindOne(const ColumnCondition& condition, const Type& column, const EvaluationContext& context, Value& value) {
  const Expression& expression = condition.values[0];
  if (IsUnset(expression, context)) return Unset(expression.range);
  WR_ASSIGN_OR_RETURN(value, Evaluate(expression, context));
  if (!value && !TakesNull(condition.op)) {
    return InvalidAt(expression.range,
                     std::string("Invalid comparison with null for operator \"") + OperatorText(condition.op) + "\"");
  }
  if (condition.element || IsContains(condition.op)) return OkStatus();
  WR_ASSIGN_OR_RETURN(const bool empty, IsEmptyCollection(column, value));
  if (!empty) return OkStatus();
  if (TakesNull(condition.op)) {
    value.reset();
    return OkStatus();
  }
  return InvalidAt(expression.range, std::string("Invalid comparison with an empty ") + CollectionName(column) +
                                         " for operator \"" + OperatorText(condition.op) + "\"");
}

// Returns an element of a collection or a field of a user-defined type. The result borrows from `whole`.
Result<ValueView> PartOf(const BoundCondition& bound, const Type& type, ByteView whole) {
  if (bound.condition->field) {
    WR_ASSIGN_OR_RETURN(const std::vector<ValueView> fields, SplitTuple(type, whole));
    return *bound.condition->field < fields.size() ? fields[*bound.condition->field] : ValueView();
  }
  WR_ASSIGN_OR_RETURN(const std::vector<ValueView> parts, SplitCollection(type, whole));
  if (type.kind == TypeKind::kList) {
    const auto index = static_cast<size_t>(DecodeInteger(*bound.element));
    return index < parts.size() ? parts[index] : ValueView();
  }
  for (size_t i = 0; i + 1 < parts.size(); i += 2) {
    if (parts[i] && Compare(*type.arguments[0], *parts[i], *bound.element) == 0) return parts[i + 1];
  }
  return ValueView();
}

Result<bool> Contains(const Type& type, ByteView whole, bool key, ByteView wanted) {
  const bool map = type.kind == TypeKind::kMap;
  const size_t first = map && !key ? 1 : 0;
  WR_ASSIGN_OR_RETURN(const std::vector<ValueView> parts, SplitCollection(type, whole));
  for (size_t i = first; i < parts.size(); i += map ? 2 : 1) {
    if (parts[i] && Compare(*type.arguments[first], *parts[i], wanted) == 0) return true;
  }
  return false;
}

bool Compares(CompareOp op, const Type& type, const ValueView& stored, const Value& wanted) {
  if (!stored || !wanted) {
    const bool equal = stored.has_value() == wanted.has_value();
    return op == CompareOp::kNotEq ? !equal : equal && TakesNull(op);
  }
  const int order = Compare(type, *stored, *wanted);
  // Holds() has handled CONTAINS. The planner allows no operators besides CONTAINS, IN and the comparisons.
  return OrderAnswers(op == CompareOp::kIn ? CompareOp::kEq : op, order).value_or(false);
}

const Type& ComparedType(const ColumnCondition& condition, const Type& column) {
  if (condition.element) return *column.arguments.back();
  return condition.field ? *column.arguments[*condition.field] : column;
}

}  // namespace

Result<BoundCondition> BindCondition(const ColumnCondition& condition, const TableSchema& table,
                                     const EvaluationContext& context) {
  const Type& type = *table.columns[condition.column].type;
  BoundCondition bound{.condition = &condition, .element = {}, .values = {}};
  if (condition.element) WR_RETURN_IF_ERROR(BindElement(condition, type, context, bound.element));
  if (condition.op != CompareOp::kIn) {
    WR_RETURN_IF_ERROR(BindOne(condition, type, context, bound.values.emplace_back()));
    return bound;
  }
  WR_RETURN_IF_ERROR(BindList(condition, context, bound.values));
  if (condition.element || condition.field) return bound;
  for (Value& value : bound.values) {
    WR_ASSIGN_OR_RETURN(const bool empty, IsEmptyCollection(type, value));
    if (empty) value.reset();
  }
  return bound;
}

Result<bool> Holds(const BoundCondition& bound, const TableSchema& table, ScannedRow& row) {
  const ColumnCondition& condition = *bound.condition;
  const Type& type = *table.columns[condition.column].type;
  WR_ASSIGN_OR_RETURN(ValueView stored, row.Column(condition.column));
  if (IsContains(condition.op)) {
    if (!stored) return false;
    return Contains(type, *stored, condition.op == CompareOp::kContainsKey, *bound.values[0]);
  }
  if (stored && (condition.element || condition.field)) { WR_ASSIGN_OR_RETURN(stored, PartOf(bound, type, *stored)); }
  const Type& compared = ComparedType(condition, type);
  return std::any_of(bound.values.begin(), bound.values.end(),
                     [&](const Value& value) { return Compares(condition.op, compared, stored, value); });
}

}  // namespace widerow
