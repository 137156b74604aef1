#include "exec/advise/column_measures.h"

#include <algorithm>

#include "types/value_bytes.h"

namespace widerow {

ColumnMeasures::ColumnMeasures(const TableSchema& table)
    : samples_(table.columns.size()), different_(table.columns.size()) {
  for (const ColumnSchema& column : table.columns) {
    types_.push_back(column.type);
    indexed_.push_back(!column.type->is_collection() && column.type->kind != TypeKind::kVector &&
                       std::ranges::count(table.indexes, column.id, &IndexSchema::column) > 0);
  }
}

Status ColumnMeasures::Add(uint32_t index, ByteView value) {
  constexpr uint64_t kValuesCompared = 10'000;
  advise::ColumnSample& column = samples_[index];
  const Type& type = *types_[index];
  ++column.values;
  column.bytes += value.size();
  column.bytes_max = std::max<uint64_t>(column.bytes_max, value.size());
  if (indexed_[index] && column.compared < kValuesCompared) {
    ++column.compared;
    if (different_[index].insert(Bytes(value)).second) ++column.distinct;
  }
  if (!type.is_collection()) return OkStatus();
  WR_ASSIGN_OR_RETURN(const auto elements, SplitCollection(type, value));
  const uint64_t count = type.kind == TypeKind::kMap ? elements.size() / 2 : elements.size();
  column.elements_max = std::max(column.elements_max, count);
  return OkStatus();
}

}  // namespace widerow
