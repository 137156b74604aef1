// What TAB offers: a pure function of the text, the cursor and the schema.
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

// `text`: the whole command so far, all its lines. Offered: commands at the start; keyspaces and tables behind FROM,
// INTO, UPDATE and their kin; columns of the command's table elsewhere; keywords everywhere, in the case that was
// begun.
Completion Complete(std::string_view text, size_t cursor, const SchemaSnapshot& schema, std::string_view keyspace);

// What all candidates begin with.
std::string CommonPrefix(const std::vector<std::string>& candidates);

}  // namespace widerow
