#include "planner/prepare_selector.h"

#include <algorithm>

#include "base/overloaded.h"
#include "planner/assignable.h"
#include "planner/ddl/apply_ddl.h"
#include "planner/function.h"
#include "planner/prepare_term.h"

namespace widerow {
namespace {

using MaybeExpression = std::optional<Expression>;

Result<MaybeExpression> PrepareTyped(const Term& term, Planning& planning);

Result<Expression> PrepareColumn(const ColumnRef& column, SourceRange range, const Planning& planning) {
  WR_ASSIGN_OR_RETURN(const uint32_t index, FindColumn(*planning.table, column.name));
  return Expression{ColumnExpression{index}, planning.table->columns[index].type, range};
}

// --- Names ----------------------------------------------------------------------------------------------------------

std::optional<CellTimeExpression::Kind> CellTimeKind(const FunctionCall& call) {
  if (call.name.keyspace) return std::nullopt;
  const std::string& name = call.name.name.text;
  if (name == "writetime") return CellTimeExpression::Kind::kWriteTime;
  if (name == "ttl") return CellTimeExpression::Kind::kTtl;
  if (name == "maxwritetime") return CellTimeExpression::Kind::kMaxWriteTime;
  return std::nullopt;
}

std::string SelectorText(const Term& term) {
  const auto list = [](const std::vector<Term>& terms) {
    std::vector<std::string> texts;
    for (const Term& part : terms) texts.push_back(SelectorText(part));
    return JoinNames(texts);
  };
  return std::visit(
      Overloaded{
          [](const ColumnRef& column) { return column.name.text; },
          [](const CountStar&) { return std::string("count"); },
          [&](const FunctionCall& call) {
            return (CellTimeKind(call) ? "" : "system.") + call.name.name.text + "(" + list(call.arguments) + ")";
          },
          [](const FieldAccess& field) { return SelectorText(field.base[0]) + "." + field.field.text; },
          [](const ElementAccess& element) {
            return SelectorText(element.base[0]) + "[" + TermText(element.index[0]) + "]";
          },
          [](const SliceAccess& slice) {
            return SelectorText(slice.base[0]) + "[" + (slice.from.empty() ? "" : TermText(slice.from[0])) + ".." +
                   (slice.to.empty() ? "" : TermText(slice.to[0])) + "]";
          },
          [&](const auto&) { return TermText(term); },
      },
      term.node);
}

// --- Parts of values ------------------------------------------------------------------------------------------------

Error CannotInfer(const Term& term) {
  return InvalidAt(term.range, "Cannot infer type for term " + TermText(term) +
                                   " in selection clause (try using a cast to force a type)");
}

Result<Expression> PrepareBase(const std::vector<Term>& base, Planning& planning) {
  WR_ASSIGN_OR_RETURN(MaybeExpression expression, PrepareTyped(base[0], planning));
  if (!expression) return CannotInfer(base[0]);
  if (IsAggregate(*expression)) return NotSupportedYet(base[0].range, "A part of an aggregate's result");
  return std::move(*expression);
}

Result<Expression> PrepareField(const FieldAccess& field, SourceRange range, Planning& planning) {
  WR_ASSIGN_OR_RETURN(Expression base, PrepareBase(field.base, planning));
  const Type& type = *base.type;
  const std::string name = SelectorText(field.base[0]);
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
  if (type.kind == TypeKind::kList || type.kind == TypeKind::kVector) {
    return InvalidAt(range, "Element selection is only allowed on sets and maps, but " + name + " is a " +
                                (type.kind == TypeKind::kList ? "list" : "vector"));
  }
  if (type.kind != TypeKind::kSet && type.kind != TypeKind::kMap) {
    return InvalidAt(range,
                     "Invalid element selection: " + name + " is of type " + TypeText(type) + " is not a collection");
  }
  return OkStatus();
}

Receiver IndexReceiver(const Type& type, const std::string& name) {
  return {(type.kind == TypeKind::kMap ? "key(" : "value(") + name + ")", type.arguments[0]};
}

Result<Expression> PrepareElementAccess(const ElementAccess& element, SourceRange range, Planning& planning) {
  WR_ASSIGN_OR_RETURN(Expression base, PrepareBase(element.base, planning));
  const TypePtr type = base.type;
  const std::string name = SelectorText(element.base[0]);
  WR_RETURN_IF_ERROR(CheckHasElements(*type, name, range));
  WR_ASSIGN_OR_RETURN(Expression index, PrepareTerm(element.index[0], IndexReceiver(*type, name), planning));
  return Expression{ElementExpression{{std::move(base)}, {std::move(index)}}, type->arguments.back(), range};
}

Result<Expression> PrepareSlice(const SliceAccess& slice, SourceRange range, Planning& planning) {
  WR_ASSIGN_OR_RETURN(Expression base, PrepareBase(slice.base, planning));
  const TypePtr type = base.type;
  const std::string name = SelectorText(slice.base[0]);
  WR_RETURN_IF_ERROR(CheckHasElements(*type, name, range));
  SliceExpression result;
  result.base.push_back(std::move(base));
  for (const Term& from : slice.from) {
    WR_ASSIGN_OR_RETURN(result.from.emplace_back(), PrepareTerm(from, IndexReceiver(*type, name), planning));
  }
  for (const Term& to : slice.to) {
    WR_ASSIGN_OR_RETURN(result.to.emplace_back(), PrepareTerm(to, IndexReceiver(*type, name), planning));
  }
  return Expression{std::move(result), type, range};
}

// --- Functions ------------------------------------------------------------------------------------------------------

Result<Expression> PrepareCellTime(CellTimeExpression::Kind kind, const FunctionCall& call, SourceRange range,
                                   const Planning& planning) {
  const std::string& name = call.name.name.text;
  if (call.arguments.size() != 1) return InvalidAt(range, name + " takes one column");
  const auto* reference = std::get_if<ColumnRef>(&call.arguments[0].node);
  if (reference == nullptr) return NotSupportedYet(range, name + " of a part of a column");
  WR_ASSIGN_OR_RETURN(const uint32_t index, FindColumn(*planning.table, reference->name));
  const ColumnSchema& column = planning.table->columns[index];
  if (column.is_key()) {
    return InvalidAt(range, "Cannot use selection function " + name + " on PRIMARY KEY part " + column.name);
  }
  TypePtr type = ScalarType(kind == CellTimeExpression::Kind::kTtl ? TypeKind::kInt : TypeKind::kBigint);
  if (column.type->is_multi_cell() && kind != CellTimeExpression::Kind::kMaxWriteTime) type = ListType(type);
  return Expression{CellTimeExpression{kind, index}, type, range};
}

// token(k…) of exactly the partition key, in order.
bool IsOwnToken(const FunctionCall& call, const TableSchema& table) {
  if (call.name.name.text != "token" || call.arguments.size() != table.partition_key_size) return false;
  for (size_t i = 0; i < call.arguments.size(); ++i) {
    const auto* column = std::get_if<ColumnRef>(&call.arguments[i].node);
    if (column == nullptr || column->name.text != table.partition_key(i).name) return false;
  }
  return true;
}

ArgumentRules SelectionRules(Planning& planning) {
  ArgumentRules rules;
  rules.prepare_typed = [&planning](const Term& term) { return PrepareTyped(term, planning); };
  rules.marker_name = [](const std::string&, size_t) { return std::string("[selection]"); };
  rules.in_selection = true;
  return rules;
}

Result<Expression> PrepareSelectionCall(const FunctionCall& call, SourceRange range, Planning& planning) {
  if (const auto kind = CellTimeKind(call)) return PrepareCellTime(*kind, call, range, planning);
  if (IsOwnToken(call, *planning.table)) return Expression{RowTokenExpression{}, ScalarType(TypeKind::kBigint), range};
  WR_ASSIGN_OR_RETURN(Expression expression, PrepareCall(call, range, nullptr, SelectionRules(planning), planning));
  const auto* prepared = std::get_if<CallExpression>(&expression.node);
  if (prepared == nullptr) return expression;
  const bool over_aggregate =
      std::any_of(prepared->arguments.begin(), prepared->arguments.end(), [](const auto& a) { return IsAggregate(a); });
  if (!over_aggregate) return expression;
  if (prepared->function->is_aggregate()) {
    return InvalidAt(range, "aggregate functions cannot be used as arguments of aggregate functions");
  }
  return NotSupportedYet(range, "A function of an aggregate");
}

Result<Expression> PrepareCount(SourceRange range) {
  WR_ASSIGN_OR_RETURN(const Function* function, ResolveFunction("count", std::span<const FunctionArgument>(), nullptr));
  return Expression{CallExpression{function, {}}, function->returns, range};
}

Result<MaybeExpression> PrepareHinted(const TypeHint& hint, const Term& term, Planning& planning) {
  WR_ASSIGN_OR_RETURN(const TypePtr type, ResolveType(hint.type, planning.schema, planning.table->keyspace));
  WR_ASSIGN_OR_RETURN(Expression expression, PrepareTerm(term, {"[selection]", type}, planning));
  return MaybeExpression(std::move(expression));
}

Result<MaybeExpression> Some(Result<Expression> expression) {
  if (!expression.ok()) return std::move(expression).error();
  return MaybeExpression(std::move(expression).value());
}

// The expression of a selector whose type is plain; nothing for constants, markers and literals without a hint.
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
          [&](const CastTerm&) -> Result<MaybeExpression> { return NotSupportedYet(range, "CAST"); },
          [&](const Arithmetic&) -> Result<MaybeExpression> { return NotSupportedYet(range, "Arithmetic"); },
          [&](const auto&) -> Result<MaybeExpression> { return MaybeExpression(); },
      },
      term.node);
}

}  // namespace

bool IsAggregate(const Expression& expression) {
  const auto* call = std::get_if<CallExpression>(&expression.node);
  return call != nullptr && call->function->is_aggregate();
}

Result<OutputColumn> PrepareSelector(const Selector& selector, Planning& planning) {
  WR_ASSIGN_OR_RETURN(MaybeExpression expression, PrepareTyped(selector.term, planning));
  if (!expression) return CannotInfer(selector.term);
  return OutputColumn{selector.alias ? selector.alias->text : SelectorText(selector.term), std::move(*expression)};
}

}  // namespace widerow
