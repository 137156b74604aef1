// The rows that a write names one by one: each clustering column has one value, or several by IN.
#pragma once

#include <absl/container/inlined_vector.h>

#include <utility>
#include <vector>

#include "planner/evaluate/evaluate.h"
#include "planner/plan.h"

namespace widerow {

struct NamedRow {
  Bytes encoded;  // The whole clustering as storage has it.
  // Values whose exact bytes cannot be decoded from `encoded` (types/order_codec.h). Each entry has the index of the
  // clustering column and the original bytes.
  std::vector<std::pair<uint32_t, Bytes>> kept;
};

// Most writes name one row.
using NamedRows = absl::InlinedVector<NamedRow, 1>;

// Adds the rows that `selection` names to `named`, which must be empty. These are all combinations of the values in the
// selection's parts, in stored order and without duplicates. The selection must fix every clustering column
// (ClusteringSelection::names_whole_rows). kInvalid for null and unset values, for a clustering that is too long and
// for more than limits::kInProductMax rows.
Status BindNamedRows(const TableSchema& table, const ClusteringSelection& selection, const EvaluationContext& context,
                     NamedRows& named);

}  // namespace widerow
