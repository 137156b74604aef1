// Turns a plan and a request's values into ranges of bytes: ranges of clusterings, of stored partition keys, of tokens.
#pragma once

#include <vector>

#include "planner/access/key_ranges.h"
#include "planner/evaluate/evaluate.h"
#include "planner/plan.h"
#include "storage/storage_engine.h"

namespace widerow {

// Evaluates one part of a clustering prefix: the values of one column, or the tuples of several columns. The part
// begins at clustering column `first`. Returns one entry per tuple; a value of a single column counts as a tuple.
// An IN list of tuples may leave duplicates in the result; an IN list of one column leaves none.
Result<std::vector<std::vector<Bytes>>> BindPrefixPart(const TableSchema& table, uint32_t first,
                                                       const ClusteringSelection::PrefixPart& part,
                                                       const EvaluationContext& context);

// Returns the byte ranges of a selection, disjoint and ascending. The result is empty if the selection can match
// nothing, because of an empty IN or because the lower bound is above the upper one. (In a Slice, an empty list of
// ranges means all rows; ClusteringSelection::all() tells if a selection contains all rows.)
Result<std::vector<ClusteringRange>> BindClustering(const TableSchema& table, const ClusteringSelection& selection,
                                                    const EvaluationContext& context);

// Returns the ranges of stored keys that a KeyRangeScan reads, ascending; empty if nothing can match. `merged` has the
// meaning that it has in RangesOf (planner/access/key_ranges.h).
Result<std::vector<StoredKeyRange>> BindKeyRange(const TableSchema& table, const KeyRangeScan& scan, bool merged,
                                                 const EvaluationContext& context);

// Returns the tokens between the bounds; nullopt if the bounds exclude everything.
Result<std::optional<Slice::TokenRange>> BindTokens(const TokenBounds& bounds, const EvaluationContext& context);

}  // namespace widerow
