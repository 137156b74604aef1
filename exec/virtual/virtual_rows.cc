#include "exec/virtual/virtual_rows.h"

#include "base/check.h"
#include "types/order_codec.h"
#include "types/token.h"
#include "types/value_bytes.h"

namespace widerow {

namespace {

// Appends the elements of a list, set or map, each as one cell.
void AppendElements(const ColumnSchema& column, ByteView value, std::vector<Cell>& cells) {
  const auto elements = SplitCollection(*column.type, value);
  WR_CHECK(elements.ok());
  const size_t step = column.type->kind == TypeKind::kMap ? 2 : 1;
  for (size_t i = 0; i + step <= elements->size(); i += step) {
    const ByteView element = *(*elements)[i];
    Cell cell{.column = column.id, .timestamp = 0};
    if (column.type->kind == TypeKind::kList) {
      AppendBigEndian(cell.path, static_cast<uint32_t>(i));
      cell.value = element;
    } else {
      cell.path = element;
      if (step == 2) cell.value = *(*elements)[i + 1];
    }
    cells.push_back(std::move(cell));
  }
}

}  // namespace

VirtualRows& VirtualRows::Add() {
  Finish();
  under_way_ = true;
  return *this;
}

size_t VirtualRows::IndexOf(std::string_view column) const {
  for (size_t i = 0; i < table_.columns.size(); ++i) {
    if (table_.columns[i].name == column) return i;
  }
  WR_CHECK(false);
}

VirtualRows& VirtualRows::Native(std::string_view column, Value value) {
  values_[IndexOf(column)] = std::move(value);
  return *this;
}

VirtualRows& VirtualRows::Integer(std::string_view column, int64_t number) {
  const size_t index = IndexOf(column);
  values_[index] = EncodeInteger(table_.columns[index].type->kind, number);
  return *this;
}

VirtualRows& VirtualRows::Double(std::string_view column, double number) {
  return Native(column, EncodeDouble(number));
}

VirtualRows& VirtualRows::TextMap(std::string_view column, const std::map<std::string, std::string>& map) {
  std::vector<ValueView> elements;
  for (const auto& [key, value] : map) {
    elements.emplace_back(key);
    elements.emplace_back(value);
  }
  const size_t index = IndexOf(column);
  values_[index] = JoinCollection(*table_.columns[index].type, elements);
  return *this;
}

VirtualRows& VirtualRows::Texts(std::string_view column, const std::vector<std::string>& elements) {
  const size_t index = IndexOf(column);
  values_[index] =
      JoinCollection(*table_.columns[index].type, std::vector<ValueView>(elements.begin(), elements.end()));
  return *this;
}

void VirtualRows::Finish() {
  if (!under_way_) return;
  MemoryRow row;
  std::vector<ByteView> key;
  for (size_t i = 0; i < table_.columns.size(); ++i) {
    const ColumnSchema& column = table_.columns[i];
    if (column.is_key()) WR_CHECK(values_[i].has_value());
    if (column.kind == ColumnKind::kPartitionKey) {
      key.emplace_back(*values_[i]);
    } else if (column.kind == ColumnKind::kClustering) {
      AppendComparable(*column.type, column.descending, ByteView(*values_[i]), row.clustering);
    } else if (values_[i] && column.type->is_multi_cell()) {
      AppendElements(column, *values_[i], row.cells);
    } else if (values_[i]) {
      row.cells.push_back({.column = column.id, .timestamp = 0, .value = *values_[i]});
    }
  }
  row.partition_key = SerializePartitionKey(key);
  row.token = Murmur3Token(row.partition_key);
  rows_.push_back(std::move(row));
  for (Value& value : values_) value.reset();
  under_way_ = false;
}

std::vector<MemoryRow> VirtualRows::Take() && {
  Finish();
  return std::move(rows_);
}

}  // namespace widerow
