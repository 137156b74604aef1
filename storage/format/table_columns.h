// TableColumns has what storage needs to know about the columns of a table, by column id: if and when the column was
// dropped, if each of its elements is a cell of its own, and the order of the paths of these cells (BasicCell::path).
// Storage makes one object for each table of a schema.
#pragma once

#include <vector>

#include "storage/row.h"

namespace widerow {

class TableColumns {
 public:
  explicit TableColumns(TablePtr table);

  const TablePtr& table() const { return table_; }
  bool has_derived() const { return has_derived_; }
  // Returns the deletion by which DROP removed a column: cells with timestamps up to that of the deletion are gone for
  // good. Newer cells are kept, even while the table does not have the column, because it may be added again.
  DeletionTime DropOf(ColumnId column) const {
    const Column* const found = Find(column);
    return {found == nullptr ? std::numeric_limits<int64_t>::max() : found->gone_micros, 0};
  }
  // True if the table does not have the column at present.
  bool IsDropped(ColumnId column) const { return Find(column) == nullptr || Find(column)->dropped; }
  bool multi_cell(ColumnId column) const { return Find(column) != nullptr && Find(column)->type->is_multi_cell(); }
  // Compares two paths of a multi-cell column in CQL order.
  int ComparePaths(ColumnId column, ByteView a, ByteView b) const;
  // Appends a form of the path whose byte order is the order of ComparePaths, and which is equal for equal paths. The
  // keys of spilled elements contain this form.
  void AppendComparablePath(ColumnId column, ByteView path, Bytes& out) const;

 private:
  struct Column {
    const Type* type = nullptr;  // Null: no present or dropped column has this id.
    int64_t gone_micros = kNoTimestamp;
    bool dropped = false;
  };
  Column& At(ColumnId column);
  const Column* Find(ColumnId column) const {
    return column < by_id_.size() && by_id_[column].type != nullptr ? &by_id_[column] : nullptr;
  }
  // Returns the type of the column's paths. Returns null if the paths are ordered by their bytes.
  const Type* PathTypeOf(ColumnId column) const;

  TablePtr table_;
  bool has_derived_ = false;
  std::vector<Column> by_id_;
};

}  // namespace widerow
