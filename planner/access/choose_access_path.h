// The last of three steps that plan WHERE (planner/where/resolve.h and group.h are the first two). Chooses the cheapest
// access path for the restrictions of a SELECT. The restrictions that the path does not serve become the filter.
// Applies Cassandra's rule that only the first columns of a key may be restricted, with Cassandra's errors. Pure
// functions, any thread.
#pragma once

#include "planner/where/group.h"

namespace widerow {

struct AccessRequest {
  bool allow_filtering = false;
  bool has_choices = false;             // True if the partition key has KeyChoices (planner/plan.h).
  bool only_statics_selected = false;   // True if the select clause names static columns only.
  bool ordered = false;                 // True for ORDER BY on columns of the key that no index serves.
  std::optional<IndexOrder> order;      // ORDER BY that an index serves.
  std::optional<IndexNearest> nearest;  // ORDER BY … ANN OF.
  bool extended = false;                // True if indexes may serve the conditions of index_cover.h.
};

struct ChosenAccess {
  AccessPath path;
  std::vector<Predicate> filter;
  // These have the meaning of the fields of SelectPlan with the same names (planner/plan.h).
  std::vector<uint32_t> checked;
  std::optional<ClusteringSelection> also_bound;
  std::vector<IndexLookup> unread_lookups;
  // Errors that the caller returns later. needs_filtering: ALLOW FILTERING is missing; Cassandra reports this after
  // errors of the select clause and of ORDER BY. refusal: a condition on a tuple of columns cannot be filtered;
  // Cassandra reports this after all other errors.
  std::optional<Error> needs_filtering, refusal;
  bool key_range = false;     // True if the path reads a range of partitions, not named ones.
  bool partition_in = false;  // True for IN on the partition key.
  // True if Cassandra would read an index, so that ORDER BY is not allowed. Even then, it is possible that `path` reads
  // no index.
  bool uses_index = false;
  // True if the statement needs no ALLOW FILTERING only because indexes serve conditions by which Cassandra filters.
  bool index_extension = false;
};

// Returns the path and the filter. Errors: Cassandra's sentences for statements that need ALLOW FILTERING (see also
// ChosenAccess::needs_filtering) or break the prefix rule.
Result<ChosenAccess> ChooseAccessPath(const TableSchema& table, const GroupedWhere& where,
                                      const AccessRequest& request);

// Returns the order of an index that serves ORDER BY `column`; nullopt if there is no such index, or if the statement
// has IN on the partition key.
std::optional<IndexOrder> IndexOrderOf(const TableSchema& table, uint32_t column, bool descending,
                                       const GroupedWhere& where);

// Returns the restrictions of a whole partition key, one per column. All must be kEq or kIn.
std::vector<KeyValues> PartitionKeyOf(const std::vector<KeyRestriction>& partition);

// Returns the selection that the first restrictions of `clustering` make: one contiguous piece of a partition, or
// several pieces with IN. Sets `used` to the number of these restrictions. The others can only filter.
ClusteringSelection SelectionOf(const std::vector<KeyRestriction>& clustering, const TableSchema& table, size_t& used);

// Refuses a restriction on a clustering column if a column before it has none: "PRIMARY KEY column "d" cannot be
// restricted as preceding column "c" is not restricted".
Status CheckClusteringPrefix(const TableSchema& table, const GroupedWhere& where);

}  // namespace widerow
