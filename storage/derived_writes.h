// Keeps derived tables up to date. Derived tables are the tables of indexes and materialized views: their rows follow
// from the rows of another table. Around each write that touches a table with derived tables, the writer's thread asks
// the implementation (in exec) for the changes of these. So the changes are in the same group of the log, the same
// memtable and the same commit as the write. Storage knows no more about derived tables than this.
#pragma once

#include "storage/engine.h"

namespace widerow {

// The rows that a write is about to change in one partition. Borrows.
struct TouchedRows {
  TablePtr table;  // The current schema, whatever the statement was planned with.
  ByteView partition_key;
  bool whole_partition = false;  // It is deleted, with its static row.
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
  // The rows are about to be changed; `view` shows them unchanged. Called for each partition of the write. An error
  // refuses the write.
  virtual Status Before(ReadView& view, const SchemaPtr& schema, const TouchedRows& touched) = 0;
  // The rows have been changed, as `view` shows. Returns the changes of the derived tables. The mutation must not
  // change tables that have derived tables.
  virtual Result<Mutation> After(ReadView& view, const SchemaPtr& schema) = 0;
};

}  // namespace widerow
