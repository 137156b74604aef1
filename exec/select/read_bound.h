// Bounds a read before it is run, so that a server can tell short requests from long ones.
#pragma once

#include <optional>

#include "exec/rows/outcome.h"
#include "planner/plan.h"

namespace widerow {

// Returns the greatest number of rows that one page of the plan reads. The number is known for a SELECT without a
// filter on one partition of a stored table: it is 1 for a row that is named by its key, otherwise the page size or,
// without pages, the LIMIT. nullopt for every other plan. A LIMIT that is refused counts as a large number.
std::optional<uint32_t> RowsReadMax(const Plan& plan, const RequestParameters& parameters);

}  // namespace widerow
