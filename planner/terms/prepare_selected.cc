// PrepareFitting has a Fit… function for each kind of composite term. It prepares each part for the type that the part
// must have. Each part is prepared once, because preparing a part twice at each level of nesting would cost 2^depth.
#include "planner/terms/prepare_selected.h"

#include <algorithm>

#include "base/overloaded.h"
#include "base/text.h"
#include "planner/terms/assignable.h"
#include "planner/terms/prepare_term.h"
#include "planner/terms/selector_text.h"

namespace widerow {
namespace {

// Returns the expression as a value of `type`: (varint)i has the bytes of the int i. Returns nullopt if the bytes are
// no value of `type`.
MaybeExpression AsType(Expression expression, const TypePtr& type) {
  // A collection that is not frozen does not fit the same kind of collection in a type hint, because a type in a hint
  // is frozen. It may fit another type, such as blob.
  const bool multi_cell = expression.type->is_multi_cell() && type->kind == expression.type->kind;
  if (multi_cell || !ValueCompatible(*type, *expression.type)) return std::nullopt;
  expression.type = type;
  return expression;
}

bool IsTupleLike(const Type& type) { return type.kind == TypeKind::kTuple || type.kind == TypeKind::kUdt; }

Result<MaybeExpression> Composed(CompositeExpression composite, const TypePtr& type, SourceRange range) {
  composite.nulls_in_list = type->kind == TypeKind::kList;
  WR_ASSIGN_OR_RETURN(Expression folded, Fold({std::move(composite), type, range}));
  return MaybeExpression(std::move(folded));
}

// Appends the part; returns false if it does not fit.
Result<bool> AddPart(const Term& term, const TypePtr& type, CompositeExpression& composite, Planning& planning) {
  WR_ASSIGN_OR_RETURN(MaybeExpression part, PrepareFitting(term, type, planning));
  if (part) composite.parts.push_back(std::move(*part));
  return part.has_value();
}

Result<MaybeExpression> FitElements(const std::vector<Term>& elements, const TypePtr& type, SourceRange range,
                                    Planning& planning) {
  CompositeExpression composite;
  for (const Term& element : elements) {
    WR_ASSIGN_OR_RETURN(const bool fits, AddPart(element, type->arguments[0], composite, planning));
    if (!fits) return MaybeExpression();
  }
  return Composed(std::move(composite), type, range);
}

Result<MaybeExpression> FitList(const ListTerm& list, const TypePtr& type, SourceRange range, Planning& planning) {
  const bool vector = type->kind == TypeKind::kVector;
  if (type->kind != TypeKind::kList && !vector) return MaybeExpression();
  WR_ASSIGN_OR_RETURN(MaybeExpression fitted, FitElements(list.elements, type, range, planning));
  if (fitted && vector && list.elements.size() != type->dimension) {
    return InvalidAt(range,
                     StrCat("Unable to create a vector selector of type ", TypeText(*type), " from ",
                            list.elements.size(), " elements"),
                     StrCat("a vector of this type has ", type->dimension));
  }
  return fitted;
}

Result<MaybeExpression> FitSet(const SetTerm& set, const TypePtr& type, SourceRange range, Planning& planning) {
  const bool empty_map = type->kind == TypeKind::kMap && set.elements.empty();
  if (type->kind != TypeKind::kSet && !empty_map) return MaybeExpression();
  return FitElements(set.elements, type, range, planning);
}

Result<MaybeExpression> FitMap(const MapTerm& map, const TypePtr& type, SourceRange range, Planning& planning) {
  if (type->kind != TypeKind::kMap) return MaybeExpression();
  CompositeExpression composite;
  for (size_t i = 0; i < map.keys.size(); ++i) {
    WR_ASSIGN_OR_RETURN(const bool key_fits, AddPart(map.keys[i], type->arguments[0], composite, planning));
    if (!key_fits) return MaybeExpression();
    WR_ASSIGN_OR_RETURN(const bool value_fits, AddPart(map.values[i], type->arguments[1], composite, planning));
    if (!value_fits) return MaybeExpression();
  }
  return Composed(std::move(composite), type, range);
}

Result<MaybeExpression> FitTuple(const TupleTerm& tuple, const TypePtr& type, SourceRange range, Planning& planning) {
  if (!IsTupleLike(*type)) {
    if (tuple.elements.size() != 1) return MaybeExpression();
    return PrepareFitting(tuple.elements[0], type, planning);  // (x) is x in parentheses.
  }
  if (tuple.elements.size() > type->arguments.size()) return MaybeExpression();
  CompositeExpression composite;
  for (size_t i = 0; i < tuple.elements.size(); ++i) {
    WR_ASSIGN_OR_RETURN(const bool fits, AddPart(tuple.elements[i], type->arguments[i], composite, planning));
    if (!fits) return MaybeExpression();
  }
  return Composed(std::move(composite), type, range);
}

// Prepares {a: 1}, which is a value of a user-defined type, or a map whose key is the value of column a.
Result<MaybeExpression> FitUdt(const UdtTerm& udt, const TypePtr& type, SourceRange range, Planning& planning) {
  if (type->kind == TypeKind::kMap) {
    MapTerm map{{}, udt.values};
    for (const Identifier& name : udt.names) map.keys.push_back({ColumnRef{name}, name.range});
    return FitMap(map, type, range, planning);
  }
  if (type->kind != TypeKind::kUdt) return MaybeExpression();
  CompositeExpression composite;
  for (const TypePtr& field : type->arguments) composite.parts.push_back({ConstantExpression{}, field, range});
  const Identifier* unknown = nullptr;
  for (size_t i = 0; i < udt.names.size(); ++i) {
    const auto found = std::find(type->field_names.begin(), type->field_names.end(), udt.names[i].text);
    if (found == type->field_names.end()) {
      if (unknown == nullptr) unknown = &udt.names[i];
      continue;
    }
    const auto at = static_cast<size_t>(found - type->field_names.begin());
    WR_ASSIGN_OR_RETURN(MaybeExpression part, PrepareFitting(udt.values[i], type->arguments[at], planning));
    if (!part) return MaybeExpression();
    composite.parts[at] = std::move(*part);
  }
  if (unknown == nullptr) return Composed(std::move(composite), type, range);
  return InvalidAt(unknown->range, "Unknown field '" + unknown->text + "' in value of user defined type " + type->name,
                   "its fields are " + JoinNames(type->field_names));
}

Result<MaybeExpression> FitConstant(const Term& term, const TypePtr& type, Planning& planning) {
  if (!Assignable(term, type, planning)) return MaybeExpression();
  WR_ASSIGN_OR_RETURN(Expression expression, PrepareTerm(term, {"[selection]", type}, planning));
  return MaybeExpression(std::move(expression));
}

Error PartMisfit(const Term& part, const Term& whole, const Type& type, const Planning& planning) {
  return InvalidAt(part.range, StrCat("Cannot assign value ", SelectorText(part, planning), " to ",
                                      SelectorText(whole, planning), " of type ", TypeText(type)));
}

Result<MaybeExpression> TypedElements(const Term& term, const std::vector<Term>& elements, TypeKind kind,
                                      Planning& planning) {
  std::vector<MaybeExpression> typed;
  TypePtr element_type;  // The type of the first element whose type is known, as a frozen type.
  TypePtr first_type;    // The same type before it is frozen: the element type of the result.
  for (const Term& element : elements) {
    WR_ASSIGN_OR_RETURN(typed.emplace_back(), PrepareTypedInside(element, planning));
    if (!typed.back()) continue;
    if (first_type == nullptr) first_type = typed.back()->type;
    typed.back()->type = WithFrozen(typed.back()->type, true);
    if (element_type == nullptr) element_type = typed.back()->type;
  }
  if (element_type == nullptr) return MaybeExpression();
  if (kind == TypeKind::kSet && element_type->kind == TypeKind::kDuration) {
    return InvalidAt(term.range, "Durations are not allowed inside sets: frozen<set<duration>>");
  }
  const TypePtr type = kind == TypeKind::kList ? ListType(first_type, true) : SetType(first_type, true);
  CompositeExpression composite;
  for (size_t i = 0; i < elements.size(); ++i) {
    MaybeExpression part;
    if (typed[i]) {
      part = AsType(std::move(*typed[i]), element_type);
    } else if (std::holds_alternative<Literal>(elements[i].node)) {
      WR_ASSIGN_OR_RETURN(part, PrepareTerm(elements[i], {"[selection]", element_type}, planning));
    } else {
      WR_ASSIGN_OR_RETURN(part, PrepareFitting(elements[i], element_type, planning));
    }
    if (!part) return PartMisfit(elements[i], term, *type, planning);
    composite.parts.push_back(std::move(*part));
  }
  return Composed(std::move(composite), type, term.range);
}

// Checks a term in parentheses. As in Cassandra, an error inside of the term is reported before the error that the
// parentheses have no type. Of a CAST, only the operand is checked, because an impossible CAST is reported later.
Status CheckGrouped(const Term& term, Planning& planning) {
  if (const auto* const cast = std::get_if<CastTerm>(&Ungrouped(term).node)) {
    return CheckGrouped(cast->operand[0], planning);
  }
  const Result<MaybeExpression> prepared = PrepareTypedInside(term, planning);
  return prepared.ok() ? OkStatus() : Status(prepared.error());
}

Result<MaybeExpression> TypedTuple(const TupleTerm& tuple, SourceRange range, Planning& planning) {
  if (tuple.elements.size() < 2) {
    // One term in parentheses may be a tuple or only grouped.
    WR_RETURN_IF_ERROR(CheckGrouped(tuple.elements[0], planning));
    return MaybeExpression();
  }
  CompositeExpression composite;
  std::vector<TypePtr> types;
  for (const Term& element : tuple.elements) {
    WR_ASSIGN_OR_RETURN(MaybeExpression part, PrepareTypedInside(element, planning));
    if (!part) return MaybeExpression();
    types.push_back(WithFrozen(part->type, true));
    composite.parts.push_back(std::move(*part));
  }
  return Composed(std::move(composite), TupleType(std::move(types)), range);
}

}  // namespace

Result<MaybeExpression> PrepareTypedComposite(const Term& term, Planning& planning) {
  return std::visit(
      Overloaded{
          [&](const ListTerm& list) { return TypedElements(term, list.elements, TypeKind::kList, planning); },
          [&](const SetTerm& set) { return TypedElements(term, set.elements, TypeKind::kSet, planning); },
          [&](const TupleTerm& tuple) { return TypedTuple(tuple, term.range, planning); },
          [](const auto&) -> Result<MaybeExpression> { return MaybeExpression(); },
      },
      term.node);
}

Result<MaybeExpression> PrepareFitting(const Term& term, const TypePtr& type, Planning& planning) {
  const SourceRange range = term.range;
  return std::visit(Overloaded{
                        [&](const Literal&) { return FitConstant(term, type, planning); },
                        [&](const BindMarker&) { return FitConstant(term, type, planning); },
                        [&](const ListTerm& list) { return FitList(list, type, range, planning); },
                        [&](const SetTerm& set) { return FitSet(set, type, range, planning); },
                        [&](const MapTerm& map) { return FitMap(map, type, range, planning); },
                        [&](const TupleTerm& tuple) { return FitTuple(tuple, type, range, planning); },
                        [&](const UdtTerm& udt) { return FitUdt(udt, type, range, planning); },
                        [&](const auto&) -> Result<MaybeExpression> {
                          WR_ASSIGN_OR_RETURN(MaybeExpression typed, PrepareTypedInside(term, planning));
                          if (!typed) return MaybeExpression();
                          return AsType(std::move(*typed), type);
                        },
                    },
                    term.node);
}

Error CannotInfer(const Term& term, const Planning& planning) {
  return InvalidAt(term.range, "Cannot infer type for term " + SelectorText(term, planning) +
                                   " in selection clause (try using a cast to force a type)");
}

}  // namespace widerow
