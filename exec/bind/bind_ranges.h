// Turns a plan and a request's values into ranges of bytes: ranges of clusterings, of stored partition keys, of tokens.
#pragma once

#include <vector>

#include "planner/access/key_ranges.h"
#include "planner/evaluate/evaluate.h"
#include "planner/plan.h"
#include "storage/storage_engine.h"

namespace widerow {

// Returns the values that one part of a prefix gives to its columns, which begin at clustering column `first`: one
// entry per tuple. A single column counts as a tuple of one value. Duplicate tuples of an IN list stay.
Result<std::vector<std::vector<Bytes>>> BindPrefixPart(const TableSchema& table, uint32_t first,
                                                       const ClusteringSelection::PrefixPart& part,
                                                       const EvaluationContext& context);

// Returns the byte ranges of a selection, disjoint and ascending. The result is empty if the selection can match
// nothing (an empty IN, a reversed slice). ClusteringSelection::all() shows if all rows are selected.
Result<std::vector<ClusteringRange>> BindClustering(const TableSchema& table, const ClusteringSelection& selection,
                                                    const EvaluationContext& context);

// Returns the ranges of a KeyRangeScan, ascending; empty if nothing can match. See RangesOf.
Result<std::vector<StoredKeyRange>> BindKeyRange(const TableSchema& table, const KeyRangeScan& scan, bool merged,
                                                 const EvaluationContext& context);

// Returns the tokens between the bounds; nullopt if the bounds exclude everything.
Result<std::optional<Slice::TokenRange>> BindTokens(const TokenBounds& bounds, const EvaluationContext& context);

}  // namespace widerow
