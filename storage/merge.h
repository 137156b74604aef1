// How versions of a row become one: Cassandra 5's rules (Cells.reconcile, LivenessInfo and DeletionTime.supersedes),
// the same everywhere in Widerow. Pure functions; the order of merging does not matter.
#pragma once

#include "storage/purge_times.h"
#include "storage/table_columns.h"

namespace widerow {

// The newer deletion; of two with one timestamp, the one written later.
DeletionTime Newer(const DeletionTime& a, const DeletionTime& b);
Liveness Newer(const Liveness& a, const Liveness& b);

// True if `a` wins over `b`, both being the same cell: the greater timestamp; then a tombstone or expiring cell over
// one that stays; a tombstone over an expiring cell; the later expiry; the smaller TTL; the greater value by unsigned
// bytes.
template <typename BytesType>
bool CellWins(const BasicCell<BytesType>& a, const BasicCell<BytesType>& b);

// The order of cells in a fragment.
template <typename BytesType>
bool CellBefore(const TableColumns& columns, const BasicCell<BytesType>& a, const BasicCell<BytesType>& b) {
  if (a.column != b.column) return a.column < b.column;
  return columns.ComparePaths(a.column, a.path, b.path) < 0;
}

// One fragment from two, all deletions in either applied to all content in both. BytesType: Bytes, or ByteView where both
// stay where they are.
template <typename BytesType>
BasicRowFragment<BytesType> MergeRows(const TableColumns& columns, BasicRowFragment<BytesType> a,
                                      BasicRowFragment<BytesType> b);

// Applies a deletion from outside the row (its partition's or a range's), and the row's own ones, to the content. What
// the deletion covers is dropped, tombstones and row deletion included.
template <typename BytesType>
void ApplyDeletion(BasicRowFragment<BytesType>& row, const DeletionTime& covering);

// Drops deletions, tombstones and expired content that are due.
void DropPurgeable(RowFragment& row, const PurgeTimes& times);
// The earliest since of what may be purged one day; nullopt if there is nothing.
std::optional<int64_t> EarliestSince(const RowFragment& row, const PurgeTimes& times);

// Nothing to keep.
bool IsEmpty(const RowFragment& row);

}  // namespace widerow
