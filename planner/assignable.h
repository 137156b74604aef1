// May a term, as written, be a value of a type? Cassandra's rules for constants, collection literals and function
// results.
#pragma once

#include "parser/ast.h"
#include "planner/planning.h"

namespace widerow {

// Whether bytes of type `from` may be stored as they are in a column of type `to`: same type (frozen or not), anything
// in blob, ascii in text, timeuuid in uuid, small integers in varint, bigint and timestamp in each other.
bool ValueCompatible(const Type& to, const Type& from);

// Whether the term can be prepared for `type`, judged by its shape. Function calls always pass: preparing them tells
// (and preparing twice would cost 2^depth).
bool Assignable(const Term& term, const TypePtr& type, const Planning& planning);

// Whether a constant may stand for a value of the type: 5 for a bigint or a timestamp, 'x' for an inet or a date, ….
bool LiteralFits(const Literal& literal, const Type& type);

// The type a constant has by itself: 'x' text, 5 int (or bigint, varint), 1.5 double, …; nullptr for null.
TypePtr NaturalType(const Literal& literal);

// The term as Cassandra's messages quote it: 'a', [1, 2], (int)5, now().
std::string TermText(const Term& term);

}  // namespace widerow
