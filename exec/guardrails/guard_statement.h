// Guardrails of writes, reads and schema changes.
#pragma once

#include "exec/guardrails/guardrails.h"
#include "exec/write/modify.h"
#include "planner/plan.h"

namespace widerow {

// What `built` is about to write.
Status GuardWrite(const BuiltWrite& built, int64_t now_micros, const Guardrails& guardrails, std::vector<std::string>& warnings);
// The partitions that an IN names.
Status GuardSelect(const SelectPlan& plan, std::span<const BoundValue> values, const Guardrails& guardrails,
                   std::vector<std::string>& warnings);
// After a page of a filtering SELECT.
Status GuardFiltering(const SelectPlan& plan, uint64_t rows_read, uint64_t rows_returned, const Guardrails& guardrails,
                      std::vector<std::string>& warnings);
// What `after` has more of than `before`. Empty keyspace: nothing has changed that is guarded.
Status GuardSchema(const SchemaSnapshot& before, const SchemaSnapshot& after, const Guardrails& guardrails,
                   std::vector<std::string>& warnings);

}  // namespace widerow
