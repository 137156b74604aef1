// The filter of a SELECT: the conditions that its access path does not serve. Cassandra checks the values of most of
// them before it reads, in an order of its own, and refuses some. One thread.
#pragma once

#include "planner/where/group.h"

namespace widerow {

class RowFilter {
 public:
  explicit RowFilter(const TableSchema& table) : table_(table) {}

  // Adds the conditions of one restriction. `checked`: Cassandra checks their values as those of a filter.
  void Add(const KeyRestriction& key, bool checked);
  void Add(const FilterRestriction& filter);
  void AddToken(const Restriction& token);

  bool empty() const { return predicates_.empty(); }
  // Returns the conditions that are checked, as indexes of predicates(), in the order of Cassandra's checks.
  std::vector<uint32_t> Checked() const;
  std::vector<Predicate> TakePredicates() && { return std::move(predicates_); }

 private:
  // The place of a condition among the checks: columns of the key in key order, then the others by name. Conditions
  // that only Widerow has come last.
  struct Check {
    uint32_t column = 0;
    // The order on one column, smallest first. Restrictions of the key: an upper bound is 1, all others are 0. Other
    // conditions: a map's entry is 2, CONTAINS KEY is 1, all others are 0.
    int part = 0;
    uint32_t index = 0;
    bool extension = false;
  };

  const TableSchema& table_;
  std::vector<Predicate> predicates_;
  std::vector<Check> checks_;
};

// Returns Cassandra's error for restrictions of the clustering that it cannot filter: ranges and lists of tuples.
std::optional<Error> RefuseTuples(const std::vector<const KeyRestriction*>& filtered);

}  // namespace widerow
