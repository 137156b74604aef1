#include "planner/ddl/parts/primary_key.h"

#include <algorithm>

#include "base/bytes_map.h"
#include "base/text.h"
#include "planner/ddl/edit/schema_edit.h"
#include "planner/ddl/edit/type_use.h"

namespace widerow::ddl {

namespace {

Status CheckKeyType(const Identifier& name, const ColumnSchema& column) {
  const Type& type = *column.type;
  const std::string tail = " for PRIMARY KEY column '" + name.text + "'";
  if (type.is_collection() && type.is_multi_cell()) {
    return InvalidAt(name.range, "Invalid non-frozen collection type " + TypeText(type) + tail,
                     "write frozen<" + TypeText(type) + ">");
  }
  if (type.is_multi_cell()) {
    return InvalidAt(name.range,
                     "Invalid non-frozen user-defined type \"" + type.keyspace + "." + type.name + "\"" + tail,
                     "write frozen<" + TypeText(type) + ">");
  }
  if (type.kind == TypeKind::kCounter) return InvalidAt(name.range, "counter type is not supported" + tail);
  if (UsesDuration(type)) return InvalidAt(name.range, "duration type is not supported" + tail);
  if (UsesLongBlob(type)) {
    return InvalidAt(name.range, "LOB type is not supported" + tail,
                     "a key holds at most 65535 bytes: varbinary(65535) is the longest type for it");
  }
  if (column.kind == ColumnKind::kStatic) {
    return InvalidAt(name.range, "Static column '" + name.text + "' cannot be part of the PRIMARY KEY");
  }
  return OkStatus();
}

Status CheckRepeats(const DeclaredKey& key, const std::string& table) {
  ByteViewSet seen;
  for (const std::vector<Identifier>* part : {&key.partition, &key.clustering}) {
    for (const Identifier& name : *part) {
      if (seen.insert(name.text).second) continue;
      return InvalidAt(name.range,
                       "Duplicate column '" + name.text + "' in PRIMARY KEY clause for table '" + table + "'");
    }
  }
  return OkStatus();
}

bool Holds(const std::vector<ClusteringOrder>& order, const Identifier& name) {
  return std::any_of(order.begin(), order.end(), [&](const ClusteringOrder& o) { return o.column == name; });
}

using ColumnsByName = ByteViewMap<ColumnSchema*>;

Status CheckOrder(const std::vector<ClusteringOrder>& order, const std::vector<Identifier>& clustering) {
  std::vector<std::string> strangers;
  std::optional<SourceRange> at;
  ByteViewSet known;
  for (const Identifier& name : clustering) known.insert(name.text);
  for (const ClusteringOrder& entry : order) {
    if (known.contains(entry.column.text)) continue;
    strangers.push_back(entry.column.text);
    if (!at) at = entry.column.range;
  }
  if (at) {
    return InvalidAt(*at, "Only clustering key columns can be defined in CLUSTERING ORDER directive: [" +
                              JoinNames(strangers) + "] are not clustering columns");
  }
  for (size_t i = 0; i < order.size(); ++i) {
    // order[i] exists: `order` has every clustering column once.
    const Identifier& expected = clustering[i];
    if (order[i].column == expected) continue;
    if (!Holds(order, expected)) {
      return InvalidAt(order[i].column.range, "Missing CLUSTERING ORDER for column " + expected.text);
    }
    return InvalidAt(
        order[i].column.range,
        "The order of columns in the CLUSTERING ORDER directive must match that of the clustering columns (" +
            expected.text + " must appear before " + order[i].column.text + ")");
  }
  return OkStatus();
}

}  // namespace

Result<DeclaredKey> FindDeclaredKey(const CreateTableStatement& statement, const std::string& written_name) {
  DeclaredKey key{statement.partition_key, statement.clustering_key};
  for (const ColumnDefinition& column : statement.columns) {
    if (column.primary_key && key.partition.empty()) key.partition.push_back(column.name);
  }
  const uint32_t keys = statement.primary_key_count;
  if (keys == 1) return key;
  const SourceRange range = statement.primary_key_range.value_or(statement.name.range);
  if (keys == 0) {
    // "specifed" is Cassandra's spelling.
    return InvalidAt(range, "No PRIMARY KEY specifed for table '" + written_name + "' (exactly one required)",
                     "add PRIMARY KEY (partition key column, clustering columns …)");
  }
  return InvalidAt(range, "Multiple PRIMARY KEY specified for table '" + written_name + "' (exactly one required)");
}

Status ApplyKey(const CreateTableStatement& statement, const DeclaredKey& key, std::vector<ColumnSchema>& columns) {
  const std::string& table = statement.name.name.text;
  WR_RETURN_IF_ERROR(CheckRepeats(key, table));
  ColumnsByName by_name;
  for (ColumnSchema& column : columns) by_name.emplace(column.name, &column);
  for (const bool partition : {true, false}) {
    uint32_t position = 0;
    for (const Identifier& name : partition ? key.partition : key.clustering) {
      const auto found = by_name.find(name.text);
      if (found == by_name.end()) {
        return InvalidAt(name.range,
                         "Unknown column '" + name.text + "' referenced in PRIMARY KEY for table '" + table + "'");
      }
      ColumnSchema* const column = found->second;
      WR_RETURN_IF_ERROR(CheckKeyType(name, *column));
      column->kind = partition ? ColumnKind::kPartitionKey : ColumnKind::kClustering;
      column->position = position++;
    }
  }
  WR_RETURN_IF_ERROR(CheckOrder(statement.clustering_order, key.clustering));
  for (ColumnSchema& column : columns) {
    // A clustering column of the type 'ReversedType(…)' descends already.
    column.descending = column.descending && column.kind == ColumnKind::kClustering;
  }
  for (const ClusteringOrder& order : statement.clustering_order) {
    if (order.descending) by_name.at(order.column.text)->descending = true;
  }
  return OkStatus();
}

}  // namespace widerow::ddl
