// The rules by which versions of a row are merged into one. They are Cassandra 5's (Cells.reconcile, LivenessInfo and
// DeletionTime.supersedes). Pure functions; the order of merging does not matter.
#pragma once

#include "storage/format/table_columns.h"
#include "storage/reconcile/purge_times.h"

namespace widerow {

// Return the deletion or marker with the greater timestamp. Of two deletions with equal timestamps, the one with the
// later local time is returned. Of two markers with equal timestamps, the one that expires is returned; if both expire,
// the one that expires later; if both expire at the same time, the one with the smaller TTL.
DeletionTime Newer(const DeletionTime& a, const DeletionTime& b);
Liveness Newer(const Liveness& a, const Liveness& b);

// The order of cells in a fragment.
template <typename BytesType>
bool CellBefore(const TableColumns& columns, const BasicCell<BytesType>& a, const BasicCell<BytesType>& b) {
  if (a.column != b.column) return a.column < b.column;
  return columns.ComparePaths(a.column, a.path, b.path) < 0;
}

// Merges two fragments and applies all deletions in either to all content in both. BytesType: Bytes, or ByteView for a
// result that borrows from both.
template <typename BytesType>
BasicRowFragment<BytesType> MergeRows(const TableColumns& columns, BasicRowFragment<BytesType> a,
                                      BasicRowFragment<BytesType> b);

// Applies to a row its own deletions and `covering`, a deletion of its partition or of a range. Drops the content that
// these deletions delete; `covering` also deletes tombstones and the row deletion.
template <typename BytesType>
void ApplyDeletion(BasicRowFragment<BytesType>& row, const DeletionTime& covering);

// Drops deletions, tombstones and expired content that are due to be purged.
void DropPurgeable(RowFragment& row, const PurgeTimes& times);
// Returns the earliest `since` of content that may be purged one day; nullopt if there is none.
std::optional<int64_t> EarliestSince(const RowFragment& row, const PurgeTimes& times);

// True if the row has nothing to store.
bool IsEmpty(const RowFragment& row);

}  // namespace widerow
