#include "planner/terms/prepare_cell_time.h"

#include "base/overloaded.h"
#include "planner/terms/prepare_selector.h"
#include "planner/terms/prepare_term.h"

namespace widerow {
namespace {

using Part = CellTimeExpression::Part;

Error NotAColumn(const Term& term, const std::string& function) {
  Error error = InvalidAt(
      term.range, function + " is about the cells of a column, not about a value",
      function + "(column), " + function + "(map[key]), " + function + "(map[from..to]), " + function + "(udt.field)");
  error.code = ErrorCode::kSyntaxError;
  return error;
}

// Returns the column of a term that names a column or a part of a column.
Result<uint32_t> ColumnOf(const Term& term, const std::string& function, const Planning& planning) {
  const Term* base = &term;
  while (true) {
    if (const auto* field = std::get_if<FieldAccess>(&base->node))
      base = &field->base[0];
    else if (const auto* element = std::get_if<ElementAccess>(&base->node))
      base = &element->base[0];
    else if (const auto* slice = std::get_if<SliceAccess>(&base->node))
      base = &slice->base[0];
    else
      break;
  }
  const auto* reference = std::get_if<ColumnRef>(&base->node);
  if (reference == nullptr) return NotAColumn(term, function);
  WR_ASSIGN_OR_RETURN(const uint32_t index, FindColumn(*planning.table, reference->name));
  const ColumnSchema& column = planning.table->columns[index];
  if (column.is_key()) {
    return InvalidAt(term.range, "Cannot use selection function " + function + " on PRIMARY KEY part " + column.name);
  }
  return index;
}

const Expression* BaseOf(const Expression& part) {
  if (const auto* field = std::get_if<FieldExpression>(&part.node)) return &field->base[0];
  if (const auto* element = std::get_if<ElementExpression>(&part.node)) return &element->base[0];
  if (const auto* slice = std::get_if<SliceExpression>(&part.node)) return &slice->base[0];
  return nullptr;
}

// Returns `time`, restricted to the cells of its column that `part` selects. `part` is an element, a slice or a field
// of the column.
CellTimeExpression CellsOf(const Expression& part, CellTimeExpression time) {
  if (const auto* element = std::get_if<ElementExpression>(&part.node)) {
    time.part = Part::kElement;
    time.from = element->index;
  } else if (const auto* slice = std::get_if<SliceExpression>(&part.node)) {
    time.part = Part::kSlice;
    time.from = slice->from;
    time.to = slice->to;
    time.selected = slice->selected;
  } else if (const auto* field = std::get_if<FieldExpression>(&part.node)) {
    time.part = Part::kField;
    time.field = field->field;
  }
  return time;
}

// Returns an expression with the value of `time`, or null if `part` is null.
Expression IfPresent(Expression part, Expression time) {
  Function function{.name = "if_present",
                    .parameters = {part.type, time.type},
                    .returns = time.type,
                    .takes_empty = true,
                    .body = [](const FunctionContext&, std::span<const ValueView> values) -> Result<Value> {
                      return Value(Bytes(*values[1]));
                    }};
  const SourceRange range = time.range;
  const TypePtr type = time.type;
  CallExpression call{std::make_shared<const Function>(std::move(function)), {}};
  call.arguments.push_back(std::move(part));
  call.arguments.push_back(std::move(time));
  return {std::move(call), type, range};
}

}  // namespace

Result<Expression> PrepareCellTime(CellTimeExpression::Kind kind, const FunctionCall& call, SourceRange range,
                                   Planning& planning) {
  const std::string& name = call.name.name.text;
  if (call.arguments.size() != 1) {
    Error error = InvalidAt(range, name + " takes one column");
    error.code = ErrorCode::kSyntaxError;
    return error;
  }
  const Term& term = call.arguments[0];
  WR_ASSIGN_OR_RETURN(const uint32_t column, ColumnOf(term, name, planning));
  // The part is checked as if it were selected.
  WR_ASSIGN_OR_RETURN(Expression selected, PreparePart(term, planning));
  const TypePtr number = ScalarType(kind == CellTimeExpression::Kind::kTtl ? TypeKind::kInt : TypeKind::kBigint);
  const CellTimeExpression of_column{.kind = kind, .column = column, .from = {}, .to = {}};
  // A frozen value is one cell: its time is the time of each part. A part that is missing has no time.
  if (!planning.table->columns[column].type->is_multi_cell()) {
    Expression whole{of_column, number, range};
    return std::holds_alternative<ColumnExpression>(selected.node) ? whole
                                                                   : IfPresent(std::move(selected), std::move(whole));
  }
  // For a part of a part, such as m['k'].field, the cell is that of the outer part, m['k'], whose value is frozen.
  const Expression* part = &selected;
  for (const Expression* base = BaseOf(*part); base != nullptr && BaseOf(*base) != nullptr; base = BaseOf(*part))
    part = base;
  const bool several = part->type->is_multi_cell() && kind != CellTimeExpression::Kind::kMaxWriteTime;
  Expression time{CellsOf(*part, of_column), several ? ListType(number) : number, range};
  return part == &selected ? time : IfPresent(std::move(selected), std::move(time));
}

}  // namespace widerow
