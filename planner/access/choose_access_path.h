// WHERE, step 3 of 3: chooses the cheapest access path that serves the grouped restrictions of a SELECT, and the filter
// for the rest. Applies Cassandra's leftmost-prefix rule to partition key and clustering, with Cassandra's sentences.
// Pure functions, any thread.
#pragma once

#include "planner/where/group.h"

namespace widerow {

struct AccessRequest {
  bool allow_filtering = false;
  bool has_choices = false;            // The key is derived from several values.
  bool only_statics_selected = false;  // The select clause names static columns only.
};

struct ChosenAccess {
  AccessPath path;
  std::vector<Predicate> filter;
  // See SelectPlan.
  std::vector<uint32_t> checked;
  std::optional<ClusteringSelection> also_bound;
  std::vector<IndexLookup> unread_lookups;
  // The caller returns these errors in their place among its own. Cassandra checks the select clause and ORDER BY
  // before it looks for ALLOW FILTERING, and refuses tuples of columns that it cannot filter after everything else.
  std::optional<Error> needs_filtering, refusal;
  bool key_range = false;     // The path does not name its partitions one by one.
  bool partition_in = false;  // IN on the partition key.
  // By Cassandra's rules an index serves the statement, so it allows no ORDER BY. `path` may use no index.
  bool uses_index = false;
};

// Returns the path and the filter. Errors: Cassandra's sentences for statements that need ALLOW FILTERING (see also
// ChosenAccess::needs_filtering) or break the prefix rule.
Result<ChosenAccess> ChooseAccessPath(const TableSchema& table, const GroupedWhere& where,
                                      const AccessRequest& request);

// Returns the restrictions of a whole partition key, one per column. All must be kEq or kIn.
std::vector<KeyValues> PartitionKeyOf(const std::vector<KeyRestriction>& partition);

// Returns the leading restrictions that select one contiguous piece of a partition (several pieces with IN). `used` is
// set to the number of restrictions taken from `clustering`; the rest can only filter.
ClusteringSelection SelectionOf(const std::vector<KeyRestriction>& clustering, const TableSchema& table, size_t& used);

// Errors: "PRIMARY KEY column "d" cannot be restricted as preceding column "c" is not restricted".
Status CheckClusteringPrefix(const TableSchema& table, const GroupedWhere& where);

}  // namespace widerow
