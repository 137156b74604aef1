// The native protocol's bytes of values (v4 section 6): validation, and conversion of composite values and numbers.
#pragma once

#include <vector>

#include "base/result.h"
#include "types/type.h"

namespace widerow {

// Checks that `bytes` is a well-formed value of `type`, at every level. Empty bytes are valid for every type, except
// where Cassandra refuses them. The error is kInvalid, with Cassandra's sentence ("Expected 4 or 0 byte int (3)").
Status ValidateValue(const Type& type, ByteView bytes);

// True if empty bytes count as null. Cassandra treats them as null where it uses the value instead of its bytes: in
// arguments of functions and in the elements of a list bound to IN. Empty texts and blobs are values.
bool ReadsAsNull(const Type& type, ByteView bytes);

// The message for a null among the elements of a collection.
inline constexpr const char* kNullElement = "Null value read when not allowed";

// Returns the elements of a list, set or vector. The elements of a map are returned as key, value, key, value, …. The
// results borrow `bytes`. kInvalid if `bytes` is malformed, or if bytes follow the value.
Result<std::vector<ValueView>> SplitCollection(const Type& type, ByteView bytes);
// Returns the fields of a tuple or UDT; missing fields at the end are nulls.
Result<std::vector<ValueView>> SplitTuple(const Type& type, ByteView bytes);
// Do the inverse of the Split functions. Elements must be in order (see SortCollection); those of a map are key, value,
// key, value, ….
Bytes JoinCollection(const Type& type, const std::vector<ValueView>& elements);
Bytes JoinTuple(const std::vector<ValueView>& fields);
// Sorts a set's elements or a map's pairs in CQL order and removes repeats; of equal keys the last one stays. Lists are
// unchanged.
void SortCollection(const Type& type, std::vector<ValueView>& elements);

// DecodeInteger and EncodeInteger convert values of tinyint, smallint, int, bigint, counter, timestamp and time. The
// bytes of a date are an unsigned number (2^31 is 1970-01-01). DecodeInteger returns it as a signed one: cast the
// result to uint32_t.
int64_t DecodeInteger(ByteView bytes);              // Big-endian two's complement, 1 to 8 bytes.
Bytes EncodeInteger(TypeKind kind, int64_t value);  // The number of bytes follows from `kind`.
Bytes EncodeDouble(double value);
Bytes EncodeFloat(float value);
double DecodeDouble(ByteView eight_bytes);
float DecodeFloat(ByteView four_bytes);

}  // namespace widerow
