// The native protocol's bytes of values (v4 section 6): checking them, and taking composite ones apart.
#pragma once

#include <vector>

#include "base/result.h"
#include "types/type.h"

namespace widerow {

// Checks that `bytes` is a well-formed value of `type`, at every level. Empty bytes are a value of every type except
// where Cassandra refuses them. kInvalid with Cassandra's sentence ("Expected 4 or 0 byte int (3)").
Status ValidateValue(const Type& type, ByteView bytes);

// A value of no bytes counts as null where Cassandra works with the value instead of its bytes: in the arguments of functions and
// in the elements of a list that is bound to IN. Texts and blobs are the exception.
bool ReadsAsNull(const Type& type, ByteView bytes);

// What is said of a null among the elements of a collection.
inline constexpr const char* kNullElement = "Null value read when not allowed";

// Elements of a list, set or vector; of a map as key, value, key, value, …. Views into `bytes`.
// kInvalid if `bytes` is malformed or has bytes left over.
Result<std::vector<ValueView>> SplitCollection(const Type& type, ByteView bytes);
// Fields of a tuple or UDT; fewer than declared are filled up with nulls.
Result<std::vector<ValueView>> SplitTuple(const Type& type, ByteView bytes);
// The inverse: elements must already be in order (see SortCollection). For a map: key, value, key, value, ….
Bytes JoinCollection(const Type& type, const std::vector<ValueView>& elements);
Bytes JoinTuple(const std::vector<ValueView>& fields);
// Sorts a set's elements or a map's pairs in CQL order and drops repeats (a map keeps the last). Lists stay.
void SortCollection(const Type& type, std::vector<ValueView>& elements);

// Integers: from any of tinyint, smallint, int, bigint, counter, timestamp, time, date(unsigned day, 2^31 = epoch).
int64_t DecodeInteger(ByteView bytes);  // Big-endian two's complement, 1 to 8 bytes.
Bytes EncodeInteger(TypeKind kind, int64_t value);  // Wide as `kind` is.
Bytes EncodeDouble(double value);
Bytes EncodeFloat(float value);
double DecodeDouble(ByteView eight_bytes);
float DecodeFloat(ByteView four_bytes);

}  // namespace widerow
