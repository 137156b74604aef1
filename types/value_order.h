// Puts the elements of sets and the keys of maps in order, at any depth of a value. Clients may send them in any order.
#pragma once

#include "base/result.h"
#include "types/type.h"

namespace widerow {

// True if the type is, or contains at any depth, a set or a map.
bool HoldsSets(const Type& type);

// The value with every set and map in it in order and rid of repeats: of equal elements and keys the last one stays.
// Errors: as SplitCollection's and SplitTuple's (types/value_bytes.h), of bytes that ValidateValue would not have
// taken.
Result<Bytes> PutInOrder(const Type& type, ByteView bytes);

}  // namespace widerow
