// Merges versions of a row into one by the rules of Cassandra 5 (Cells.reconcile, LivenessInfo.supersedes and
// DeletionTime.supersedes). Pure functions. The order in which versions are merged does not change the result.
#pragma once

#include "storage/format/table_columns.h"
#include "storage/reconcile/purge_times.h"

namespace widerow {

// Return the deletion or the marker with the greater timestamp. If the timestamps of two deletions are equal, the one
// with the later local time is returned. If those of two markers are equal, one that expires is preferred to one that
// does not, then a later expiry, and then a smaller TTL.
DeletionTime Newer(const DeletionTime& a, const DeletionTime& b);
Liveness Newer(const Liveness& a, const Liveness& b);

// The order of cells in a fragment.
template <typename BytesType>
bool CellBefore(const TableColumns& columns, const BasicCell<BytesType>& a, const BasicCell<BytesType>& b) {
  if (a.column != b.column) return a.column < b.column;
  return columns.ComparePaths(a.column, a.path, b.path) < 0;
}

// Merges two fragments. Every deletion in either of them is applied to the content of both. BytesType is Bytes, or
// ByteView for a result that borrows from both fragments.
template <typename BytesType>
BasicRowFragment<BytesType> MergeRows(const TableColumns& columns, BasicRowFragment<BytesType> a,
                                      BasicRowFragment<BytesType> b);

// Applies `covering`, a deletion of the partition or of a range, and the row's own deletions to the row. Removes the
// marker, the cells and the tombstones that they delete. Also removes each deletion of the row that a wider one makes
// needless.
template <typename BytesType>
void ApplyDeletion(BasicRowFragment<BytesType>& row, const DeletionTime& covering);

// Removes deletions, tombstones and expired content that are due (purge_times.h).
void DropPurgeable(RowFragment& row, const PurgeTimes& times);
// Returns the earliest `since` (purge_times.h) of content that may be purged one day. Returns nullopt if there is no
// such content.
std::optional<int64_t> EarliestSince(const RowFragment& row, const PurgeTimes& times);

// True if the row has nothing to store.
bool IsEmpty(const RowFragment& row);

}  // namespace widerow
