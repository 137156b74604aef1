// Cassandra's rules on values of one type that may be stored as another type, and on constants that may be values of a
// type. Pure functions, any thread.
#pragma once

#include "parser/ast_term.h"
#include "types/type.h"

namespace widerow {

// True if bytes of type `from` may be stored unchanged in a column of type `to`: the same type (frozen or not), any
// type in blob, ascii in text, timeuuid in uuid, bigint and timestamp in each other, bigint in time, int in date, and
// int, bigint and timestamp in varint.
bool ValueCompatible(const Type& to, const Type& from);

// True if the constant may be used as a value of the type: 5 for a bigint or a timestamp, 'x' for an inet or a date, ….
bool LiteralFits(const Literal& literal, const Type& type);

// Returns the type of a constant by itself: 'x' ascii, 'ä' text, 5 int (or bigint, varint), 1.5 double, …; nullptr for
// null.
TypePtr NaturalType(const Literal& literal);

}  // namespace widerow
