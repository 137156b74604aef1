// Sets and maps stand in the order of their elements and keys, wherever they are in a value. Clients may send them in
// any order.
#pragma once

#include "base/result.h"
#include "types/type.h"

namespace widerow {

// Whether values of the type are or hold sets or maps, at any depth.
bool HoldsSets(const Type& type);

// The value with every set and map in it in order and rid of repeats: of equal elements and keys the last one stays.
// Errors: as SplitCollection's and SplitTuple's (types/value_bytes.h), of bytes that ValidateValue would not have
// taken.
Result<Bytes> PutInOrder(const Type& type, ByteView bytes);

}  // namespace widerow
