// Keeps derived tables up to date: the tables of indexes and of materialized views, whose rows follow from the rows of
// a base table. Before and after each write to such a base table, the writer's thread asks the implementation (in exec)
// for the changes of the derived tables. These changes are in the same group of the log, the same memtable and the same
// commit as the write.
//
// A deletion of many rows may leave derived rows without a base row. Such *stale* rows do no harm, because each read of
// an index or a view reads the base rows. Storage keeps a mark for the base table until they have been removed
// (StorageEngine::StaleMarks).
#pragma once

#include "storage/storage_engine.h"

namespace widerow {

// The rows that a write is about to change in one partition. Borrows.
struct TouchedRows {
  TablePtr table;  // With the current schema, even if the statement was planned with an older one.
  ByteView partition_key;
  bool whole_partition = false;  // The partition is deleted, with its static row.
  bool static_row = false;
  std::vector<ByteView> rows;           // Encoded clusterings.
  std::vector<ClusteringRange> ranges;  // Deleted ranges.
};

// The engine has one such object. Only its writer's thread calls it.
class DerivedWrites {
 public:
  virtual ~DerivedWrites() = default;

  // Begins a write: forgets the previous one.
  virtual void Begin() = 0;
  // Called when the rows are about to be changed; `view` shows them unchanged. Called for each partition of the write.
  // True if the write may leave stale rows. An error refuses the write.
  virtual Result<bool> Before(ReadView& view, const SchemaPtr& schema, const TouchedRows& touched) = 0;
  // Called when the rows have been changed, as `view` shows. Returns the changes of the derived tables. The mutation
  // must not change tables that have derived tables.
  virtual Result<Mutation> After(ReadView& view, const SchemaPtr& schema) = 0;
  // Called when a write that may have left stale rows is visible, and the base table is marked.
  virtual void StaleRowsLeft() = 0;
};

}  // namespace widerow
