// The second of three steps that plan WHERE (the others are planner/where/resolve.h and
// planner/access/choose_access_path.h). Groups restrictions by what they restrict: token, partition key, clustering,
// other columns, or something that only a filter can decide. Merges restrictions on the same columns, or refuses them
// with Cassandra's sentences. Pure functions.
#pragma once

#include "planner/where/resolve.h"

namespace widerow {

// All conditions of WHERE on one column, or on one tuple of adjacent clustering columns.
struct KeyRestriction {
  enum class Kind : uint8_t { kEq, kIn, kSlice };
  Kind kind = Kind::kEq;
  uint32_t first = 0, width = 1;                       // Columns [first, first + width) of TableSchema::columns.
  std::variant<KeyValues, ClusteringTuplesIn> values;  // For kEq and kIn.
  std::optional<ClusteringBound> lower, upper;         // For kSlice.
  std::vector<Restriction> sources;                    // The restrictions before they were merged. Filters use them.
  SourceRange range;

  uint32_t end() const { return first + width; }
  // True if a condition was written as a tuple: (c) = (1), (c, d) > (1, 2). Cassandra has other rules for these.
  bool of_tuple() const;
};

struct GroupedWhere {
  TokenBounds token;
  std::vector<Restriction> token_sources;
  // Each list is sorted by KeyRestriction::first.
  std::vector<KeyRestriction> partition, clustering, regular;
  // Conditions that were taken out of the lists above, because they are on sources of generated key columns, and these
  // key columns are restricted instead (planner/generated/derive_key.h). They filter the rows that are read, without
  // ALLOW FILTERING.
  std::vector<KeyRestriction> verified;
  std::vector<FilterRestriction> filters;
};

// True if every column of the partition key equals a value or is in a list.
bool WholePartitionKey(const TableSchema& table, const GroupedWhere& where);

// Groups the restrictions in the order of WHERE. Errors: Cassandra's sentences for restrictions that do not fit
// together.
Result<GroupedWhere> GroupRestrictions(std::vector<Restriction> restrictions, const TableSchema& table,
                                       AfterSlice after);

}  // namespace widerow
