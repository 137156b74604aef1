// Which types may stand for each other, and which constants for a value of a type: Cassandra's rules.
#pragma once

#include "parser/ast_term.h"
#include "types/type.h"

namespace widerow {

// Whether bytes of type `from` may be stored as they are in a column of type `to`: same type (frozen or not), anything
// in blob, ascii in text, timeuuid in uuid, small integers in varint, bigint and timestamp in each other.
bool ValueCompatible(const Type& to, const Type& from);

// Whether a constant may stand for a value of the type: 5 for a bigint or a timestamp, 'x' for an inet or a date, ….
bool LiteralFits(const Literal& literal, const Type& type);

// The type a constant has by itself: 'x' text, 5 int (or bigint, varint), 1.5 double, …; nullptr for null.
TypePtr NaturalType(const Literal& literal);

}  // namespace widerow
