// Finds indexes for the conditions that only Widerow's indexes serve: IN and != on a column outside of the key, OR, and
// NOT. Cassandra's rules for other conditions are in planner/where/index_choice.h. Pure functions, any thread.
#pragma once

#include "planner/where/index_choice.h"

namespace widerow {

// The indexes that serve a WHERE.
struct IndexCover {
  std::vector<IndexCondition> conditions;  // Each of them alone finds all rows of the answer, and perhaps others.
  // True if indexes serve every condition of WHERE, apart from conditions that choose one partition or a slice of it.
  // Then the statement needs no ALLOW FILTERING.
  bool complete = false;
};

// Returns an empty cover if the WHERE has none of the conditions named at the top of this file, or if no index serves
// any of them. `choice` must belong to the same WHERE.
IndexCover CoverOf(const TableSchema& table, const GroupedWhere& where, const IndexChoice& choice);

}  // namespace widerow
