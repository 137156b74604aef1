// Answers storage's questions about a table's columns, by column id: does the column exist, is it stored as one cell
// per element, and in which order are its paths. Immutable.
#pragma once

#include <vector>

#include "storage/row.h"

namespace widerow {

class TableColumns {
 public:
  explicit TableColumns(TablePtr table);

  const TablePtr& table() const { return table_; }
  bool has_derived() const { return has_derived_; }
  // False for a column that has been dropped: nobody can see its cells.
  bool Has(ColumnId column) const { return Find(column) != nullptr; }
  bool multi_cell(ColumnId column) const {
    const ColumnSchema* found = Find(column);
    return found != nullptr && found->type->is_multi_cell();
  }
  // Compares two paths of a multi-cell column in CQL order.
  int ComparePaths(ColumnId column, ByteView a, ByteView b) const;
  // Appends a path as bytes that compare as the paths do, and are equal if the paths are equal. Used in keys of spilled
  // elements.
  void AppendComparablePath(ColumnId column, ByteView path, Bytes& out) const;

 private:
  const ColumnSchema* Find(ColumnId column) const { return column < by_id_.size() ? by_id_[column] : nullptr; }

  TablePtr table_;
  bool has_derived_ = false;
  std::vector<const ColumnSchema*> by_id_;
};

}  // namespace widerow
