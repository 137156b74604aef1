// Bounds on a statement's text, checked before ANTLR sees it, so that no client's text can exhaust memory or the stack.
#pragma once

#include <string_view>

#include "base/result.h"

namespace widerow {

// Checks the bounds. kInvalid if the text is longer than limits::kStatementBytesMax, has more than
// limits::kStatementTokensMax pieces, or is nested deeper than limits::kNestingMax (brackets, chains of NOT, of minus
// signs and of type hints). kSyntaxError if a string, a quoted name or a comment is never closed; the range of the
// error is its beginning.
Status CheckBounds(std::string_view text);

}  // namespace widerow
