// Keeps derived tables up to date. A derived table is the table of an index, or a materialized view: its rows follow
// from the rows of a base table. Before and after each write to such a base table, the writer's thread
// (write/writer_thread.h) asks the implementation in exec/derived for the changes of the derived tables. The changes
// are logged, applied and made visible together with the write.
//
// A deletion of many rows may leave derived rows whose base row is gone. Such *stale* rows do no harm, because each
// read of an index or a view reads the base rows. Storage marks the base table until the stale rows have been removed
// (StorageEngine::StaleMarks).
#pragma once

#include "storage/storage_engine.h"

namespace widerow {

// The rows that a write is about to change in one partition. Its byte views are valid during the call of Before.
struct TouchedRows {
  TablePtr table;  // The table in the current schema, even if the statement was planned with an older one.
  ByteView partition_key;
  bool whole_partition = false;  // True if the partition is deleted, with its static row.
  bool static_row = false;
  std::vector<ByteView> rows;           // Encoded clusterings.
  std::vector<ClusteringRange> ranges;  // Deleted ranges.
};

// The reason why a write must not be applied: it gives a row a value that must be unique and that another row has.
struct UniqueConflict {
  Error error;
  std::optional<RowPlace> holder;  // The other row. nullopt: the same write gives the value to both rows.
};

// The effects of a write on the derived tables.
struct DerivedChanges {
  Mutation changes;
  std::optional<UniqueConflict> conflict;  // If set, the write must not be applied.
};

// A storage engine has at most one such object. Only the writer's thread calls it.
class DerivedWrites {
 public:
  virtual ~DerivedWrites() = default;

  // Begins a write, and forgets the previous one.
  virtual void Begin() = 0;
  // Called once for each partition of the write, before its rows are changed; `view` shows them unchanged. Returns true
  // if the write may leave stale rows. An error refuses the write.
  virtual Result<bool> Before(ReadView& view, const SchemaPtr& schema, const TouchedRows& touched) = 0;
  // Called after the rows of all partitions have been changed; `view` shows them changed. The changes that it returns
  // must not touch tables that have derived tables of their own. An error refuses the write.
  virtual Result<DerivedChanges> After(ReadView& view, const SchemaPtr& schema) = 0;
  // Called when a write that may have left stale rows is visible. Its base table is marked by then.
  virtual void StaleRowsLeft() = 0;
};

}  // namespace widerow
