// The candidates that TAB offers: a pure function of the text, the cursor and the schema.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "types/schema.h"

namespace widerow {

struct Completion {
  size_t begin = 0;                     // The candidates replace [begin, cursor).
  std::vector<std::string> candidates;  // Sorted, without repeats.
};

// Returns the candidates at `cursor`. `text` is the whole command so far, with all its lines. At the start, commands
// are offered. After FROM, INTO, UPDATE and similar words, keyspaces and tables are offered. At most other places,
// columns of the command's table and keywords are offered. Keywords have the case of the typed letters.
Completion Complete(std::string_view text, size_t cursor, const SchemaSnapshot& schema, std::string_view keyspace);

// Returns the longest common prefix of all candidates.
std::string CommonPrefix(const std::vector<std::string>& candidates);

}  // namespace widerow
