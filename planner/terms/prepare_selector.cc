// PrepareTyped returns the expression of a term whose type is known from the term itself. It calls itself for the base
// of fields, elements and slices, and for arguments of functions. For literals and bind markers it returns nullopt;
// callers then report that the type cannot be inferred. PrepareSelector adds the name of the output column.
#include "planner/terms/prepare_selector.h"

#include <algorithm>

#include "base/overloaded.h"
#include "base/text.h"
#include "planner/functions/resolve_function.h"
#include "planner/terms/assignable.h"
#include "planner/terms/prepare_cell_time.h"
#include "planner/terms/prepare_selected.h"
#include "planner/terms/prepare_term.h"
#include "planner/terms/resolve_type.h"
#include "planner/terms/selector_text.h"
#include "planner/terms/term_parts.h"
#include "planner/walk.h"

namespace widerow {
namespace {

Result<Expression> PrepareColumn(const ColumnRef& column, SourceRange range, const Planning& planning) {
  WR_ASSIGN_OR_RETURN(const uint32_t index, FindColumn(*planning.table, column.name));
  return Expression{ColumnExpression{index}, planning.table->columns[index].type, range};
}

// --- Parts of values ------------------------------------------------------------------------------------------------

// Returns the term inside of parentheses. In a dialect without extensions, returns `term` itself, because parentheses
// hide the type of an operand in Cassandra.
const Term& Operand(const Term& term, const Planning& planning) { return planning.extended() ? Ungrouped(term) : term; }

Result<Expression> PrepareBase(const std::vector<Term>& base, Planning& planning) {
  WR_ASSIGN_OR_RETURN(MaybeExpression expression, PrepareTyped(Operand(base[0], planning), planning));
  if (!expression) return CannotInfer(base[0], planning);
  return std::move(*expression);
}

// Cassandra accepts one pair of parentheses before a field: (address).street.
const std::vector<Term>& WithoutPair(const std::vector<Term>& base) {
  const auto* const tuple = std::get_if<TupleTerm>(&base[0].node);
  return tuple != nullptr && tuple->elements.size() == 1 ? tuple->elements : base;
}

Result<Expression> PrepareField(const FieldAccess& field, SourceRange range, Planning& planning) {
  WR_ASSIGN_OR_RETURN(Expression base, PrepareBase(WithoutPair(field.base), planning));
  const Type& type = *base.type;
  const std::string name = SelectorText(field.base[0], planning);
  if (type.kind != TypeKind::kUdt) {
    return InvalidAt(range, "Invalid field selection: " + name + " of type " + TypeText(type) + " is not a user type");
  }
  const auto found = std::find(type.field_names.begin(), type.field_names.end(), field.field.text);
  if (found == type.field_names.end()) {
    return InvalidAt(field.field.range, name + " of type " + TypeText(type) + " has no field " + field.field.text,
                     "its fields are " + JoinNames(type.field_names));
  }
  const auto at = static_cast<uint32_t>(found - type.field_names.begin());
  const TypePtr field_type = type.arguments[at];
  return Expression{FieldExpression{{std::move(base)}, at}, field_type, range};
}

Status CheckHasElements(const Type& type, const std::string& name, SourceRange range) {
  if (type.kind == TypeKind::kList) {
    return InvalidAt(range, StrCat("Element selection is only allowed on sets and maps, but ", name, " is a list"));
  }
  if (type.kind == TypeKind::kSet || type.kind == TypeKind::kMap) return OkStatus();
  return InvalidAt(range,
                   StrCat("Invalid element selection: ", name, " is of type ", TypeText(type), " is not a collection"));
}

Status CheckHasSlices(const Type& type, const std::string& name, SourceRange range) {
  if (type.kind == TypeKind::kList) {
    return InvalidAt(range, StrCat("Slice selection is only allowed on sets and maps, but ", name, " is a list"));
  }
  if (type.kind == TypeKind::kSet || type.kind == TypeKind::kMap) return OkStatus();
  return InvalidAt(range,
                   StrCat("Invalid slice selection: ", name, " of type ", TypeText(type), " is not a collection"));
}

Receiver IndexReceiver(const Type& type, const std::string& name) {
  return {(type.kind == TypeKind::kMap ? "key(" : "value(") + name + ")", type.arguments[0]};
}

Result<Expression> PrepareElementAccess(const ElementAccess& element, SourceRange range, Planning& planning) {
  WR_ASSIGN_OR_RETURN(Expression base, PrepareBase(element.base, planning));
  const TypePtr type = base.type;
  const std::string name = SelectorText(element.base[0], planning);
  WR_RETURN_IF_ERROR(CheckHasElements(*type, name, range));
  WR_ASSIGN_OR_RETURN(Expression index, PrepareTerm(element.index[0], IndexReceiver(*type, name), planning));
  return Expression{ElementExpression{{std::move(base)}, {std::move(index)}, name}, type->arguments.back(), range};
}

Result<Expression> PrepareSlice(const SliceAccess& slice, SourceRange range, Planning& planning) {
  WR_ASSIGN_OR_RETURN(Expression base, PrepareBase(slice.base, planning));
  const TypePtr type = base.type;
  const std::string name = SelectorText(slice.base[0], planning);
  WR_RETURN_IF_ERROR(CheckHasSlices(*type, name, range));
  SliceExpression result;
  result.base.push_back(std::move(base));
  result.selected = name;
  for (const Term& from : slice.from) {
    WR_ASSIGN_OR_RETURN(result.from.emplace_back(), PrepareTerm(from, IndexReceiver(*type, name), planning));
  }
  for (const Term& to : slice.to) {
    WR_ASSIGN_OR_RETURN(result.to.emplace_back(), PrepareTerm(to, IndexReceiver(*type, name), planning));
  }
  return Expression{std::move(result), type, range};
}

// --- Functions ------------------------------------------------------------------------------------------------------

// True for token(k…) whose arguments are the columns of the partition key, in their order.
bool IsOwnToken(const FunctionCall& call, const TableSchema& table) {
  if (call.name.name.text != "token" || call.arguments.size() != table.partition_key_size) return false;
  for (size_t i = 0; i < call.arguments.size(); ++i) {
    const auto* column = std::get_if<ColumnRef>(&call.arguments[i].node);
    if (column == nullptr || column->name.text != table.partition_key(i).name) return false;
  }
  return true;
}

// True for a part of a value whose type has no such part: an element of an int, or a field of a text.
bool IsPartOfNothing(const Term& term, Planning& planning) {
  const auto* const field = std::get_if<FieldAccess>(&term.node);
  const auto* const element = std::get_if<ElementAccess>(&term.node);
  const auto* const slice = std::get_if<SliceAccess>(&term.node);
  if (field == nullptr && element == nullptr && slice == nullptr) return false;
  const std::vector<Term>& base = field ? WithoutPair(field->base) : element ? element->base : slice->base;
  const Result<MaybeExpression> whole = PrepareTyped(Operand(base[0], planning), planning);
  if (!whole.ok()) return IsPartOfNothing(Operand(base[0], planning), planning);
  if (!*whole) return true;
  const Type& type = *(*whole)->type;
  if (slice != nullptr && type.kind == TypeKind::kList) return false;  // A slice of a list has the type of the list.
  if (field == nullptr) return type.kind != TypeKind::kSet && type.kind != TypeKind::kMap;
  const auto& names = type.field_names;
  return type.kind != TypeKind::kUdt || std::find(names.begin(), names.end(), field->field.text) == names.end();
}

// If the term is an element or a slice of a list, returns a placeholder with the type by which Cassandra chooses a
// function. Such terms cannot be selected, but Cassandra finds this after it has chosen the function.
MaybeExpression ListPart(const Term& term, Planning& planning) {
  const auto* const element = std::get_if<ElementAccess>(&term.node);
  const auto* const slice = std::get_if<SliceAccess>(&term.node);
  if (element == nullptr && slice == nullptr) return std::nullopt;
  const Term& base = (element != nullptr ? element->base : slice->base)[0];
  Result<MaybeExpression> whole = PrepareTyped(Operand(base, planning), planning);
  if (!whole.ok() || !*whole || (*whole)->type->kind != TypeKind::kList) return std::nullopt;
  // The element counts as a timeuuid, the type of the names of a list's cells.
  const TypePtr type = slice != nullptr ? (*whole)->type : ScalarType(TypeKind::kTimeuuid);
  return Expression{SliceExpression{{std::move(**whole)}, {}, {}, {}}, type, term.range};
}

// `list_part` gets the error of an argument that is a part of a list.
ArgumentRules SelectionRules(Planning& planning, std::optional<Error>& list_part) {
  ArgumentRules rules;
  rules.prepare_typed = [&planning, &list_part](const Term& term) -> Result<MaybeExpression> {
    MaybeExpression part = ListPart(term, planning);
    if (!part) return PrepareTypedInside(term, planning);
    list_part = PrepareTyped(term, planning).error();
    return part;
  };
  rules.prepare_untyped = [&planning](const Term& term, const Receiver& parameter) {
    return PrepareFitting(term, parameter.type, planning);
  };
  rules.marker_name = [](const std::string&, size_t) { return std::string("[selection]"); };
  rules.test = [&planning](const Term& term, const TypePtr& parameter) {
    const Result<MaybeExpression> fitted = PrepareFitting(term, parameter, planning);
    // As in Cassandra, the function is chosen first. Fields that the type does not have are reported later.
    if (!fitted.ok()) return std::holds_alternative<UdtTerm>(term.node) ? ArgumentMatch::kWeak : ArgumentMatch::kNone;
    return *fitted ? ArgumentMatch::kWeak : ArgumentMatch::kNone;
  };
  rules.in_selection = true;
  return rules;
}

Result<Expression> PrepareSelectionCall(const FunctionCall& call, SourceRange range, Planning& planning) {
  if (const auto kind = CellTimeKind(call)) return PrepareCellTime(*kind, call, range, planning);
  if (IsOwnToken(call, *planning.table)) return Expression{RowTokenExpression{}, ScalarType(TypeKind::kBigint), range};
  if (call.name.name.text == "count" && call.arguments.size() == 1) {
    const Term& counted = Operand(call.arguments[0], planning);
    if (!ListPart(counted, planning) && IsPartOfNothing(counted, planning)) {
      return InvalidAt(counted.range, StrCat("Type error: ", SelectorText(counted, planning),
                                             " cannot be passed as argument 0 of function system.count of type blob"));
    }
  }
  std::optional<Error> list_part;
  const ArgumentRules rules = SelectionRules(planning, list_part);
  WR_ASSIGN_OR_RETURN(Expression expression, PrepareCall(call, range, nullptr, rules, planning));
  if (list_part) return std::move(*list_part);
  const auto* prepared = std::get_if<CallExpression>(&expression.node);
  if (prepared == nullptr || !prepared->function->is_aggregate()) return expression;
  if (std::none_of(prepared->arguments.begin(), prepared->arguments.end(), HoldsAggregate)) return expression;
  return InvalidAt(range, "aggregate functions cannot be used as arguments of aggregate functions");
}

bool IsDescending(const Expression& expression, const Planning& planning) {
  const auto* column = std::get_if<ColumnExpression>(&expression.node);
  return column != nullptr && planning.table->columns[column->column].descending;
}

// Prepares CAST(x AS type). If x has that type already, the result is x itself, and the name of the output column
// leaves the cast out. But in Cassandra a descending column has another type, so its cast is a part of the name. For
// such a column, the expression gets the range of the cast, by which PrepareSelector recognizes this case.
Result<Expression> PrepareCast(const CastTerm& cast, SourceRange range, Planning& planning) {
  const Term& operand = Operand(cast.operand[0], planning);
  WR_ASSIGN_OR_RETURN(MaybeExpression prepared, PrepareTyped(operand, planning));
  if (!prepared) return CannotInfer(cast.operand[0], planning);
  const std::string& target = cast.type.name.name.text;
  if (TypeText(*prepared->type) == target) {
    if (IsDescending(*prepared, planning)) prepared->range = range;
    return std::move(*prepared);
  }
  if (!FunctionExists(CastFunctionName(cast))) {
    return InvalidAt(range, SelectedName(operand, planning) + " cannot be cast to " + target);
  }
  return PrepareSelectionCall(CallOf(cast, range), range, planning);
}

Result<Expression> PrepareCount(SourceRange range) {
  WR_ASSIGN_OR_RETURN(FunctionPtr function, ResolveFunction("count", std::span<const FunctionArgument>(), nullptr));
  return Expression{CallExpression{function, {}}, function->returns, range};
}

Result<MaybeExpression> PrepareHinted(const TypeHint& hint, const Term& term, Planning& planning) {
  WR_ASSIGN_OR_RETURN(const TypePtr thawed, ResolveType(hint.type, planning.schema, planning.keyspace()));
  const TypePtr type = WithFrozen(thawed, true);
  WR_ASSIGN_OR_RETURN(MaybeExpression fitted, PrepareFitting(hint.operand[0], type, planning));
  if (!fitted) {
    const std::string text = SelectorText(term, planning);
    return InvalidAt(term.range, StrCat("Cannot assign value ", text, " to ", text, " of type ", TypeText(*type)));
  }
  fitted->range = term.range;
  return fitted;
}

Result<MaybeExpression> Some(Result<Expression> expression) {
  if (!expression.ok()) return std::move(expression).error();
  return MaybeExpression(std::move(expression).value());
}

}  // namespace

Result<MaybeExpression> PrepareTyped(const Term& term, Planning& planning) {
  const SourceRange range = term.range;
  return std::visit(
      Overloaded{
          [&](const ColumnRef& column) { return Some(PrepareColumn(column, range, planning)); },
          [&](const FunctionCall& call) { return Some(PrepareSelectionCall(call, range, planning)); },
          [&](const CountStar&) { return Some(PrepareCount(range)); },
          [&](const FieldAccess& field) { return Some(PrepareField(field, range, planning)); },
          [&](const ElementAccess& element) { return Some(PrepareElementAccess(element, range, planning)); },
          [&](const SliceAccess& slice) { return Some(PrepareSlice(slice, range, planning)); },
          [&](const TypeHint& hint) { return PrepareHinted(hint, term, planning); },
          [&](const CastTerm& cast) { return Some(PrepareCast(cast, range, planning)); },
          [&](const Arithmetic& arithmetic) {
            return Some(PrepareSelectionCall(CallOf(arithmetic, range), range, planning));
          },
          [&](const auto&) { return PrepareTypedComposite(term, planning); },
      },
      term.node);
}

Result<MaybeExpression> PrepareTypedInside(const Term& term, Planning& planning) {
  Result<MaybeExpression> prepared = PrepareTyped(term, planning);
  if (!prepared.ok() && IsPartOfNothing(term, planning)) return MaybeExpression();
  return prepared;
}

bool HoldsAggregate(const Expression& expression) {
  bool holds = false;
  VisitExpressions(expression, [&](const Expression& part) {
    const auto* call = std::get_if<CallExpression>(&part.node);
    holds = holds || (call != nullptr && call->function->is_aggregate());
  });
  return holds;
}

Status ResolveSelectorNames(const Term& term, Planning& planning) {
  if (const auto* column = std::get_if<ColumnRef>(&term.node)) {
    const Result<uint32_t> found = FindColumn(*planning.table, column->name);
    return found.ok() ? OkStatus() : found.error();
  }
  // Names in the index of an element and in the ends of a slice are not resolved, because these are no selectors.
  if (const auto* element = std::get_if<ElementAccess>(&term.node)) {
    return ResolveSelectorNames(element->base[0], planning);
  }
  if (const auto* slice = std::get_if<SliceAccess>(&term.node)) return ResolveSelectorNames(slice->base[0], planning);
  Status status = OkStatus();
  const auto resolve = [&](const Term& part) {
    if (status.ok()) status = ResolveSelectorNames(part, planning);
  };
  // Keys of maps are not resolved either, because they could be the names of a user-defined type's fields.
  if (const auto* map = std::get_if<MapTerm>(&term.node)) {
    std::ranges::for_each(map->values, resolve);
  } else {
    ForEachPart(term, resolve);
  }
  const auto* call = std::get_if<FunctionCall>(&term.node);
  const bool is_call = call != nullptr && !CellTimeKind(*call);
  if (!status.ok() || (!is_call && !std::holds_alternative<Arithmetic>(term.node))) return status;
  const Result<MaybeExpression> prepared = PrepareTyped(term, planning);
  return prepared.ok() ? OkStatus() : prepared.error();
}

Result<Expression> PreparePart(const Term& term, Planning& planning) {
  const SourceRange range = term.range;
  if (const auto* field = std::get_if<FieldAccess>(&term.node)) return PrepareField(*field, range, planning);
  if (const auto* element = std::get_if<ElementAccess>(&term.node))
    return PrepareElementAccess(*element, range, planning);
  if (const auto* slice = std::get_if<SliceAccess>(&term.node)) return PrepareSlice(*slice, range, planning);
  return PrepareColumn(std::get<ColumnRef>(term.node), range, planning);
}

Result<Expression> PrepareGrouping(const Term& term, Planning& planning) {
  WR_ASSIGN_OR_RETURN(MaybeExpression expression, PrepareTyped(term, planning));
  if (!expression) return CannotInfer(term, planning);
  return std::move(*expression);
}

Result<OutputColumn> PrepareSelector(const Selector& selector, Planning& planning) {
  Result<MaybeExpression> prepared = PrepareTyped(selector.term, planning);
  if (!prepared.ok() || !*prepared) {
    // As in Cassandra, an unknown name comes before the errors of types.
    WR_RETURN_IF_ERROR(ResolveSelectorNames(selector.term, planning));
    return prepared.ok() ? CannotInfer(selector.term, planning) : std::move(prepared).error();
  }
  MaybeExpression& expression = *prepared;
  const Term* named = &selector.term;
  // A cast to the operand's own type adds nothing to the name.
  for (const auto* cast = std::get_if<CastTerm>(&named->node); cast != nullptr;
       cast = std::get_if<CastTerm>(&named->node)) {
    if (expression->range == named->range) break;
    named = &Ungrouped(cast->operand[0]);
  }
  return OutputColumn{selector.alias ? selector.alias->text : SelectedName(*named, planning), std::move(*expression)};
}

}  // namespace widerow
