// Prints PARTITION BY for DESCRIBE, so that the printed statement creates the same partitions.
#include <algorithm>

#include "base/text.h"
#include "planner/access/partition_key.h"
#include "planner/ddl/edit/schema_edit.h"
#include "planner/ddl/partition/partition_by.h"
#include "types/position.h"
#include "types/text_form.h"

namespace widerow::ddl {

namespace {

std::string ListText(const TableSchema& table, const PartitionRange& partition) {
  const Type& type = *table.FindId(table.partitioning.columns[0])->type;
  std::vector<std::string> values;
  for (const Bytes& value : partition.values) values.push_back(FormatLiteral(type, value));
  return "PARTITION " + QuoteIdentifier(partition.name) + " VALUES IN (" + JoinNames(values) + ")";
}

// Returns the text of each RANGE partition. A partition ends where the next printed one begins, because automatic
// partitions may be left out.
std::vector<std::string> RangeTexts(const TableSchema& table, bool with_automatic) {
  std::vector<std::string> texts;
  const auto end = [&](const Bytes& position) {
    return " VALUES LESS THAN " + (position.empty() ? "MAXVALUE" : "(" + BoundText(table, position) + ")");
  };
  for (const PartitionRange& partition : table.partition_map) {
    if (partition.automatic && !with_automatic) continue;
    if (!texts.empty()) texts.back() += end(partition.first_position);
    texts.push_back("PARTITION " + QuoteIdentifier(partition.name));
  }
  const Bytes& last = table.partitioning.end_key;
  texts.back() += end(last.empty() ? Bytes() : PositionOfKey(last));
  return texts;
}

// True if the names are p0, p1, ….
bool HasDefaultNames(const TableSchema& table) {
  for (size_t i = 0; i < table.partition_map.size(); ++i) {
    if (table.partition_map[i].name != "p" + std::to_string(i)) return false;
  }
  return true;
}

}  // namespace

std::string PartitionByText(const TableSchema& table, bool with_automatic) {
  const Partitioning& partitioning = table.partitioning;
  if (partitioning.by_token()) return {};
  std::vector<std::string> columns, partitions;
  for (const ColumnId id : partitioning.columns) columns.push_back(QuoteIdentifier(table.FindId(id)->name));
  std::string out =
      std::string("PARTITION BY ") + PartitionKindName(partitioning.kind) + " (" + JoinNames(columns) + ")";
  switch (partitioning.kind) {
    case PartitionKind::kToken: break;
    case PartitionKind::kKey:
    case PartitionKind::kHash:
      out += " PARTITIONS " + std::to_string(table.partition_map.size());
      if (!HasDefaultNames(table)) {
        for (const PartitionRange& partition : table.partition_map) {
          partitions.push_back("PARTITION " + QuoteIdentifier(partition.name));
        }
      }
      break;
    case PartitionKind::kList:
      for (const PartitionRange& partition : table.partition_map) partitions.push_back(ListText(table, partition));
      break;
    case PartitionKind::kRange: partitions = RangeTexts(table, with_automatic); break;
  }
  if (partitions.empty()) return out;
  out += " (";
  for (size_t i = 0; i < partitions.size(); ++i) out += (i == 0 ? "\n    " : ",\n    ") + partitions[i];
  return out + ")";
}

}  // namespace widerow::ddl
