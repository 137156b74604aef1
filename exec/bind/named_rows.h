// The rows that a write names one by one: every clustering column has a value, or several by IN.
#pragma once

#include <utility>
#include <vector>

#include "planner/evaluate/evaluate.h"
#include "planner/plan.h"

namespace widerow {

struct NamedRow {
  Bytes encoded;  // The whole clustering, as rows are stored by it.
  // Values whose bytes the encoding does not keep (types/order_codec.h): index into the clustering, bytes as given.
  std::vector<std::pair<uint32_t, Bytes>> kept;
};

// The rows that `selection` names, each once, in stored order: the product of its parts. The selection fixes every clustering
// column (ClusteringSelection::names_whole_rows). Errors: kInvalid for null and unset values, for a clustering that is too long
// and for more than limits::kFanOutMax rows.
Result<std::vector<NamedRow>> BindNamedRows(const TableSchema& table, const ClusteringSelection& selection,
                                            const EvaluationContext& context);

}  // namespace widerow
