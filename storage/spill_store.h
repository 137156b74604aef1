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

  // Drops the elements that `deletion` covers; says whether any are left.
  Result<bool> FilterElements(ByteView clustering, ColumnId column, const DeletionTime& deletion);
  Result<bool> AnyElement(ByteView clustering, ColumnId column);
  // The element whose records' keys begin with `cell_prefix`.
  Status DropElement(ByteView cell_prefix) { return DeleteUnder(cell_prefix); }

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
