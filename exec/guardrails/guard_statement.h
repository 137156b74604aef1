// Checks writes, reads and schema changes against the guardrails. Each function adds warnings, or fails where
// guardrails are enforced.
#pragma once

#include "exec/guardrails/guardrails.h"
#include "exec/write/modify.h"
#include "planner/plan.h"

namespace widerow {

// Checks the partitions, rows and cells of `built` before it is applied.
Status GuardWrite(const BuiltWrite& built, int64_t now_micros, const Guardrails& guardrails,
                  std::vector<std::string>& warnings);
// Checks the number of partitions that an IN names.
Status GuardSelect(const SelectPlan& plan, std::span<const BoundValue> values, const Guardrails& guardrails,
                   std::vector<std::string>& warnings);
// Checks a page of a filtering SELECT, after it was read.
Status GuardFiltering(const SelectPlan& plan, uint64_t rows_read, uint64_t rows_returned, const Guardrails& guardrails,
                      std::vector<std::string>& warnings);
// Checks the tables, columns and types that `after` adds to `before`.
Status GuardSchema(const SchemaSnapshot& before, const SchemaSnapshot& after, const Guardrails& guardrails,
                   std::vector<std::string>& warnings);

}  // namespace widerow
