// WHERE, step 3 of 3: grouped restrictions of a SELECT to the cheapest access path that serves them, and what is left
// to filter. Cassandra's leftmost-prefix rule over partition key and clustering, with its sentences.
#pragma once

#include "planner/where/group.h"

namespace widerow {

struct AccessRequest {
  bool allow_filtering = false;
  bool has_choices = false;            // The key is derived, from several values.
  bool only_statics_selected = false;  // The select clause names nothing but static columns.
};

struct ChosenAccess {
  AccessPath path;
  std::vector<Predicate> filter;
  bool key_range = false;     // Partitions are not named one by one.
  bool partition_in = false;  // IN on the partition key.
  bool uses_index = false;    // As Cassandra sees it, whatever the path: ORDER BY is refused.
};

Result<ChosenAccess> ChooseAccessPath(const TableSchema& table, const GroupedWhere& where,
                                      const AccessRequest& request);

// The restrictions of a whole partition key, one a column. All must be kEq or kIn.
std::vector<KeyValues> PartitionKeyOf(const std::vector<KeyRestriction>& partition);

// The leading restrictions that select one contiguous piece (or, with IN, several) of a partition. `used`: how many of
// `clustering` went into it; the rest can only filter.
ClusteringSelection SelectionOf(const std::vector<KeyRestriction>& clustering, const TableSchema& table, size_t& used);

// "PRIMARY KEY column "d" cannot be restricted as preceding column "c" is not restricted", if so.
Status CheckClusteringPrefix(const TableSchema& table, const GroupedWhere& where);

}  // namespace widerow
