// Reads and writes the spilled records of one partition (RecordKind::kSpill) in a write transaction. They store values
// and elements that are too big for the record of the row. Used on the folder's thread.
#pragma once

#include "storage/fold/write_context.h"
#include "storage/format/row_codec.h"

namespace widerow {

class SpillStore {
 public:
  SpillStore(WriteContext& context, const TableColumns& columns, ByteView partition_prefix)
      : context_(context), columns_(columns), partition_prefix_(partition_prefix) {}

  // Writes a cell with its value, in place of the stored cell. The path of an element is part of its key.
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

  // Returns how many bytes this object has added to the data file. Negative if it has removed more than it has added.
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
