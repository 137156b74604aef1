// Bounds on a statement's text, checked before ANTLR sees it, so that no client's text can exhaust memory or the stack.
#pragma once

#include <cstddef>
#include <string_view>

#include "base/result.h"

namespace widerow {

// Returns the number of the text's words and symbols. kInvalid if the text is longer than limits::kStatementBytesMax,
// has more words and symbols than limits::kStatementTokensMax, or is nested deeper than limits::kNestingMax (brackets,
// chains of NOT, of minus signs and of type hints). kSyntaxError if a string, quoted name or comment is never closed;
// the error's range is the beginning of that string, name or comment.
Result<size_t> CheckBounds(std::string_view text);

}  // namespace widerow
