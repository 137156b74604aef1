// From a plan and a request's values to ranges of bytes: of clusterings, of stored partition keys, of tokens.
#pragma once

#include <vector>

#include "planner/evaluate/evaluate.h"
#include "planner/access/key_ranges.h"
#include "planner/plan.h"
#include "storage/engine.h"

namespace widerow {

// The values that one part of a prefix gives to its columns, which begin at `first` of the clustering: one entry a tuple, and a
// single column counts as a tuple of one. IN keeps repeats of tuples.
Result<std::vector<std::vector<Bytes>>> BindPrefixPart(const TableSchema& table, uint32_t first,
                                                       const ClusteringSelection::PrefixPart& part,
                                                       const EvaluationContext& context);

// The byte ranges of a selection, disjoint and ascending. Empty for a selection that can match nothing (an empty IN, a
// reversed slice): tell it from "all rows" by ClusteringSelection::all().
Result<std::vector<ClusteringRange>> BindClustering(const TableSchema& table, const ClusteringSelection& selection,
                                                    const EvaluationContext& context);

// The ranges of a KeyRangeScan, ascending; none if nothing can match. See RangesOf.
Result<std::vector<StoredKeyRange>> BindKeyRange(const TableSchema& table, const KeyRangeScan& scan, bool merged,
                                                 const EvaluationContext& context);

// nullopt: the bounds exclude everything.
Result<std::optional<Slice::TokenRange>> BindTokens(const TokenBounds& bounds, const EvaluationContext& context);

}  // namespace widerow
