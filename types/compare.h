// The order of CQL values: Cassandra's AbstractType.compare for each type. An empty value sorts before all others.
#pragma once

#include "types/type.h"

namespace widerow {

// Returns a negative number, zero or a positive number. Both values must have passed ValidateValue. blob, text, ascii:
// unsigned bytes. uuid: version, then time for version 1. timeuuid: time, then signed bytes. decimal: by value (1.0
// equals 1.00). float and double: -0.0 before 0.0, NaN last and equal to itself. Collections: element by element, then
// the shorter one first.
int Compare(const Type& type, ByteView a, ByteView b);

}  // namespace widerow
