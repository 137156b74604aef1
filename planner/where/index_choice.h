// Finds the indexes that serve the restrictions of a WHERE, with Cassandra's rules for ALLOW FILTERING. All
// storage-attached indexes of a table together are one group, and every other index is a group of its own. A statement
// needs ALLOW FILTERING if no group serves all its restrictions.
#pragma once

#include "planner/where/group.h"

namespace widerow {

// A restriction and an index that finds its rows.
struct IndexUse {
  IndexLookup lookup;
  uint32_t column = 0;  // Index into TableSchema::columns.
  // Storage-attached indexes of the table form one group; each other index is its own group.
  uint32_t group = 0;
};

class IndexChoice {
 public:
  IndexChoice(const TableSchema& table, const GroupedWhere& where);

  // True if an index finds rows of a restriction.
  bool finds() const { return !uses_.empty(); }
  // True if Cassandra would consider an index: one that finds rows, or one on a column of a tuple.
  bool any() const { return finds() || on_tuple_; }
  bool any_on_clustering() const;
  // True if one group of indexes serves these restrictions and all restrictions on columns outside of the key.
  // `beside_attached`: the statement also uses a storage-attached index for its order.
  bool ServesAll(const std::vector<const KeyRestriction*>& keys, bool beside_attached) const;
  // True if an index finds the rows of this restriction, which must be an object inside the constructor's `where`.
  bool Serves(const KeyRestriction& key) const { return ServedByAny(&key); }
  bool Serves(const FilterRestriction& filter) const { return ServedByAny(&filter); }
  // Returns the possible look-ups. Those of equalities come before those of ranges.
  std::vector<IndexLookup> Lookups() const;

 private:
  bool ServedByAny(const void* restriction) const;
  bool Serves(uint32_t group, const KeyRestriction& key) const;
  bool Serves(uint32_t group, const FilterRestriction& filter) const;
  bool ServesColumnOf(uint32_t group, const FilterRestriction& filter) const;
  void AddKey(const KeyRestriction& key);
  void AddTuple(const KeyRestriction& key);
  void AddFilter(const FilterRestriction& filter);
  void AddLike(const FilterRestriction& filter, const Comparison& comparison);
  uint32_t GroupOf(size_t index) const;
  static constexpr uint32_t kAttached = UINT32_MAX;

  const TableSchema& table_;
  const GroupedWhere& where_;
  std::vector<IndexUse> uses_;
  bool on_tuple_ = false;
  // Each pair is the address of a restriction and a group of indexes that serves it.
  std::vector<std::pair<const void*, uint32_t>> served_;
};

// False for a local index if the WHERE does not give the whole partition key. The index then serves no restriction.
bool ServesWhere(const IndexSchema& index, const TableSchema& table, const GroupedWhere& where);

// True if the index serves equalities of the column's values or, if `range`, ranges of them. False for the elements of
// a collection and for the words of a text.
bool FindsColumn(const IndexSchema& index, const ColumnSchema& column, bool range);

// True if the index serves ranges of its column's values without ALLOW FILTERING, not only equalities.
bool TakesRanges(const IndexSchema& index, const Type& type);

// True if Cassandra considers the index for the restriction. Cassandra does so even if the restriction is on a tuple
// and the index is on only one of its columns, and even if Cassandra refuses the statement afterwards.
bool SupportsKey(const IndexSchema& index, const TableSchema& table, const KeyRestriction& key);

// True if the index finds the rows of the restriction.
bool FindsKey(const IndexSchema& index, const TableSchema& table, const KeyRestriction& key);

}  // namespace widerow
