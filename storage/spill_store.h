// Kind-5 records of one partition, written: values and elements that are too big for the row record.
#pragma once

#include "storage/row_codec.h"
#include "storage/write_context.h"

namespace widerow {

class SpillStore {
 public:
  SpillStore(WriteContext& context, const TableColumns& columns, ByteView partition_prefix)
      : context_(context), columns_(columns), partition_prefix_(partition_prefix) {}

  // Writes a cell with its value, over what was there. An element's path is part of its key.
  Status Put(ByteView clustering, const Cell& cell);
  // The stored cell at (column, path); nullopt if there is none.
  Result<std::optional<Cell>> Get(ByteView clustering, ColumnId column, ByteView path);
  // All records of a column.
  Status DeleteColumn(ByteView clustering, ColumnId column);

  // Drops the elements that `deletion` covers and those to be purged; says whether any are left. `earliest` is lowered
  // to the first second at which one that is left was deleted or expires.
  Result<bool> FilterElements(ByteView clustering, ColumnId column, const DeletionTime& deletion, int64_t purge_before,
                              int64_t& earliest);

  // Bytes added (or, if negative, removed) since the start.
  int64_t bytes_delta() const { return bytes_delta_; }

 private:
  Bytes CellPrefix(ByteView clustering, ColumnId column, ByteView path) const;
  Result<std::vector<std::pair<Bytes, size_t>>> KeysUnder(ByteView prefix, size_t keys_max);
  Status DeleteUnder(ByteView prefix);
  Error Damaged(ByteView key) const;

  WriteContext& context_;
  const TableColumns& columns_;
  const ByteView partition_prefix_;
  int64_t bytes_delta_ = 0;
};

}  // namespace widerow
