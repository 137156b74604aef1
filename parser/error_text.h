// The only place where byte offsets become line and column, and where caret lines are drawn.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"

namespace widerow {

struct LineColumn {
  uint32_t line = 1;    // The first line is 1.
  uint32_t column = 0;  // The first column is 0. Counts Unicode code points, as Cassandra does.
};
LineColumn LocateOffset(std::string_view statement, uint32_t offset);

// Returns error.message. If there is a hint, a line "hint: …" follows. If there is also a range, the line of the hint
// ends with the beginning of the range as (line:column), counted from 1:1. If there is a range, the source line and a
// line of carets follow. Source lines are cut to about 120 columns around the error.
std::string FullErrorText(const Error& error, std::string_view statement);

}  // namespace widerow
