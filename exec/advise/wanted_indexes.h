// For ADVISE STATEMENT: finds the indexes without which a SELECT is refused, by planning the SELECT with indexes that
// its table does not have. Pure functions.
#pragma once

#include <optional>
#include <vector>

#include "advise/facts.h"
#include "planner/plan.h"

namespace widerow {

struct PlanWithIndexes {
  Plan plan;                                // The plan for a table that has the indexes.
  std::vector<advise::WantedIndex> wanted;  // At least one; the statement needs each of them.
};

// Plans the statement with indexes for its LIKE, `:` and ORDER BY, without ALLOW SORTING, and with ALLOW FILTERING.
// nullopt if no indexes make it run, or if it needs no new ones.
std::optional<PlanWithIndexes> PlanWithMissingIndexes(const SelectStatement& statement, const SchemaPtr& schema,
                                                      const PlanContext& context);

}  // namespace widerow
