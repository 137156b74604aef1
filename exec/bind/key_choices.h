// The values of a statement's KeyChoices (planner/plan.h), combination by combination.
#pragma once

#include <functional>
#include <vector>

#include "base/result.h"
#include "planner/evaluate/evaluate.h"
#include "planner/plan.h"

namespace widerow {

// The values of each choice, ascending, each once. kInvalid for null and unset ones, and if there are more than
// limits::kFanOutMax combinations.
Result<std::vector<std::vector<Bytes>>> BindChoices(const std::vector<KeyChoice>& choices, const TableSchema& table,
                                                    const EvaluationContext& context);

// Calls `use` with `context` in which each choice has a value, for all combinations; of the choices in `order` (indexes of all
// of them) the last one changes fastest. Without choices: once.
Status ForEachCombination(const std::vector<std::vector<Bytes>>& values, const std::vector<size_t>& order,
                          const EvaluationContext& context,
                          const std::function<Status(const EvaluationContext&, const std::vector<size_t>& at)>& use);

}  // namespace widerow
