// How versions of a row become one: Cassandra 5's rules (Cells.reconcile, LivenessInfo and DeletionTime.supersedes),
// the same everywhere in Widerow. Pure functions; the order of merging does not matter.
#pragma once

#include "storage/table_columns.h"

namespace widerow {

// The newer deletion; of two with one timestamp, the one written later.
DeletionTime Newer(const DeletionTime& a, const DeletionTime& b);
Liveness Newer(const Liveness& a, const Liveness& b);

// True if `a` wins over `b`, both being the same cell: the greater timestamp; then a tombstone or expiring cell over
// one that stays; a tombstone over an expiring cell; the later expiry; the smaller TTL; the greater value by unsigned
// bytes.
bool CellWins(const Cell& a, const Cell& b);

// One fragment from two, all deletions in either applied to all content in both.
RowFragment MergeRows(const TableColumns& columns, RowFragment a, RowFragment b);

// Applies a deletion from outside the row (its partition's or a range's), and the row's own ones, to the content. What
// the deletion covers is dropped, tombstones and row deletion included.
void ApplyDeletion(RowFragment& row, const DeletionTime& covering);

// Drops tombstones written, and cells expired, before `purge_before` (seconds).
void Purge(RowFragment& row, int64_t purge_before);

// Nothing to keep.
bool IsEmpty(const RowFragment& row);

}  // namespace widerow
