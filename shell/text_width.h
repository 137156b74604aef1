// Text on a terminal: its width, and the removal of unsafe characters.
#pragma once

#include <string>
#include <string_view>

namespace widerow {

// Writes control characters as \n, \t, \x1b and bytes that are not UTF-8 as \xff. The result is safe to print on a
// terminal.
std::string EscapeForTerminal(std::string_view text);
// Returns the number of columns that `text` takes: 2 for a wide East Asian character or emoji, 0 for a combining
// character.
size_t DisplayWidth(std::string_view text);

}  // namespace widerow
