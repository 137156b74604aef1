// Which indexes serve a WHERE. Cassandra's rules of what needs ALLOW FILTERING: an index of its own serves one restriction,
// storage-attached ones serve several together; a statement whose restrictions no one of these groups serves filters.
#pragma once

#include "planner/where/group.h"

namespace widerow {

// A restriction and an index that finds the rows for it.
struct IndexUse {
  IndexLookup lookup;
  uint32_t column = 0;  // Index into TableSchema::columns.
  uint32_t group = 0;   // Of indexes that serve restrictions together: storage-attached ones are one, each other one by itself.
};

class IndexChoice {
 public:
  IndexChoice(const TableSchema& table, const GroupedWhere& where);

  bool any() const { return !uses_.empty(); }
  bool any_on_clustering() const;
  // Whether one group of indexes serves these restrictions and all on columns outside of the key.
  bool ServesAll(const std::vector<const KeyRestriction*>& keys) const;
  // What can be looked up, the most selective first as far as the statement tells: equalities before ranges.
  std::vector<IndexLookup> Lookups() const;

 private:
  bool Serves(uint32_t group, const KeyRestriction& key) const;
  bool Serves(uint32_t group, const FilterRestriction& filter) const;
  bool ServesColumnOf(uint32_t group, const FilterRestriction& filter) const;
  void AddKey(const KeyRestriction& key);
  void AddFilter(const FilterRestriction& filter);
  void AddLike(const FilterRestriction& filter, const Comparison& comparison);
  uint32_t GroupOf(size_t index) const;
  static constexpr uint32_t kAttached = UINT32_MAX;

  const TableSchema& table_;
  const GroupedWhere& where_;
  std::vector<IndexUse> uses_;
  // By the address of what they serve.
  std::vector<std::pair<const void*, uint32_t>> served_;
};

// Whether an index takes ranges of its column's values without ALLOW FILTERING; equalities all do.
bool TakesRanges(const IndexSchema& index, const Type& type);

// Whether the index finds what the restriction of a column asks for.
bool FindsKey(const IndexSchema& index, const TableSchema& table, const KeyRestriction& key);

}  // namespace widerow
