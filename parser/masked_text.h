// The text of a statement without its constants, for logs.
#pragma once

#include <string>
#include <string_view>

namespace widerow {

// Returns the text with ? in place of each string, number, uuid and duration, without comments, and with single blanks.
// Any text may be given, also one that does not parse. What could be a constant is replaced: an unclosed string or name
// becomes one ?. Names, keywords, true, false and null stay.
std::string MaskedText(std::string_view text);

}  // namespace widerow
