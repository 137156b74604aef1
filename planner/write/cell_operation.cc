// PrepareAssignment calls one function for each form of an assignment: c = x, c += x, c -= x, c[k] = x, c.f = x. If the
// right side of c = … has an operator, the form may also be c = c + x, c = c - x or c = x + c. Each function checks the
// column's type with Cassandra's sentences and fills one CellOperation. PrepareDeletion does this for DELETE of c, c[k]
// and c.f.
#include "planner/write/cell_operation.h"

#include <algorithm>

#include "base/text.h"
#include "planner/functions/registry.h"
#include "planner/terms/assignable.h"
#include "planner/terms/prepare_term.h"

namespace widerow {
namespace {

Error BadOperation(const std::string& operation, const char* kind_of_column, const ColumnSchema& column,
                   SourceRange range) {
  return InvalidAt(range, StrCat("Invalid operation (", operation, ") for ", kind_of_column, " column ", column.name));
}

Error SyntaxAt(SourceRange range, std::string message) {
  return {.code = ErrorCode::kSyntaxError, .message = std::move(message), .range = range};
}

bool IsColumn(const Term& term, const std::string& name) {
  const auto* column = std::get_if<ColumnRef>(&term.node);
  return column != nullptr && column->name.text == name;
}

CellOperation Operation(CellOperation::Kind kind, uint32_t column, SourceRange range) {
  CellOperation operation;
  operation.kind = kind;
  operation.column = column;
  operation.range = range;
  return operation;
}

// --- c = c + x, c += x, c = c - x, c -= x, c = x + c --------------------------------------------------------------

Error NullCount(SourceRange range) { return InvalidAt(range, "Invalid null value for counter increment/decrement"); }

Result<CellOperation> PrepareCount(CellOperation::Kind kind, uint32_t index, const Term& value, SourceRange range,
                                   Planning& planning) {
  CellOperation operation = Operation(kind, index, range);
  WR_ASSIGN_OR_RETURN(operation.value, PrepareTerm(value, ReceiverOf(planning.table->columns[index]), planning));
  if (IsNullConstant(*operation.value)) return NullCount(range);
  return operation;
}

// Prepares v = v + x for a number or a text. As in Cassandra 5, only statements with IF can add, because only these
// read the row before they write it.
Result<CellOperation> PrepareSum(uint32_t index, const Term& value, const std::string& text, SourceRange range,
                                 bool conditional, Planning& planning) {
  const ColumnSchema& column = planning.table->columns[index];
  if (!conditional) return BadOperation(text, "non counter", column, range);
  const TypeKind kind = column.type->kind;
  const auto numbers = functions::NumericKinds();
  const bool number = std::find(numbers.begin(), numbers.end(), kind) != numbers.end();
  if (!number && kind != TypeKind::kText && kind != TypeKind::kAscii) {
    return InvalidAt(range, StrCat("Invalid operation (", text, ") for non-numeric and non-text type ", column.name));
  }
  CellOperation operation = Operation(CellOperation::Kind::kAdd, index, range);
  WR_ASSIGN_OR_RETURN(operation.value, PrepareTerm(value, ReceiverOf(column), planning));
  return operation;
}

Result<CellOperation> PrepareAddition(uint32_t index, const Term& value, SourceRange range, bool conditional,
                                      Planning& planning) {
  const ColumnSchema& column = planning.table->columns[index];
  const std::string text = StrCat(column.name, " = ", column.name, " + ", TermText(value, planning));
  if (column.type->kind == TypeKind::kCounter)
    return PrepareCount(CellOperation::Kind::kIncrement, index, value, range, planning);
  if (column.type->kind == TypeKind::kUdt || column.type->kind == TypeKind::kTuple) {
    return BadOperation(text, "tuple", column, range);
  }
  if (!column.type->is_collection()) return PrepareSum(index, value, text, range, conditional, planning);
  if (column.type->frozen) return BadOperation(text, "frozen collection", column, range);
  CellOperation operation = Operation(CellOperation::Kind::kAppend, index, range);
  Result<Expression> added = PrepareTerm(value, ReceiverOf(column), planning);
  if (!added.ok() && column.type->kind == TypeKind::kMap) {
    // Cassandra's sentence does not say why the value does not fit, so the hint says it.
    return InvalidAt(value.range,
                     "Value for a map addition has to be a map, but was: '" + TermText(value, planning) + "'",
                     added.error().message);
  }
  WR_ASSIGN_OR_RETURN(operation.value, std::move(added));
  return operation;
}

Result<CellOperation> PrepareSubtraction(uint32_t index, const Term& value, SourceRange range, Planning& planning) {
  const ColumnSchema& column = planning.table->columns[index];
  const std::string text = StrCat(column.name, " = ", column.name, " - ", TermText(value, planning));
  if (column.type->kind == TypeKind::kCounter)
    return PrepareCount(CellOperation::Kind::kDecrement, index, value, range, planning);
  if (!column.type->is_collection()) return BadOperation(text, "non counter", column, range);
  if (column.type->frozen) return BadOperation(text, "frozen collection", column, range);
  CellOperation operation = Operation(CellOperation::Kind::kRemove, index, range);
  if (column.type->kind != TypeKind::kMap) {
    WR_ASSIGN_OR_RETURN(operation.value, PrepareTerm(value, ReceiverOf(column), planning));
    return operation;
  }
  // m - x removes keys from a map, so x is a set of keys.
  Result<Expression> keys = PrepareTerm(value, {column.name, SetType(column.type->arguments[0])}, planning);
  if (!keys.ok()) {
    return InvalidAt(value.range,
                     "Value for a map substraction has to be a set, but was: '" + TermText(value, planning) + "'");
  }
  operation.value = std::move(keys).value();
  return operation;
}

Result<CellOperation> PreparePrepend(uint32_t index, const Term& value, SourceRange range, Planning& planning) {
  const ColumnSchema& column = planning.table->columns[index];
  // Cassandra's message has a minus here, although the statement has a plus.
  const std::string text = StrCat(column.name, " = ", TermText(value, planning), " - ", column.name);
  CellOperation operation = Operation(CellOperation::Kind::kPrepend, index, range);
  // As in Cassandra, the value is checked first, and then that the column is a list.
  WR_ASSIGN_OR_RETURN(operation.value, PrepareTerm(value, ReceiverOf(column), planning));
  if (column.type->kind != TypeKind::kList) return BadOperation(text, "non list", column, range);
  if (column.type->frozen) return BadOperation(text, "frozen list", column, range);
  return operation;
}

// Prepares c = x, where x is no operation on c.
Result<CellOperation> PrepareValue(uint32_t index, const Term& value, SourceRange range, Planning& planning) {
  const ColumnSchema& column = planning.table->columns[index];
  CellOperation operation = Operation(CellOperation::Kind::kAssign, index, range);
  WR_ASSIGN_OR_RETURN(operation.value, PrepareAssigned(value, column, planning));
  if (column.type->kind != TypeKind::kCounter) return operation;
  if (IsNullConstant(*operation.value)) return NullCount(range);
  return InvalidAt(range,
                   "Cannot set the value of counter column " + column.name +
                       " (counters can only be incremented/decremented, not set)",
                   column.name + " = " + column.name + " + 1");
}

bool HoldsColumn(const Term& term) { return std::holds_alternative<ColumnRef>(term.node); }

Result<CellOperation> PrepareArithmetic(const Arithmetic& arithmetic, uint32_t index, const Term& term,
                                        SourceRange range, bool conditional, Planning& planning) {
  const std::string& name = planning.table->columns[index].name;
  const bool add = arithmetic.op == ArithmeticOp::kAdd;
  const bool subtract = arithmetic.op == ArithmeticOp::kSubtract;
  if ((!add && !subtract) || arithmetic.operands.size() != 2) return PrepareValue(index, term, range, planning);
  const Term& left = arithmetic.operands[0];
  const Term& right = arithmetic.operands[1];
  if (IsColumn(left, name) && !HoldsColumn(right)) {
    return add ? PrepareAddition(index, right, range, conditional, planning)
               : PrepareSubtraction(index, right, range, planning);
  }
  if (add && IsColumn(right, name) && !HoldsColumn(left)) return PreparePrepend(index, left, range, planning);
  if (HoldsColumn(left)) {
    return SyntaxAt(term.range,
                    std::string("Only expressions of the form X = X ") + (add ? "+" : "-") + "<value> are supported.");
  }
  if (HoldsColumn(right)) {
    return SyntaxAt(term.range, "Only expressions of the form X = <value> + X are supported.");
  }
  return PrepareValue(index, term, range, planning);
}

// --- c = x, c[k] = x, c.f = x -------------------------------------------------------------------------------------

Result<CellOperation> PrepareSet(const Assignment& assignment, uint32_t index, bool conditional, Planning& planning) {
  if (const auto* arithmetic = std::get_if<Arithmetic>(&assignment.value.node)) {
    return PrepareArithmetic(*arithmetic, index, assignment.value, assignment.range, conditional, planning);
  }
  return PrepareValue(index, assignment.value, assignment.range, planning);
}

Result<Expression> PrepareElementKey(const Term& key, const ColumnSchema& column, Planning& planning) {
  Receiver receiver{"key(" + column.name + ")", column.type->arguments[0]};
  if (column.type->kind == TypeKind::kList) receiver = {"idx(" + column.name + ")", ScalarType(TypeKind::kInt)};
  if (column.type->kind == TypeKind::kSet) receiver.name = "value(" + column.name + ")";
  return PrepareTerm(key, receiver, planning);  // A null is refused when the statement runs.
}

Result<CellOperation> PrepareSetElement(const Assignment& assignment, uint32_t index, Planning& planning) {
  const ColumnSchema& column = planning.table->columns[index];
  const std::string text =
      StrCat(column.name, "[", TermText(assignment.element[0], planning), "] = ", TermText(assignment.value, planning));
  if (!column.type->is_collection()) return BadOperation(text, "non collection", column, assignment.range);
  if (column.type->frozen) return BadOperation(text, "frozen collection", column, assignment.range);
  if (column.type->kind == TypeKind::kSet) return BadOperation(text, "set", column, assignment.range);
  CellOperation operation = Operation(CellOperation::Kind::kSetElement, index, assignment.range);
  WR_ASSIGN_OR_RETURN(operation.element, PrepareElementKey(assignment.element[0], column, planning));
  WR_ASSIGN_OR_RETURN(
      operation.value,
      PrepareTerm(assignment.value, {"value(" + column.name + ")", column.type->arguments.back()}, planning));
  return operation;
}

Result<uint32_t> FindField(const ColumnSchema& column, const Identifier& field) {
  const std::vector<std::string>& names = column.type->field_names;
  const auto found = std::find(names.begin(), names.end(), field.text);
  if (found == names.end()) {
    return InvalidAt(field.range, "UDT column " + column.name + " does not have a field named " + field.text,
                     "its fields are " + JoinNames(names));
  }
  return static_cast<uint32_t>(found - names.begin());
}

Result<CellOperation> PrepareSetField(const Assignment& assignment, uint32_t index, Planning& planning) {
  const ColumnSchema& column = planning.table->columns[index];
  const std::string text =
      StrCat(column.name, ".", assignment.field->text, " = ", TermText(assignment.value, planning));
  if (column.type->kind != TypeKind::kUdt) return BadOperation(text, "non-UDT", column, assignment.range);
  if (column.type->frozen) return BadOperation(text, "frozen UDT", column, assignment.range);
  CellOperation operation = Operation(CellOperation::Kind::kSetField, index, assignment.range);
  WR_ASSIGN_OR_RETURN(operation.field, FindField(column, *assignment.field));
  const Receiver receiver{column.name + "." + assignment.field->text, column.type->arguments[operation.field]};
  WR_ASSIGN_OR_RETURN(operation.value, PrepareTerm(assignment.value, receiver, planning));
  return operation;
}

}  // namespace

Result<CellOperation> PrepareAssignment(const Assignment& assignment, bool conditional, Planning& planning) {
  WR_ASSIGN_OR_RETURN(const uint32_t index, FindColumn(*planning.table, assignment.column));
  const ColumnSchema& column = planning.table->columns[index];
  if (column.is_key()) {
    return InvalidAt(assignment.column.range, "PRIMARY KEY part " + column.name + " found in SET part",
                     "a key does not change: write the row under its new key and delete the old one");
  }
  switch (assignment.kind) {
    case Assignment::Kind::kSet: return PrepareSet(assignment, index, conditional, planning);
    case Assignment::Kind::kAddAssign:
      return PrepareAddition(index, assignment.value, assignment.range, conditional, planning);
    case Assignment::Kind::kSubAssign: return PrepareSubtraction(index, assignment.value, assignment.range, planning);
    case Assignment::Kind::kElement: return PrepareSetElement(assignment, index, planning);
    case Assignment::Kind::kField: return PrepareSetField(assignment, index, planning);
  }
  return ServerError("an assignment of unknown kind");
}

Result<CellOperation> PrepareDeletion(const DeleteTarget& target, Planning& planning) {
  WR_ASSIGN_OR_RETURN(const uint32_t index, FindColumn(*planning.table, target.column));
  const ColumnSchema& column = planning.table->columns[index];
  if (column.is_key()) {
    return InvalidAt(target.column.range,
                     "Invalid identifier " + column.name + " for deletion (should not be a PRIMARY KEY part)");
  }
  if (target.field) {
    if (column.type->kind != TypeKind::kUdt) {
      return InvalidAt(target.range, "Invalid field deletion operation for non-UDT column " + column.name);
    }
    if (column.type->frozen) {
      return InvalidAt(target.range, "Frozen UDT column " + column.name + " does not support field deletions");
    }
    CellOperation operation = Operation(CellOperation::Kind::kDeleteField, index, target.range);
    WR_ASSIGN_OR_RETURN(operation.field, FindField(column, *target.field));
    return operation;
  }
  if (target.element.empty()) return Operation(CellOperation::Kind::kDelete, index, target.range);
  if (!column.type->is_collection()) {
    return InvalidAt(target.range, "Invalid deletion operation for non collection column " + column.name);
  }
  if (column.type->frozen) {
    return InvalidAt(target.range, "Invalid deletion operation for frozen collection column " + column.name);
  }
  CellOperation operation = Operation(CellOperation::Kind::kDeleteElement, index, target.range);
  WR_ASSIGN_OR_RETURN(operation.element, PrepareElementKey(target.element[0], column, planning));
  return operation;
}

}  // namespace widerow
