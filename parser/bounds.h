// What a text must satisfy before ANTLR sees it, so that no client's text can exhaust memory or the stack.
#pragma once

#include <string_view>

#include "base/result.h"

namespace widerow {

// kInvalid: longer than limits::kStatementBytesMax, more than limits::kStatementTokensMax pieces, or nested deeper than
// limits::kNestingMax (brackets, chains of NOT, of minus signs and of type hints).
// kSyntaxError, pointing at its beginning: a string, quoted name or comment that is never closed.
Status CheckBounds(std::string_view text);

}  // namespace widerow
