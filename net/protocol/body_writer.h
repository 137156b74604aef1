// Writes the notations of the native protocol (v4 section 3). A text that is too long for its notation is cut at a whole
// character: only messages can be that long.
#pragma once

#include <string>
#include <vector>

#include "base/bytes.h"

namespace widerow {

void AppendString(Bytes& out, std::string_view text);  // [string]: at most 65,535 bytes.
void AppendLongString(Bytes& out, std::string_view text);
void AppendShortBytes(Bytes& out, ByteView bytes);     // At most 65,535 bytes, which the caller sees to.
void AppendSizedBytes(Bytes& out, ByteView bytes);     // [bytes]
void AppendStringList(Bytes& out, const std::vector<std::string>& list);

}  // namespace widerow
