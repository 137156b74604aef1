// Bounds a read before it is run, so that a server can tell short requests from long ones.
#pragma once

#include <optional>

#include "exec/rows/outcome.h"
#include "planner/plan.h"

namespace widerow {

// Returns the greatest number of rows that one page of the plan reads: rows of one stored partition, by their keys or
// by a page size or a LIMIT, without a filter. nullopt for every other plan. A LIMIT that is refused counts as a large
// one.
std::optional<uint32_t> RowsReadMax(const Plan& plan, const RequestParameters& parameters);

}  // namespace widerow
