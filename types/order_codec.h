// Order-preserving encodings of key components: Cassandra's byte-comparable format, version OSS50
// (org.apache.cassandra.utils.bytecomparable; its ByteComparable.md is the specification). The unsigned byte order of
// the encodings equals Compare() of the values, ascending or, for a descending column, reversed.
#pragma once

#include "base/result.h"
#include "types/type.h"

namespace widerow {

// Appends one component: a separator (0x40, or the marker of an empty value or null) and the value's bytes, inverted if
// `descending`. nullopt (null, inside tuples) sorts first. `value` must have passed ValidateValue. In Cassandra, the
// end of a text, ascii, blob, inet or duration shows only in the next byte; here such a value ends with Cassandra's
// terminator 0x38. So no component is a prefix of another, a key is the concatenation of its components, and [prefix,
// ByteSuccessor(prefix)) holds exactly the keys that begin with the prefix's components.
void AppendComparable(const Type& type, bool descending, ValueView value, Bytes& out);

// Removes one component from the front of `in` and returns its value. If KeepsBytes is false for the type, the value
// compares equal to the original, but its bytes may differ. kServerError if `in` is malformed.
Result<Value> TakeComparable(const Type& type, bool descending, ByteView& in);
// Like TakeComparable, but stores the result in `value`, whose memory is used again. Returns false for null; `value` is
// then empty.
Result<bool> TakeComparableInto(const Type& type, bool descending, ByteView& in, Bytes& value);
// Removes one component from the front of `in` without decoding it.
Status SkipComparable(const Type& type, bool descending, ByteView& in);

// True if decoding returns the original bytes. False for decimal, varint, boolean, float, double, tuple and UDT, and
// for types that contain one of them. Rows then store the original value besides the key.
bool KeepsBytes(const Type& type);

// Returns the smallest byte string greater than every string that starts with `prefix`. Encodings that start with the
// components of `prefix` sort between `prefix` and the result. If there is none (all bytes of `prefix` are 0xFF), the
// result is empty, which means no bound.
Bytes ByteSuccessor(ByteView prefix);

}  // namespace widerow
