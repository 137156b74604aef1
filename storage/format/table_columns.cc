#include "storage/format/table_columns.h"

#include "types/compare.h"
#include "types/order_codec.h"

namespace widerow {

TableColumns::TableColumns(TablePtr table) : table_(std::move(table)) {
  has_derived_ = table_->has_derived();
  ColumnId last = 0;
  for (const ColumnSchema& column : table_->columns) last = std::max(last, column.id);
  by_id_.resize(size_t{last} + 1);
  for (const ColumnSchema& column : table_->columns) by_id_[column.id].type = column.type.get();
  for (const DroppedColumn& dropped : table_->dropped_columns) {
    if (dropped.id == kNoColumnId) continue;
    Column& column = At(dropped.id);
    column.gone_micros = dropped.gone_micros;
    if (column.type != nullptr) continue;  // The column has been added again.
    column.type = dropped.type.get();
    column.dropped = true;
  }
}

TableColumns::Column& TableColumns::At(ColumnId column) {
  if (column >= by_id_.size()) by_id_.resize(size_t{column} + 1);
  return by_id_[column];
}

const Type* TableColumns::PathTypeOf(ColumnId column) const {
  const Column* const found = Find(column);
  if (found == nullptr) return nullptr;
  // The paths of lists and of UDTs are ordered by their bytes.
  const bool by_value = found->type->kind == TypeKind::kSet || found->type->kind == TypeKind::kMap;
  return by_value ? found->type->arguments[0].get() : nullptr;
}

int TableColumns::ComparePaths(ColumnId column, ByteView a, ByteView b) const {
  if (a == b) return 0;
  const Type* const type = PathTypeOf(column);
  return type == nullptr ? a.compare(b) : Compare(*type, a, b);
}

void TableColumns::AppendComparablePath(ColumnId column, ByteView path, Bytes& out) const {
  const Type* const type = PathTypeOf(column);
  if (type == nullptr) {
    out.append(path);
  } else {
    AppendComparable(*type, false, path, out);
  }
}

}  // namespace widerow
