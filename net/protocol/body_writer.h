// Writes the notations of the native protocol (v4 section 3). A text that is too long for its notation is cut at a
// character boundary. Only the messages of errors and warnings can be that long.
#pragma once

#include <string>
#include <vector>

#include "base/bytes.h"

namespace widerow {

void AppendString(Bytes& out, std::string_view text);  // [string]: at most 65,535 bytes.
void AppendLongString(Bytes& out, std::string_view text);
void AppendShortBytes(Bytes& out, ByteView bytes);  // [short bytes]: at most 65,535 bytes, which the caller guarantees.
void AppendSizedBytes(Bytes& out, ByteView bytes);  // [bytes]
void AppendStringList(Bytes& out, const std::vector<std::string>& list);

}  // namespace widerow
