// Puts the elements of sets and the keys of maps in order, at any depth of a value. Clients may send them in any order.
#pragma once

#include "base/result.h"
#include "types/type.h"

namespace widerow {

// True if the type is, or contains at any depth, a set or a map.
bool HoldsSets(const Type& type);

// Returns the value with the elements of every set and the keys of every map in order and without repeats. Of equal
// elements or keys the last one stays. Bytes that ValidateValue would refuse may give the errors of SplitCollection and
// SplitTuple (types/value_bytes.h).
Result<Bytes> PutInOrder(const Type& type, ByteView bytes);

}  // namespace widerow
