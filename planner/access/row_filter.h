// Collects the filter of a SELECT: the conditions that its access path does not serve. Cassandra checks the values of
// most conditions before it reads rows, in an order of its own; RowFilter finds this order. Used by one thread.
#pragma once

#include "planner/where/group.h"

namespace widerow {

class RowFilter {
 public:
  explicit RowFilter(const TableSchema& table) : table_(table) {}

  // Adds the conditions of one restriction. `checked`: true if Cassandra checks their values before it reads rows.
  void Add(const KeyRestriction& key, bool checked);
  void Add(const FilterRestriction& filter);
  void AddToken(const Restriction& token);

  bool empty() const { return predicates_.empty(); }
  // Returns the conditions that are checked, as positions in predicates(), in the order of Cassandra's checks.
  std::vector<uint32_t> Checked() const;
  std::vector<Predicate> TakePredicates() && { return std::move(predicates_); }

 private:
  // Decides when the values of a condition are checked. Conditions on key columns come first, in key order; then those
  // on other columns, by name; then those that only Widerow has.
  struct Check {
    uint32_t column = 0;
    // The order among the conditions on one column, smallest first. On a key column, an upper bound has 1, and all
    // others have 0. On other columns, m['k'] = v has 2, CONTAINS KEY has 1, and all others have 0.
    int part = 0;
    uint32_t index = 0;
    bool extension = false;
  };

  const TableSchema& table_;
  std::vector<Predicate> predicates_;
  std::vector<Check> checks_;
};

// Returns Cassandra's error for clustering restrictions by which Cassandra cannot filter: ranges of tuples such as
// (c, d) > (1, 2), and IN lists of tuples.
std::optional<Error> RefuseTuples(const std::vector<const KeyRestriction*>& filtered);

}  // namespace widerow
