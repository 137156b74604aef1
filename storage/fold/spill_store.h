// Reads and writes the kind-5 records of one partition in a write transaction: values and elements that are too big for
// the row's record. Used on the folder's thread.
#pragma once

#include "storage/fold/write_context.h"
#include "storage/format/row_codec.h"

namespace widerow {

class SpillStore {
 public:
  SpillStore(WriteContext& context, const TableColumns& columns, ByteView partition_prefix)
      : context_(context), columns_(columns), partition_prefix_(partition_prefix) {}

  // Writes a cell with its value and replaces the stored one. An element's path is part of its key.
  Status Put(ByteView clustering, const Cell& cell);
  // Returns the stored cell at (column, path); nullopt if there is none.
  Result<std::optional<Cell>> Get(ByteView clustering, ColumnId column, ByteView path);
  // Deletes all records of a column.
  Status DeleteColumn(ByteView clustering, ColumnId column);

  // Deletes the elements that `deletion` covers. True if any are left.
  Result<bool> FilterElements(ByteView clustering, ColumnId column, const DeletionTime& deletion);
  Result<bool> AnyElement(ByteView clustering, ColumnId column);
  // Deletes the element whose records have keys that begin with `cell_prefix`.
  Status DropElement(ByteView cell_prefix) { return DeleteUnder(cell_prefix); }

  // Returns the number of bytes that this object has added; negative if it has removed more.
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
