#include "planner/ddl/parts/table_columns.h"

#include <algorithm>

#include "base/limits.h"
#include "planner/ddl/edit/schema_edit.h"

namespace widerow::ddl {

Status CheckColumnClauses(const ColumnDefinition& column) {
  if (column.mask) return InvalidAt(column.range, kMasksAreOff, kMasksHint);
  if (column.not_null && column.is_static) {
    return InvalidAt(column.range, "Static column " + column.name.text + " cannot be NOT NULL",
                     "a partition has no static values until one is written; NOT NULL is for columns of rows");
  }
  return OkStatus();
}

Status CheckNotNullType(const ColumnDefinition& column, const Type& type) {
  if (!column.not_null || !type.is_multi_cell()) return OkStatus();
  return InvalidAt(
      column.range, "Column " + column.name.text + " of type " + TypeText(type) + " cannot be NOT NULL",
      "an empty collection is null; write " + column.name.text + " frozen<" + TypeText(type) + "> NOT NULL");
}

Status CheckColumnType(SourceRange range, const Type& type) {
  if (type.kind != TypeKind::kUdt || type.frozen) return OkStatus();
  const bool nested = std::any_of(type.arguments.begin(), type.arguments.end(),
                                  [](const TypePtr& field) { return field->is_multi_cell(); });
  if (!nested) return OkStatus();
  return InvalidAt(range, "Non-frozen UDTs with nested non-frozen collections are not supported",
                   "write frozen<" + TypeText(type) + ">");
}

Error StaticsNeedClustering(SourceRange range) {
  return InvalidAt(range,
                   "Static columns are only useful (and thus allowed) if the table has at least one clustering column");
}

Status CheckTableName(const QualifiedName& name, const std::string& keyspace) {
  const std::string& table = name.name.text;
  const std::string prefix = keyspace + "." + table + ": Table name must not be ";
  if (!IsName(table, /*dollar=*/true)) {
    return ConfigErrorAt(
        name.range, prefix + "empty or not contain non-alphanumeric-underscore characters (got \"" + table + "\")");
  }
  if (table.size() > limits::kIdentifierBytesMax) {
    return ConfigErrorAt(name.range, prefix + "more than 222 characters long (got " + std::to_string(table.size()) +
                                         " characters for \"" + table + "\")");
  }
  return OkStatus();
}

void SortColumns(TableSchema& table) {
  const auto key = [](const ColumnSchema& column) {
    return std::tuple(column.kind, column.position,
                      column.is_key() ? std::string_view() : std::string_view(column.name));
  };
  std::sort(table.columns.begin(), table.columns.end(),
            [&](const ColumnSchema& a, const ColumnSchema& b) { return key(a) < key(b); });
}

std::vector<PartitionRange> DefaultPartitionMap() {
  constexpr uint32_t kPartitions = 16;
  std::vector<PartitionRange> map(1);
  for (uint32_t id = 1; id < kPartitions; ++id) {
    PartitionRange& range = map.emplace_back(PartitionRange{.id = id});
    AppendBigEndian(range.first_position, uint64_t{id} << 60);
  }
  return map;
}

}  // namespace widerow::ddl
