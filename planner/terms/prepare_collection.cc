// Each Prepare… function handles one kind of literal. It checks the receiver's type, then whether every element fits
// the type that an element must have, and then prepares the elements. If all elements are constants, the result is a
// constant. As in Cassandra, an element that does not fit is reported before anything that is wrong inside of an
// element.
#include <algorithm>

#include "base/text.h"
#include "planner/terms/assignable.h"
#include "planner/terms/prepare_term.h"

namespace widerow {
namespace {

constexpr std::string_view kResultMismatch = "Type error: cannot assign result of function";

bool HoldsMarker(const Expression& expression) {
  if (std::holds_alternative<MarkerExpression>(expression.node)) return true;
  if (const auto* call = std::get_if<CallExpression>(&expression.node)) {
    return std::any_of(call->arguments.begin(), call->arguments.end(), HoldsMarker);
  }
  if (const auto* composite = std::get_if<CompositeExpression>(&expression.node)) {
    return std::any_of(composite->parts.begin(), composite->parts.end(), HoldsMarker);
  }
  return false;
}

Error NoMarkers(const std::string& literal, SourceRange range) {
  return InvalidAt(range, "Invalid " + literal + ": bind variables are not supported inside collection literals",
                   "bind the whole collection");
}

// Returns the sentence which says that element `i` of a literal does not have the required type.
template <typename ReceiverOf, typename PlaceOf>
std::string ElementMisfit(const std::string& literal, size_t i, const ReceiverOf& receiver_of,
                          const PlaceOf& place_of) {
  return StrCat("Invalid ", literal, ": ", place_of(i), " is not of type ", TypeText(*receiver_of(i).type));
}

// Refuses elements of wrong types. The parameters are those of PrepareElements.
template <typename ReceiverOf, typename PlaceOf>
Status CheckElements(const std::string& literal, const std::vector<const Term*>& terms, const ReceiverOf& receiver_of,
                     const PlaceOf& place_of, Planning& planning) {
  for (size_t i = 0; i < terms.size(); ++i) {
    const Receiver& receiver = receiver_of(i);
    if (Assignable(*terms[i], receiver.type, planning)) continue;
    return Misfit(*terms[i], receiver.type, ElementMisfit(literal, i, receiver_of, place_of), planning);
  }
  return OkStatus();
}

// Prepares the elements of a literal, which `literal` names in messages: "list literal for c". receiver_of(i) is what
// the element i must be, and place_of(i) tells where it is in the literal: "value (1, 2)", "component 0". If `unmarked`
// is 0, the elements may have bind markers. Otherwise they may not. This is checked each time when `unmarked` further
// elements have been prepared.
template <typename ReceiverOf, typename PlaceOf>
Result<CompositeExpression> PrepareElements(const std::string& literal, const std::vector<const Term*>& terms,
                                            const ReceiverOf& receiver_of, const PlaceOf& place_of, size_t unmarked,
                                            Planning& planning) {
  WR_RETURN_IF_ERROR(CheckElements(literal, terms, receiver_of, place_of, planning));
  CompositeExpression composite;
  composite.parts.reserve(terms.size());
  for (size_t i = 0; i < terms.size(); ++i) {
    Result<Expression> part = PrepareTerm(*terms[i], receiver_of(i), planning);
    // Cassandra tests the type of a call together with the literal around it, so the error is about the literal.
    if (!part.ok() && part.error().message.starts_with(kResultMismatch)) {
      return InvalidAt(terms[i]->range, ElementMisfit(literal, i, receiver_of, place_of));
    }
    if (!part.ok()) return std::move(part).error();
    composite.parts.push_back(std::move(part).value());
    if (unmarked == 0 || (i + 1) % unmarked != 0) continue;
    for (size_t at = i + 1 - unmarked; at <= i; ++at) {
      if (HoldsMarker(composite.parts[at])) return NoMarkers(literal, composite.parts[at].range);
    }
  }
  return composite;
}

// Calls PrepareElements for the elements of a list, set or vector.
Result<CompositeExpression> PrepareValues(const std::string& literal, const std::vector<Term>& elements,
                                          const Receiver& receiver, size_t unmarked, Planning& planning) {
  const Receiver each{"value(" + receiver.name + ")", receiver.type->arguments[0]};
  std::vector<const Term*> terms;
  for (const Term& term : elements) terms.push_back(&term);
  return PrepareElements(
      literal, terms, [&](size_t) -> const Receiver& { return each; },
      [&](size_t i) { return "value " + TermText(*terms[i], planning); }, unmarked, planning);
}

// Refuses nulls in list, set and map literals.
Status CheckNulls(const CompositeExpression& composite) {
  for (const Expression& element : composite.parts) {
    if (IsNullConstant(element)) return InvalidAt(element.range, "null is not supported inside collections");
  }
  return OkStatus();
}

Result<Expression> PrepareVector(const ListTerm& list, SourceRange range, const Receiver& receiver,
                                 Planning& planning) {
  const Type& type = *receiver.type;
  if (list.elements.size() != type.dimension) {
    return InvalidAt(range, StrCat("Invalid vector literal for ", receiver.name, " of type ", TypeText(type),
                                   "; expected ", type.dimension, " elements, but given ", list.elements.size()));
  }
  WR_ASSIGN_OR_RETURN(CompositeExpression composite,
                      PrepareValues("vector literal for " + receiver.name, list.elements, receiver, 0, planning));
  for (const Expression& part : composite.parts) {
    if (IsNullConstant(part)) return InvalidAt(part.range, "null is not supported inside vectors");
  }
  return Fold({std::move(composite), receiver.type, range});
}

// Prepares a list or set literal. `kind` names it in messages.
Result<Expression> PrepareListOrSet(const std::vector<Term>& elements, const char* kind, SourceRange range,
                                    const Receiver& receiver, Planning& planning) {
  const std::string literal = StrCat(kind, " literal for ", receiver.name);
  WR_ASSIGN_OR_RETURN(CompositeExpression composite, PrepareValues(literal, elements, receiver, 1, planning));
  WR_RETURN_IF_ERROR(CheckNulls(composite));
  return Fold({std::move(composite), receiver.type, range});
}

}  // namespace

Result<Expression> PrepareList(const ListTerm& list, SourceRange range, const Receiver& receiver, Planning& planning) {
  if (receiver.type->kind == TypeKind::kVector) return PrepareVector(list, range, receiver, planning);
  if (receiver.type->kind != TypeKind::kList) {
    return InvalidAt(range,
                     "Unexpected receiver type '" + TypeText(*receiver.type) + "'; only list and vector are expected");
  }
  return PrepareListOrSet(list.elements, "list", range, receiver, planning);
}

Result<Expression> PrepareSet(const SetTerm& set, SourceRange range, const Receiver& receiver, Planning& planning) {
  const Type& type = *receiver.type;
  if (type.kind == TypeKind::kMap && set.elements.empty()) {  // {} may also be an empty map.
    return Fold({CompositeExpression{}, receiver.type, range});
  }
  if (type.kind != TypeKind::kSet) {
    return InvalidAt(range, "Invalid set literal for " + receiver.name + " of type " + TypeText(type));
  }
  return PrepareListOrSet(set.elements, "set", range, receiver, planning);
}

Result<Expression> PrepareMap(const MapTerm& map, SourceRange range, const Receiver& receiver, Planning& planning) {
  const Type& type = *receiver.type;
  if (type.kind != TypeKind::kMap) {
    return InvalidAt(range, "Invalid map literal for " + receiver.name + " of type " + TypeText(type));
  }
  const Receiver key{"key(" + receiver.name + ")", type.arguments[0]};
  const Receiver value{"value(" + receiver.name + ")", type.arguments[1]};
  std::vector<const Term*> terms;
  for (size_t i = 0; i < map.keys.size(); ++i) {
    terms.push_back(&map.keys[i]);
    terms.push_back(&map.values[i]);
  }
  const std::string literal = "map literal for " + receiver.name;
  WR_ASSIGN_OR_RETURN(
      CompositeExpression composite,
      PrepareElements(
          literal, terms, [&](size_t i) -> const Receiver& { return i % 2 == 0 ? key : value; },
          [&](size_t i) { return (i % 2 == 0 ? "key " : "value ") + TermText(*terms[i], planning); }, 2, planning));
  WR_RETURN_IF_ERROR(CheckNulls(composite));
  return Fold({std::move(composite), receiver.type, range});
}

Result<Expression> PrepareTuple(const TupleTerm& tuple, SourceRange range, const Receiver& receiver,
                                Planning& planning) {
  const Type& type = *receiver.type;
  if (type.kind != TypeKind::kTuple && type.kind != TypeKind::kUdt) {
    // (x) is no tuple here, but x in parentheses.
    if (tuple.elements.size() == 1) return PrepareTerm(tuple.elements[0], receiver, planning);
    return InvalidAt(range, "Invalid tuple type literal for " + receiver.name + " of type " + TypeText(type));
  }
  const std::string literal = "tuple literal for " + receiver.name;
  std::vector<const Term*> terms;
  std::vector<Receiver> fields;
  for (size_t i = 0; i < std::min(tuple.elements.size(), type.arguments.size()); ++i) {
    terms.push_back(&tuple.elements[i]);
    fields.push_back({StrCat(receiver.name, "[", i, "]"), type.arguments[i]});
  }
  const auto receiver_of = [&](size_t i) -> const Receiver& { return fields[i]; };
  const auto place_of = [](size_t i) { return StrCat("component ", i); };
  if (tuple.elements.size() > type.arguments.size()) {
    WR_RETURN_IF_ERROR(CheckElements(literal, terms, receiver_of, place_of, planning));
    return InvalidAt(range, StrCat("Invalid ", literal, ": too many elements. Type ", TypeText(type), " expects ",
                                   type.arguments.size(), " but got ", tuple.elements.size()));
  }
  WR_ASSIGN_OR_RETURN(CompositeExpression composite,
                      PrepareElements(literal, terms, receiver_of, place_of, 0, planning));
  return Fold({std::move(composite), receiver.type, range});
}

Result<Expression> PrepareUdt(const UdtTerm& udt, SourceRange range, const Receiver& receiver, Planning& planning) {
  const Type& type = *receiver.type;
  if (type.kind != TypeKind::kUdt) {
    return InvalidAt(range, "Invalid user type literal for " + receiver.name + " of type " + TypeText(type));
  }
  // The fields that the literal names, in the order of the type.
  std::vector<const Term*> terms;
  std::vector<Receiver> fields;
  std::vector<size_t> places;
  for (size_t field = 0; field < type.field_names.size(); ++field) {
    const std::string& name = type.field_names[field];
    for (size_t at = udt.names.size(); at-- > 0;) {  // If a field is named twice, the last value counts.
      if (udt.names[at].text != name) continue;
      terms.push_back(&udt.values[at]);
      fields.push_back({receiver.name + "." + name, type.arguments[field]});
      places.push_back(field);
      break;
    }
  }
  WR_ASSIGN_OR_RETURN(
      CompositeExpression named,
      PrepareElements(
          "user type literal for " + receiver.name, terms, [&](size_t i) -> const Receiver& { return fields[i]; },
          [&](size_t i) { return "field " + type.field_names[places[i]]; }, 0, planning));
  for (const Identifier& name : udt.names) {
    if (std::find(type.field_names.begin(), type.field_names.end(), name.text) != type.field_names.end()) continue;
    return InvalidAt(name.range, "Unknown field '" + name.text + "' in value of user defined type " + type.name,
                     "its fields are " + JoinNames(type.field_names));
  }
  CompositeExpression composite;
  for (const TypePtr& field_type : type.arguments) composite.parts.push_back({ConstantExpression{}, field_type, range});
  for (size_t i = 0; i < places.size(); ++i) composite.parts[places[i]] = std::move(named.parts[i]);
  return Fold({std::move(composite), receiver.type, range});
}

}  // namespace widerow
