// Facts about a table's columns, by column id: whether it was dropped and when, whether each element is a cell of its
// own, and the order of its paths. Storage makes one for each table of a schema.
#pragma once

#include <vector>

#include "storage/row.h"

namespace widerow {

class TableColumns {
 public:
  explicit TableColumns(TablePtr table);

  const TablePtr& table() const { return table_; }
  bool has_derived() const { return has_derived_; }
  // Returns the deletion by DROP: cells of the column up to this timestamp are gone for good. Later cells are kept even
  // while the table does not have the column, because it may be added again.
  DeletionTime DropOf(ColumnId column) const {
    const Column* const found = Find(column);
    return {found == nullptr ? std::numeric_limits<int64_t>::max() : found->gone_micros, 0};
  }
  // True if the table does not have the column at present.
  bool IsDropped(ColumnId column) const { return Find(column) == nullptr || Find(column)->dropped; }
  bool multi_cell(ColumnId column) const { return Find(column) != nullptr && Find(column)->type->is_multi_cell(); }
  // Compares two paths of a multi-cell column in CQL order.
  int ComparePaths(ColumnId column, ByteView a, ByteView b) const;
  // Appends a path as bytes that have the order of ComparePaths, and are equal if the paths are equal. Used in keys of
  // spilled elements.
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
  // Returns the type of the column's paths. Null if paths have the order of their bytes.
  const Type* PathTypeOf(ColumnId column) const;

  TablePtr table_;
  bool has_derived_ = false;
  std::vector<Column> by_id_;
};

}  // namespace widerow
