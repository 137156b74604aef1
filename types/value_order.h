// Brings the values that clients send into one form, at any depth: the elements of sets and the keys of maps in order,
// and the parts of collections in their shortest encoding.
#pragma once

#include "base/result.h"
#include "types/type.h"

namespace widerow {

// True if the type is or contains a set, a map or a list whose values PutInOrder may change.
bool MayBePutInOrder(const Type& type);
// True if PutInOrder may change a value of the type: MayBePutInOrder is true, or the type is a user-defined type.
bool MayBeEncodedAnew(const Type& type);

// Returns the value with the elements of every set and the keys of every map in order and without repeats. Of equal
// elements or keys the last one stays. As in Cassandra, the parts of lists, sets and maps are encoded anew: a varint
// loses leading bytes that it does not need, any byte but 0 becomes the boolean 1. The parts of tuples, user-defined
// types and vectors keep their encoding. Clients may send any negative length for a null field. It becomes -1 in a
// user-defined type that is not part of another value, and in tuples and user-defined types for which MayBePutInOrder
// is true. Bytes that ValidateValue would refuse may give the errors of SplitCollection and SplitTuple
// (types/value_bytes.h).
Result<Bytes> PutInOrder(const Type& type, ByteView bytes);

}  // namespace widerow
