// What storage asks of a table's columns, by column id: is it still there, is it stored as one cell an element, and how
// do its paths order.
#pragma once

#include <vector>

#include "storage/row.h"

namespace widerow {

class TableColumns {
 public:
  explicit TableColumns(TablePtr table);

  const TablePtr& table() const { return table_; }
  bool has_derived() const { return has_derived_; }
  // False for a column that has been dropped: its cells are gone as far as anyone can see.
  bool Has(ColumnId column) const { return Find(column) != nullptr; }
  bool multi_cell(ColumnId column) const {
    const ColumnSchema* found = Find(column);
    return found != nullptr && found->type->is_multi_cell();
  }
  // CQL order of two paths of a multi-cell column.
  int ComparePaths(ColumnId column, ByteView a, ByteView b) const;
  // A path as bytes that order, and are equal, as the paths do: keys of spilled elements.
  void AppendComparablePath(ColumnId column, ByteView path, Bytes& out) const;

 private:
  const ColumnSchema* Find(ColumnId column) const { return column < by_id_.size() ? by_id_[column] : nullptr; }

  TablePtr table_;
  bool has_derived_ = false;
  std::vector<const ColumnSchema*> by_id_;
};

}  // namespace widerow
