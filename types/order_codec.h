// Order-preserving encodings of key components: Cassandra's byte-comparable format, version OSS50
// (org.apache.cassandra.utils.bytecomparable; its ByteComparable.md is the specification).
// Unsigned byte order of the encodings equals Compare() of the values, ascending or, for a descending column, reversed.
#pragma once

#include "base/result.h"
#include "types/type.h"

namespace widerow {

// Appends one component: a separator (0x40 next component, or the empty/null markers) and the value's bytes, inverted
// if `descending`. nullopt (null, inside tuples) sorts first. `value` must have passed ValidateValue.
// No component is a prefix of another: text, ascii, blob, inet and duration, which Cassandra leaves open to what
// follows, end with its terminator 0x38. A key is thus the components one after the other and nothing else, and
// [prefix, ByteSuccessor(prefix)) holds exactly the keys that begin with these components.
void AppendComparable(const Type& type, bool descending, ValueView value, Bytes& out);

// Takes one component off the front of `in`. For decimal and varint the result is a canonical value that compares equal
// to the original but may differ in bytes (see KeepsBytes). kServerError if `in` is malformed.
Result<Value> TakeComparable(const Type& type, bool descending, ByteView& in);
// Moves `in` past one component without decoding it.
Status SkipComparable(const Type& type, bool descending, ByteView& in);

// Whether decoding gives the original bytes back. False for types that hold a decimal or a varint at any level (and any
// other type whose encoding forgets something): rows then keep the original value beside the key.
bool KeepsBytes(const Type& type);

// A bound on a prefix: encodings that start with the components so far sort between `prefix` and
// ByteSuccessor(prefix), the smallest byte string greater than every string that starts with `prefix`.
// Empty result: there is none (prefix is all 0xFF), i.e. unbounded.
Bytes ByteSuccessor(ByteView prefix);

}  // namespace widerow
