// Self-delimiting byte strings that keep their order, as parts of larger keys: Cassandra's byte-comparable form of a
// blob.
#pragma once

#include "base/bytes.h"

namespace widerow {

// Appends `bytes` in a form that marks its own end and keeps the order. Only runs of zeros change. A run becomes one
// 00, an FE for each further zero of the run, and then FF if another byte of `bytes` follows, or FE if not. After all
// bytes comes one more 00 as the mark of the end. So 00 00 00 41 becomes 00 FE FE FF 41 00, and 00 00 00 becomes
// 00 FE FE FE 00. The byte that the caller appends next must be below 0xFE.
void AppendDelimited(ByteView bytes, Bytes& out);
// Removes the delimited bytes from the front of `in` and appends the original to `out`. Returns false, and changes
// neither, if the bytes are malformed.
bool TakeDelimited(ByteView& in, Bytes& out);
// Removes the delimited bytes from the front of `in`. False if malformed.
bool SkipDelimited(ByteView& in);
// Returns the length of the delimited bytes at the front of `in`, terminator included; 0 if they are malformed or have
// no terminator.
size_t DelimitedSize(ByteView in);

}  // namespace widerow
