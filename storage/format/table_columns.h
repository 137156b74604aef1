// What storage asks of a table's columns, by column id: what has been dropped, is it stored as one cell an element, and
// how do its paths order.
#pragma once

#include <vector>

#include "storage/row.h"

namespace widerow {

class TableColumns {
 public:
  explicit TableColumns(TablePtr table);

  const TablePtr& table() const { return table_; }
  bool has_derived() const { return has_derived_; }
  // Content of this timestamp and up to it is gone for good: the column was dropped. What is younger is kept, also
  // while the table is without the column: it is there again once the column is.
  DeletionTime DropOf(ColumnId column) const {
    const Column* const found = Find(column);
    return {found == nullptr ? std::numeric_limits<int64_t>::max() : found->gone_micros, 0};
  }
  // The table is without the column.
  bool IsDropped(ColumnId column) const { return Find(column) == nullptr || Find(column)->dropped; }
  bool multi_cell(ColumnId column) const { return Find(column) != nullptr && Find(column)->type->is_multi_cell(); }
  // CQL order of two paths of a multi-cell column.
  int ComparePaths(ColumnId column, ByteView a, ByteView b) const;
  // Appends a path as bytes that compare as the paths do, and are equal if the paths are equal. Used in keys of spilled
  // elements.
  void AppendComparablePath(ColumnId column, ByteView path, Bytes& out) const;

 private:
  struct Column {
    const Type* type = nullptr;  // Null: there is no such column.
    int64_t gone_micros = kNoTimestamp;
    bool dropped = false;
  };
  Column& At(ColumnId column);
  const Column* Find(ColumnId column) const {
    return column < by_id_.size() && by_id_[column].type != nullptr ? &by_id_[column] : nullptr;
  }
  // The type whose values the column's paths are; null where paths order as their bytes do.
  const Type* PathTypeOf(ColumnId column) const;

  TablePtr table_;
  bool has_derived_ = false;
  std::vector<Column> by_id_;
};

}  // namespace widerow
