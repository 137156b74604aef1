// Indexes and materialized views are tables whose rows follow from those of another one: derived tables. Whoever knows how they
// follow is asked by the writer's thread around each write that touches a table with derived ones, so what they need is in the same
// group of the log, the same memtable and the same commit as the write itself. Storage knows no more of it than this.
#pragma once

#include "storage/engine.h"

namespace widerow {

// What a write is about to change in one partition of a table with derived ones. Borrows.
struct TouchedRows {
  TablePtr table;  // As it is now, whatever the statement was planned with.
  ByteView partition_key;
  bool whole_partition = false;  // It is deleted, the static row with it.
  bool static_row = false;
  std::vector<ByteView> rows;           // Encoded clusterings.
  std::vector<ClusteringRange> ranges;  // Deleted.
};

// One object a storage engine, used by its writer's thread alone.
class DerivedWrites {
 public:
  virtual ~DerivedWrites() = default;

  // A write begins: nothing is known of it.
  virtual void Begin() = 0;
  // The rows are about to be changed; `view` still shows them as they are. Several times a write. An error refuses the write.
  virtual Status Before(ReadView& view, const SchemaPtr& schema, const TouchedRows& touched) = 0;
  // They have been changed, as `view` shows: what brings the derived tables in step. Tables that derived ones follow from may
  // not be in it.
  virtual Result<Mutation> After(ReadView& view, const SchemaPtr& schema) = 0;
};

}  // namespace widerow
