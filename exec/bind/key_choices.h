// The values of a statement's KeyChoices (planner/plan.h), and their combinations.
#pragma once

#include <functional>
#include <vector>

#include "base/result.h"
#include "planner/evaluate/evaluate.h"
#include "planner/plan.h"

namespace widerow {

// Returns the values of each choice, ascending and without duplicates. kInvalid for null and unset values, and for more
// than limits::kFanOutMax combinations.
Result<std::vector<std::vector<Bytes>>> BindChoices(const std::vector<KeyChoice>& choices, const TableSchema& table,
                                                    const EvaluationContext& context);

// Calls `use` for each combination of `values`, with a `context` that contains it. `order` lists the indexes of all
// choices; the last one listed changes fastest. Without choices it calls `use` once.
Status ForEachCombination(const std::vector<std::vector<Bytes>>& values, const std::vector<size_t>& order,
                          const EvaluationContext& context,
                          const std::function<Status(const EvaluationContext&, const std::vector<size_t>& at)>& use);

}  // namespace widerow
