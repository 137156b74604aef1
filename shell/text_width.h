// Text on a terminal: how wide it is, and what of it may be shown as it is.
#pragma once

#include <string>
#include <string_view>

namespace widerow {

// Control characters as \n, \t, \x1b; bytes that are not UTF-8 as \xff. What comes out is safe to print on a terminal.
std::string EscapeForTerminal(std::string_view text);
// Columns that `text` takes: 2 for wide East Asian characters and emoji, 0 for combining ones.
size_t DisplayWidth(std::string_view text);

}  // namespace widerow
