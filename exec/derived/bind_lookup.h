// Evaluates the values of look-ups in indexes into ranges of terms. Pure functions, any thread.
#pragma once

#include "exec/derived/index_terms.h"
#include "planner/evaluate/evaluate.h"

namespace widerow {

// A look-up whose values are known. It finds the entries of the terms [first, end) or, if `one` is true, of the term
// `first` alone.
struct BoundLookup {
  TablePtr entries;
  bool one = false;
  Bytes first;
  std::optional<Bytes> end;
  std::optional<std::pair<LikePattern::Kind, Bytes>> like;  // If set: only terms that match.
  // True: an entry stands for all rows of its partition, because the indexed column is static or in the partition key.
  bool whole_partitions = false;
};

// An IndexCondition whose values are known.
struct BoundIndexCondition {
  struct All {
    std::vector<BoundIndexCondition> parts;  // At least two.
  };
  struct Any {
    std::vector<BoundIndexCondition> parts;  // At least two.
  };
  std::variant<BoundLookup, All, Any> node;
};

// kReadFailure if the index is still being built.
Status CheckBuilt(const IndexSchema& index);

// Evaluates the values of a condition. kReadFailure if one of its indexes is still being built; nullopt if the
// condition can find nothing.
Result<std::optional<BoundIndexCondition>> BindIndexCondition(const TableSchema& table, const IndexCondition& condition,
                                                              const EvaluationContext& context);
// Evaluates the bounds that WHERE sets for the indexed column of an ORDER BY. The result contains the entries of the
// index between the bounds. Errors and nullopt are those of BindIndexCondition.
Result<std::optional<BoundLookup>> BindOrderValues(const TableSchema& table, const IndexOrder& order,
                                                   const EvaluationContext& context);
// Fails, as BindIndexCondition does, if the index of the column does not serve the pattern of `column LIKE pattern`.
Status CheckLike(const TableSchema& table, const Comparison& like, const EvaluationContext& context);
// Checks the values of a look-up whose index is not read. Fails, as BindIndexCondition does, for a value that is too
// long.
Status CheckLookup(const TableSchema& table, const IndexLookup& lookup, const EvaluationContext& context);

}  // namespace widerow
