// WHERE, step 2 of 3: restrictions by what they are about (token, partition key, clustering, other columns, filters),
// with those on the same columns merged or refused in Cassandra's words.
#pragma once

#include "planner/where/resolve.h"

namespace widerow {

// All that WHERE says about one column, or about one tuple of adjacent clustering columns.
struct KeyRestriction {
  enum class Kind : uint8_t { kEq, kIn, kSlice };
  Kind kind = Kind::kEq;
  uint32_t first = 0, width = 1;                       // Columns [first, first + width) of TableSchema::columns.
  std::variant<KeyValues, ClusteringTuplesIn> values;  // kEq, kIn.
  std::optional<ClusteringBound> lower, upper;         // kSlice.
  std::vector<Restriction> sources;                    // What it was made of, as filters need it.
  SourceRange range;

  uint32_t end() const { return first + width; }
};

struct GroupedWhere {
  TokenBounds token;
  std::vector<Restriction> token_sources;
  // Each sorted by first column.
  std::vector<KeyRestriction> partition, clustering, regular;
  // Taken out of the above: key columns derived from them are restricted instead (planner/generated/derive_key.h), so that
  // these filter the few rows that are read, and nobody has to ask for it.
  std::vector<KeyRestriction> verified;
  std::vector<FilterRestriction> filters;
};

// What may be said of a clustering column behind one that a range is asked of: nothing; what an index of its own finds; or
// anything, which then becomes a filter. As in Cassandra it is the relation named later that needs the index.
enum class AfterSlice : uint8_t { kNothing, kIndexed, kAnything };

Result<GroupedWhere> GroupRestrictions(std::vector<Restriction> restrictions, const TableSchema& table, AfterSlice after);

}  // namespace widerow
