// The text of a statement without its constants, for logs.
#pragma once

#include <string>
#include <string_view>

namespace widerow {

// Returns the text with ? in place of each string, number, uuid and duration, without comments, and with single blanks.
// The text need not parse. Everything that may be a constant is replaced, so an unclosed string or name becomes one ?.
// Names, keywords, true, false and null stay.
std::string MaskedText(std::string_view text);

}  // namespace widerow
