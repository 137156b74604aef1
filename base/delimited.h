// Bytes that end themselves and keep their order, as parts of larger keys: Cassandra's byte-comparable form of a blob.
#pragma once

#include "base/bytes.h"

namespace widerow {

// Appends `bytes` so that it ends itself and order is kept: a run of n zero bytes becomes 00 FE…FE FF (n - 1 times FE)
// before another byte and 00 FE…FE (n times) at the end; then a terminating 00. What follows must be below 0xFE.
void AppendDelimited(ByteView bytes, Bytes& out);
// The inverse: takes it and its terminator off the front of `in`, appending to `out`. False if malformed.
bool TakeDelimited(ByteView& in, Bytes& out);
// Moves `in` past it. False if malformed.
bool SkipDelimited(ByteView& in);
// Length of the delimited bytes at the front of `in`, with the terminator; 0 if there is no terminator or no byte after
// it that could follow one.
size_t DelimitedSize(ByteView in);

}  // namespace widerow
