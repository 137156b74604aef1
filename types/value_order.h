// Brings the values that clients send into one form, at any depth: the elements of sets and the keys of maps in order,
// and the parts of collections in their shortest encoding.
#pragma once

#include "base/result.h"
#include "types/type.h"

namespace widerow {

// True if a value of the type has sets, maps or lists that PutInOrder may change.
bool MayBePutInOrder(const Type& type);
// True if PutInOrder may change a value of the type.
bool MayBeEncodedAnew(const Type& type);

// Returns the value with the elements of every set and the keys of every map in order and without repeats. Of equal
// elements or keys the last one stays. As in Cassandra, the parts of lists, sets and maps are encoded anew: a varint
// loses leading bytes that it does not need, any byte but 0 becomes the boolean 1. Those of tuples, user-defined types
// and vectors stay as they are. A null field of a user-defined type gets the length -1, unless the value is a part of
// another value; clients may send any negative length. Bytes that ValidateValue would refuse may give the errors of
// SplitCollection and SplitTuple (types/value_bytes.h).
Result<Bytes> PutInOrder(const Type& type, ByteView bytes);

}  // namespace widerow
