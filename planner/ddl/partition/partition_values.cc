// Turns the constants of VALUES into stored bytes. The bound of a RANGE partition is the order encodings of its values
// (types/order_codec.h), one after another. The values of a LIST partition are plain bytes. The Add… functions append
// entries to the partition map. SetExtent gives a range of positions another storage id.
#include "planner/ddl/partition/partition_values.h"

#include <algorithm>
#include <set>

#include "planner/access/partition_key.h"
#include "planner/ddl/edit/schema_edit.h"
#include "planner/generated/generated_columns.h"
#include "planner/terms/planning.h"
#include "planner/terms/prepare_term.h"
#include "types/order_codec.h"
#include "types/position.h"
#include "types/text_form.h"

namespace widerow::ddl {

namespace {

// Returns a constant as a value of the column. A text is allowed for the bytes of a blob, as in other databases.
Result<Bytes> ConstantValue(const Term& term, const ColumnSchema& column, const SchemaSnapshot& schema) {
  const auto* literal = std::get_if<Literal>(&term.node);
  if (literal != nullptr && literal->kind == Literal::Kind::kString && column.type->kind == TypeKind::kBlob)
    return Bytes(literal->text);
  const PlanContext context;
  Planning planning{.schema = schema, .context = context};
  WR_ASSIGN_OR_RETURN(const Expression value, PrepareTerm(term, ReceiverOf(column), planning));
  const auto* constant = std::get_if<ConstantExpression>(&value.node);
  if (constant == nullptr || !constant->value) {
    return InvalidAt(term.range, "VALUES takes constants of the column's type, " + TypeText(*column.type));
  }
  return *constant->value;
}

}  // namespace

bool IsDerivedFromKey(const ColumnSchema& column, const TableSchema& table) {
  const auto index = static_cast<uint32_t>(&column - table.columns.data());
  const GeneratedColumn* const generated = GeneratedOf(table, index);
  return generated != nullptr && !generated->random &&
         std::all_of(generated->sources.begin(), generated->sources.end(),
                     [&](uint32_t source) { return table.columns[source].kind == ColumnKind::kPartitionKey; });
}

Bytes PositionOfNumber(uint32_t number) {
  Bytes key;
  AppendPartitionNumber(number, key);
  return PositionOfKey(key);
}

void AddRangeEntry(std::string name, const Bytes& bound, TableSchema& table) {
  PartitionRange partition{.id = table.partitioning.next_id++, .name = std::move(name)};
  if (!bound.empty()) partition.first_position = PositionOfKey(bound);
  table.partition_map.push_back(std::move(partition));
}

Result<Bytes> BoundKey(const std::vector<Term>& values, SourceRange range, const SchemaSnapshot& schema,
                       const TableSchema& table) {
  const size_t count = table.partitioning.columns.size();
  if (values.size() != count) {
    return InvalidAt(range, "A bound has one value for each of the " + std::to_string(count) +
                                " partitioning columns (got " + std::to_string(values.size()) + ")");
  }
  Bytes key;
  for (size_t i = 0; i < count; ++i) {
    const ColumnSchema& column = table.partition_key(i);
    WR_ASSIGN_OR_RETURN(const Bytes value, ConstantValue(values[i], column, schema));
    AppendComparable(*column.type, false, ByteView(value), key);
  }
  return key;
}

Result<std::vector<Bytes>> ListValues(const std::vector<Term>& values, const SchemaSnapshot& schema,
                                      const TableSchema& table) {
  const ColumnSchema& column = *table.FindId(table.partitioning.columns[0]);
  std::vector<Bytes> bytes;
  for (const Term& value : values) { WR_ASSIGN_OR_RETURN(bytes.emplace_back(), ConstantValue(value, column, schema)); }
  return bytes;
}

Status CheckMaxValue(const std::vector<PartitionDefinition>& definitions) {
  for (size_t i = 0; i + 1 < definitions.size(); ++i) {
    if (definitions[i].max_value) {
      return InvalidAt(definitions[i].name.range, "MAXVALUE can only be used in last partition definition");
    }
  }
  return OkStatus();
}

Result<Bytes> NextBound(const PartitionDefinition& definition, const Bytes& before, const SchemaSnapshot& schema,
                        const TableSchema& table) {
  const SourceRange range = definition.name.range;
  if (definition.in_list || (definition.values.empty() && !definition.max_value)) {
    return InvalidAt(range, "RANGE partitioning requires definition of VALUES LESS THAN for each partition",
                     "PARTITION " + definition.name.text + " VALUES LESS THAN (…), or LESS THAN MAXVALUE for the last");
  }
  if (definition.max_value) return Bytes();
  WR_ASSIGN_OR_RETURN(Bytes bound, BoundKey(definition.values, range, schema, table));
  if (bound <= before) return InvalidAt(range, "VALUES LESS THAN value must be strictly increasing for each partition");
  return bound;
}

Status AddList(const PartitionDefinition& definition, const SchemaSnapshot& schema, TableSchema& table) {
  const SourceRange range = definition.name.range;
  if (!definition.in_list || definition.values.empty()) {
    return InvalidAt(range, "LIST partitioning requires definition of VALUES IN for each partition",
                     "PARTITION " + definition.name.text + " VALUES IN (…)");
  }
  PartitionRange partition{
      .id = table.partitioning.next_id++, .name = definition.name.text, .number = table.partitioning.next_number++};
  WR_ASSIGN_OR_RETURN(partition.values, ListValues(definition.values, schema, table));
  std::set<Bytes> known;
  for (const PartitionRange& other : table.partition_map) known.insert(other.values.begin(), other.values.end());
  for (const Bytes& value : partition.values) {
    if (!known.insert(value).second) {
      return InvalidAt(range, "Multiple definition of same constant in list partitioning: " +
                                  FormatLiteral(*table.FindId(table.partitioning.columns[0])->type, value));
    }
  }
  if (!table.partition_map.empty()) partition.first_position = PositionOfNumber(partition.number);
  table.partition_map.push_back(std::move(partition));
  return OkStatus();
}

Status CheckNames(const TableSchema& table, SourceRange range) {
  std::set<std::string_view> names;
  for (const PartitionRange& partition : table.partition_map) {
    if (!names.insert(partition.name).second) return InvalidAt(range, "Duplicate partition name " + partition.name);
  }
  return OkStatus();
}

void SetExtent(const Bytes& begin, const Bytes& end, StorageId id, TableSchema& table) {
  const StorageId after = StorageIdAt(table, end);
  std::vector<Extent>& extents = table.partitioning.extents;
  if (extents.empty()) extents.push_back({{}, table.storage_id});
  std::vector<Extent> next;
  const auto add = [&](const Bytes& first, StorageId with) {
    if (next.empty() || next.back().storage_id != with) next.push_back({first, with});
  };
  for (const Extent& extent : extents) {
    if (extent.first_position < begin) add(extent.first_position, extent.storage_id);
  }
  add(begin, id);
  if (!end.empty()) {
    add(end, after);
    for (const Extent& extent : extents) {
      if (extent.first_position > end) add(extent.first_position, extent.storage_id);
    }
  }
  extents = std::move(next);
}

}  // namespace widerow::ddl
