// Each Prepare… function handles one kind of literal. It checks the receiver's type and prepares every element for the
// type that an element must have. If all elements are constants, the result is a constant. PrepareElement turns errors
// of elements into Cassandra's sentence about the whole literal.
#include <algorithm>

#include "base/text.h"
#include "planner/terms/assignable.h"
#include "planner/terms/prepare_term.h"

namespace widerow {
namespace {

constexpr std::string_view kResultMismatch = "Type error: cannot assign result of function";

// Prepares one element of a collection literal. `sentence()` makes the sentence for a value of another type.
template <typename Sentence>
Result<Expression> PrepareElement(const Term& term, const Receiver& receiver, const Sentence& sentence,
                                  Planning& planning) {
  if (!Assignable(term, receiver.type, planning)) return Misfit(term, receiver.type, sentence(), planning);
  Result<Expression> element = PrepareTerm(term, receiver, planning);
  // Cassandra tests the type of a call together with the literal around it, so the error is about the literal.
  if (!element.ok() && element.error().message.starts_with(kResultMismatch)) {
    return InvalidAt(term.range, sentence());
  }
  return element;
}

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

// Refuses nulls and bind markers in list, set and map literals.
Status CheckCollectionElement(const Expression& element, const char* what, const Receiver& receiver) {
  if (HoldsMarker(element)) {
    return InvalidAt(element.range,
                     StrCat("Invalid ", what, " literal for ", receiver.name,
                            ": bind variables are not supported inside collection literals"),
                     "bind the whole collection");
  }
  if (IsNullConstant(element)) return InvalidAt(element.range, "null is not supported inside collections");
  return OkStatus();
}

Result<Expression> PrepareVector(const ListTerm& list, SourceRange range, const Receiver& receiver,
                                 Planning& planning) {
  const Type& type = *receiver.type;
  const Receiver element{"value(" + receiver.name + ")", type.arguments[0]};
  if (list.elements.size() != type.dimension) {
    return InvalidAt(range, StrCat("Invalid vector literal for ", receiver.name, " of type ", TypeText(type),
                                   "; expected ", type.dimension, " elements, but given ", list.elements.size()));
  }
  CompositeExpression composite;
  for (const Term& term : list.elements) {
    const auto misfit = [&] {
      return StrCat("Invalid vector literal for ", receiver.name, ": value ", TermText(term, planning),
                    " is not of type ", TypeText(*element.type));
    };
    WR_ASSIGN_OR_RETURN(Expression part, PrepareElement(term, element, misfit, planning));
    if (IsNullConstant(part)) return InvalidAt(term.range, "null is not supported inside vectors");
    composite.parts.push_back(std::move(part));
  }
  return Fold({std::move(composite), receiver.type, range});
}

// Prepares the elements of a list or set. `kind` names it in messages.
Result<CompositeExpression> PrepareElements(const std::vector<Term>& elements, const char* kind,
                                            const Receiver& receiver, Planning& planning) {
  const Receiver element{"value(" + receiver.name + ")", receiver.type->arguments[0]};
  CompositeExpression composite;
  for (const Term& term : elements) {
    const auto misfit = [&] {
      return StrCat("Invalid ", kind, " literal for ", receiver.name, ": value ", TermText(term, planning),
                    " is not of type ", TypeText(*element.type));
    };
    WR_ASSIGN_OR_RETURN(Expression part, PrepareElement(term, element, misfit, planning));
    WR_RETURN_IF_ERROR(CheckCollectionElement(part, kind, receiver));
    composite.parts.push_back(std::move(part));
  }
  return composite;
}

}  // namespace

Result<Expression> PrepareList(const ListTerm& list, SourceRange range, const Receiver& receiver, Planning& planning) {
  if (receiver.type->kind == TypeKind::kVector) return PrepareVector(list, range, receiver, planning);
  if (receiver.type->kind != TypeKind::kList) {
    return InvalidAt(range,
                     "Unexpected receiver type '" + TypeText(*receiver.type) + "'; only list and vector are expected");
  }
  WR_ASSIGN_OR_RETURN(CompositeExpression composite, PrepareElements(list.elements, "list", receiver, planning));
  return Fold({std::move(composite), receiver.type, range});
}

Result<Expression> PrepareSet(const SetTerm& set, SourceRange range, const Receiver& receiver, Planning& planning) {
  const Type& type = *receiver.type;
  if (type.kind == TypeKind::kMap && set.elements.empty()) {  // {} may also be an empty map.
    return Fold({CompositeExpression{}, receiver.type, range});
  }
  if (type.kind != TypeKind::kSet) {
    return InvalidAt(range, "Invalid set literal for " + receiver.name + " of type " + TypeText(type));
  }
  WR_ASSIGN_OR_RETURN(CompositeExpression composite, PrepareElements(set.elements, "set", receiver, planning));
  return Fold({std::move(composite), receiver.type, range});
}

Result<Expression> PrepareMap(const MapTerm& map, SourceRange range, const Receiver& receiver, Planning& planning) {
  const Type& type = *receiver.type;
  if (type.kind != TypeKind::kMap) {
    return InvalidAt(range, "Invalid map literal for " + receiver.name + " of type " + TypeText(type));
  }
  const Receiver key{"key(" + receiver.name + ")", type.arguments[0]};
  const Receiver value{"value(" + receiver.name + ")", type.arguments[1]};
  CompositeExpression composite;
  for (size_t i = 0; i < map.keys.size(); ++i) {
    for (const bool is_key : {true, false}) {
      const Term& term = is_key ? map.keys[i] : map.values[i];
      const Receiver& part_receiver = is_key ? key : value;
      const auto misfit = [&] {
        return StrCat("Invalid map literal for ", receiver.name, is_key ? ": key " : ": value ",
                      TermText(term, planning), " is not of type ", TypeText(*part_receiver.type));
      };
      WR_ASSIGN_OR_RETURN(Expression part, PrepareElement(term, part_receiver, misfit, planning));
      WR_RETURN_IF_ERROR(CheckCollectionElement(part, "map", receiver));
      composite.parts.push_back(std::move(part));
    }
  }
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
  if (tuple.elements.size() > type.arguments.size()) {
    return InvalidAt(range,
                     StrCat("Invalid tuple literal for ", receiver.name, ": too many elements. Type ", TypeText(type),
                            " expects ", type.arguments.size(), " but got ", tuple.elements.size()));
  }
  CompositeExpression composite;
  for (size_t i = 0; i < tuple.elements.size(); ++i) {
    const Receiver field{StrCat(receiver.name, "[", i, "]"), type.arguments[i]};
    const auto misfit = [&] {
      return StrCat("Invalid tuple literal for ", receiver.name, ": component ", i, " is not of type ",
                    TypeText(*field.type));
    };
    WR_ASSIGN_OR_RETURN(Expression part, PrepareElement(tuple.elements[i], field, misfit, planning));
    composite.parts.push_back(std::move(part));
  }
  return Fold({std::move(composite), receiver.type, range});
}

Result<Expression> PrepareUdt(const UdtTerm& udt, SourceRange range, const Receiver& receiver, Planning& planning) {
  const Type& type = *receiver.type;
  if (type.kind != TypeKind::kUdt) {
    return InvalidAt(range, "Invalid user type literal for " + receiver.name + " of type " + TypeText(type));
  }
  CompositeExpression composite;
  for (const TypePtr& field_type : type.arguments) {
    composite.parts.push_back({ConstantExpression{}, field_type, range});
  }
  for (size_t i = 0; i < udt.names.size(); ++i) {
    const auto found = std::find(type.field_names.begin(), type.field_names.end(), udt.names[i].text);
    if (found == type.field_names.end()) {
      return InvalidAt(udt.names[i].range,
                       "Unknown field '" + udt.names[i].text + "' in value of user defined type " + type.name,
                       "its fields are " + JoinNames(type.field_names));
    }
    const size_t at = static_cast<size_t>(found - type.field_names.begin());
    const Receiver field{receiver.name + "." + type.field_names[at], type.arguments[at]};
    const auto misfit = [&] {
      return StrCat("Invalid user type literal for ", receiver.name, ": field ", type.field_names[at],
                    " is not of type ", TypeText(*field.type));
    };
    WR_ASSIGN_OR_RETURN(composite.parts[at], PrepareElement(udt.values[i], field, misfit, planning));
  }
  return Fold({std::move(composite), receiver.type, range});
}

}  // namespace widerow
