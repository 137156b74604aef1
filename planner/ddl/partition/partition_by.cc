// CREATE TABLE … PARTITION BY. ReadColumns checks the partitioning columns. Then one function builds the partition map:
// AddNumbered for KEY and HASH, AddLists for LIST, AddRanges for RANGE with bounds, and PreSplit for RANGE with only a
// number of partitions.
#include "planner/ddl/partition/partition_by.h"

#include <algorithm>
#include <set>

#include "base/limits.h"
#include "planner/access/key_hint.h"
#include "planner/access/partition_key.h"
#include "planner/ddl/edit/schema_edit.h"
#include "planner/ddl/partition/partition_values.h"
#include "planner/ddl/parts/table_columns.h"
#include "types/order_codec.h"
#include "types/position.h"

namespace widerow::ddl {

namespace {

PartitionKind KindOf(PartitionBy::Kind kind) {
  switch (kind) {
    case PartitionBy::Kind::kKey: return PartitionKind::kKey;
    case PartitionBy::Kind::kHash: return PartitionKind::kHash;
    case PartitionBy::Kind::kRange: return PartitionKind::kRange;
    case PartitionBy::Kind::kList: return PartitionKind::kList;
  }
  return PartitionKind::kToken;
}

bool IsIntegerKind(TypeKind kind) {
  return kind == TypeKind::kTinyint || kind == TypeKind::kSmallint || kind == TypeKind::kInt ||
         kind == TypeKind::kBigint || kind == TypeKind::kTimestamp;
}

Result<const ColumnSchema*> PartitioningColumn(const Term& term, const TableSchema& table) {
  const auto* ref = std::get_if<ColumnRef>(&term.node);
  if (ref == nullptr) {
    return InvalidAt(term.range, "PARTITION BY takes columns, not expressions",
                     "declare a column for it, c type GENERATED ALWAYS AS (…), and partition by that");
  }
  const ColumnSchema* const column = table.Find(ref->name.text);
  if (column == nullptr) {
    return InvalidAt(term.range,
                     "Undefined column name " + ref->name.text + " in table " + table.keyspace + "." + table.name);
  }
  return column;
}

Status CheckColumn(const ColumnSchema& column, SourceRange range, const TableSchema& table) {
  const PartitionKind kind = table.partitioning.kind;
  const std::string by = std::string("PARTITION BY ") + PartitionKindName(kind);
  if (!IsDerivedFromKey(column, table) && column.kind != ColumnKind::kPartitionKey) {
    return InvalidAt(
        range, by + " takes columns of the partition key, and " + column.name + " is none",
        "the key is " + PrimaryKeyText(table) + ": all rows of a partition key value are in one partition");
  }
  const bool next = column.kind == ColumnKind::kPartitionKey && column.position == table.partitioning.columns.size();
  if (kind == PartitionKind::kRange && !next) {
    return InvalidAt(range, by + " takes the leading columns of the partition key, in their order",
                     "the key is " + PrimaryKeyText(table) + ": begin with " + table.partition_key(0).name);
  }
  if (kind == PartitionKind::kHash && !IsIntegerKind(column.type->kind)) {
    return InvalidAt(range,
                     by + " takes an integer column, and " + column.name + " has the type " + TypeText(*column.type),
                     "PARTITION BY KEY (" + QuoteIdentifier(column.name) + ") hashes any type");
  }
  if (kind == PartitionKind::kList && !KeepsBytes(*column.type)) {
    return InvalidAt(range, by + " cannot tell values of type " + TypeText(*column.type) + " apart by their bytes");
  }
  return OkStatus();
}

Status ReadColumns(const PartitionBy& by, TableSchema& table) {
  const bool one_only = by.kind == PartitionBy::Kind::kHash || by.kind == PartitionBy::Kind::kList;
  if (one_only && by.keys.size() != 1) {
    return InvalidAt(by.range, std::string("PARTITION BY ") + PartitionKindName(KindOf(by.kind)) + " takes one column",
                     "PARTITION BY KEY and RANGE take several");
  }
  for (const Term& term : by.keys) {
    WR_ASSIGN_OR_RETURN(const ColumnSchema* column, PartitioningColumn(term, table));
    WR_RETURN_IF_ERROR(CheckColumn(*column, term.range, table));
    std::vector<ColumnId>& columns = table.partitioning.columns;
    if (std::find(columns.begin(), columns.end(), column->id) != columns.end()) {
      return InvalidAt(term.range, "Duplicate column '" + column->name + "' in PARTITION BY");
    }
    columns.push_back(column->id);
  }
  return OkStatus();
}

Status CheckCount(uint64_t count, SourceRange range) {
  if (count >= 1 && count <= limits::kPartitionsMax) return OkStatus();
  return InvalidAt(range, "A table has 1 to " + std::to_string(limits::kPartitionsMax) + " partitions, not " +
                              std::to_string(count));
}

// Adds the partitions of PARTITIONS n, or of the definitions in parentheses, which give names.
Status AddNumbered(const PartitionBy& by, TableSchema& table) {
  const std::string method = PartitionKindName(table.partitioning.kind);
  if (!by.count && by.partitions.empty()) {
    return InvalidAt(by.range, "PARTITION BY " + method + " needs a number of partitions",
                     "PARTITION BY " + method + " (…) PARTITIONS 97; a prime number spreads rows evenly");
  }
  const uint64_t count = by.count.value_or(by.partitions.size());
  WR_RETURN_IF_ERROR(CheckCount(count, by.range));
  if (!by.partitions.empty() && by.partitions.size() != count) {
    return InvalidAt(by.range, "Wrong number of partitions defined: " + std::to_string(by.partitions.size()) +
                                   " for PARTITIONS " + std::to_string(count));
  }
  for (uint32_t i = 0; i < count; ++i) {
    if (i < by.partitions.size() && (!by.partitions[i].values.empty() || by.partitions[i].max_value)) {
      return InvalidAt(by.partitions[i].name.range, "Only RANGE and LIST partitions have VALUES");
    }
    PartitionRange partition{.id = table.partitioning.next_id++, .number = i};
    partition.name = i < by.partitions.size() ? by.partitions[i].name.text : "p" + std::to_string(i);
    if (i > 0) partition.first_position = PositionOfNumber(i);
    table.partition_map.push_back(std::move(partition));
  }
  return OkStatus();
}

Status AddLists(const PartitionBy& by, const SchemaSnapshot& schema, TableSchema& table) {
  if (by.partitions.empty()) {
    return InvalidAt(by.range, "For LIST partitions each partition must be defined",
                     "PARTITION BY LIST (…) (PARTITION p0 VALUES IN (…), PARTITION p1 VALUES IN (…))");
  }
  for (const PartitionDefinition& definition : by.partitions) WR_RETURN_IF_ERROR(AddList(definition, schema, table));
  return OkStatus();
}

// Adds the partitions of PARTITIONS n if the statement names no bounds. The function itself makes n - 1 bounds, of hex
// digits (text) or bytes (blob), which divide the key space evenly.
Status PreSplit(const PartitionBy& by, TableSchema& table) {
  const Type& type = *table.partition_key(0).type;
  const bool text = type.kind == TypeKind::kText || type.kind == TypeKind::kAscii;
  if (!text && type.kind != TypeKind::kBlob) {
    return InvalidAt(by.range,
                     "PARTITIONS without bounds parts the hex digits of a text or the bytes of a blob, and " +
                         table.partition_key(0).name + " has the type " + TypeText(type),
                     "name the bounds: PARTITION BY RANGE (…) (PARTITION p0 VALUES LESS THAN (…), PARTITION p1 VALUES "
                     "LESS THAN MAXVALUE)");
  }
  const uint64_t count = *by.count, units = text ? 16 : 256;
  uint64_t all = units;
  int digits = 1;
  while (all % count != 0 && all < 65'536) all *= units, ++digits;
  while (all < count) all *= units, ++digits;
  AddRangeEntry("p0", {}, table);
  for (uint64_t i = 1; i < count; ++i) {
    const uint64_t at = all * i / count;
    Bytes value;
    for (int digit = digits - 1; digit >= 0; --digit) {
      uint64_t part = at;
      for (int n = 0; n < digit; ++n) part /= units;
      value.push_back(text ? "0123456789abcdef"[part % units] : static_cast<char>(part % units));
    }
    Bytes bound;
    AppendComparable(type, false, ByteView(value), bound);
    AddRangeEntry("p" + std::to_string(i), bound, table);
  }
  return OkStatus();
}

Status AddRanges(const PartitionBy& by, const SchemaSnapshot& schema, TableSchema& table) {
  if (by.partitions.empty()) {
    if (by.count && *by.count > 1) return PreSplit(by, table);
    AddRangeEntry("p0", {}, table);
    return OkStatus();
  }
  if (by.count && *by.count != by.partitions.size()) {
    return InvalidAt(by.range, "Wrong number of partitions defined: " + std::to_string(by.partitions.size()) +
                                   " for PARTITIONS " + std::to_string(*by.count));
  }
  Bytes first;
  WR_RETURN_IF_ERROR(CheckMaxValue(by.partitions));
  for (const PartitionDefinition& definition : by.partitions) {
    AddRangeEntry(definition.name.text, first, table);
    WR_ASSIGN_OR_RETURN(first, NextBound(definition, first, schema, table));
  }
  table.partitioning.end_key = std::move(first);
  return OkStatus();
}

}  // namespace

Status ApplyPartitionBy(const CreateTableStatement& statement, const SchemaSnapshot& schema, TableSchema& table) {
  if (statement.tablegroup) table.tablegroup = statement.tablegroup->text;
  if (!statement.partition_by) {
    table.partition_map = DefaultPartitionMap();
  } else {
    const PartitionBy& by = *statement.partition_by;
    table.partitioning.kind = KindOf(by.kind);
    table.partition_map.clear();
    WR_RETURN_IF_ERROR(ReadColumns(by, table));
    if (by.count) WR_RETURN_IF_ERROR(CheckCount(*by.count, by.range));
    WR_RETURN_IF_ERROR(CheckCount(std::max<size_t>(by.partitions.size(), 1), by.range));
    switch (table.partitioning.kind) {
      case PartitionKind::kKey:
      case PartitionKind::kHash: WR_RETURN_IF_ERROR(AddNumbered(by, table)); break;
      case PartitionKind::kList: WR_RETURN_IF_ERROR(AddLists(by, schema, table)); break;
      case PartitionKind::kRange: WR_RETURN_IF_ERROR(AddRanges(by, schema, table)); break;
      case PartitionKind::kToken: break;
    }
    WR_RETURN_IF_ERROR(CheckNames(table, by.range));
  }
  return statement.tablegroup ? CheckGroup(schema, table, statement.tablegroup->range) : OkStatus();
}

}  // namespace widerow::ddl
