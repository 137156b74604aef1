#include "storage/table_columns.h"

#include "types/compare.h"
#include "types/order_codec.h"

namespace widerow {
namespace {

// Returns the type of a column's paths. Null if paths compare as their bytes do: positions in a list, fields of a UDT.
const Type* PathType(const Type& type) {
  switch (type.kind) {
    case TypeKind::kSet:
    case TypeKind::kMap: return type.arguments[0].get();
    default: return nullptr;
  }
}

}  // namespace

TableColumns::TableColumns(TablePtr table) : table_(std::move(table)) {
  has_derived_ = table_->has_derived();
  ColumnId last = 0;
  for (const ColumnSchema& column : table_->columns) last = std::max(last, column.id);
  by_id_.resize(size_t{last} + 1);
  for (const ColumnSchema& column : table_->columns) by_id_[column.id] = &column;
}

int TableColumns::ComparePaths(ColumnId column, ByteView a, ByteView b) const {
  if (a == b) return 0;
  const ColumnSchema* found = Find(column);
  const Type* type = found == nullptr ? nullptr : PathType(*found->type);
  return type == nullptr ? a.compare(b) : Compare(*type, a, b);
}

void TableColumns::AppendComparablePath(ColumnId column, ByteView path, Bytes& out) const {
  const ColumnSchema* found = Find(column);
  const Type* type = found == nullptr ? nullptr : PathType(*found->type);
  if (type == nullptr) {
    out.append(path);
  } else {
    AppendComparable(*type, false, path, out);
  }
}

}  // namespace widerow
