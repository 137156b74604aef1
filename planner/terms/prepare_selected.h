// Prepares terms of the select clause whose type follows from where they are used, or from their parts: constants, bind
// markers, lists, sets, maps, tuples and values of user-defined types. Their parts may be columns and calls. Internal
// to planner/terms.
#pragma once

#include <optional>

#include "planner/terms/planning.h"

namespace widerow {

using MaybeExpression = std::optional<Expression>;

// Prepares a term whose type is known from the term itself, such as a column, a call or a term with a type hint.
// Returns nullopt for other terms. Defined in prepare_selector.cc.
Result<MaybeExpression> PrepareTyped(const Term& term, Planning& planning);

// Like PrepareTyped, for an argument of a call, or for an element of a list, set or tuple. Also returns nullopt for a
// part of a value whose type has no such part, such as an element of an int. As in Cassandra, the error is then about
// the call or the collection that contains the term.
Result<MaybeExpression> PrepareTypedInside(const Term& term, Planning& planning);

// Prepares a list or set that has an element of a known type, or a tuple whose fields all have known types. Returns
// nullopt for other terms. A list or set gets the type of its first element whose type is known.
Result<MaybeExpression> PrepareTypedComposite(const Term& term, Planning& planning);

// Prepares a term as a value of `type`. Returns nullopt if the term does not fit.
Result<MaybeExpression> PrepareFitting(const Term& term, const TypePtr& type, Planning& planning);

// Returns the error for a term that has no type: "Cannot infer type for term …".
Error CannotInfer(const Term& term, const Planning& planning);

}  // namespace widerow
