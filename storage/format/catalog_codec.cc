// Each function …Fields describes one part of a record. It is a template over Io, which is a Writer or a Reader
// (catalog_io.h), so the same function writes and reads. Every table has the fields of TableFields. *Sections* follow
// for features that only some tables have: WriteSections writes those that the table needs, and ReadSections reads them
// by number. EncodeTable and DecodeTable are at the end of the file.
#include "storage/format/catalog_codec.h"

#include <algorithm>
#include <charconv>

#include "storage/format/catalog_io.h"

namespace widerow {
namespace {

using catalog::Reader;
using catalog::Sequence;
using catalog::TextMap;
using catalog::TypeField;
using catalog::Writer;

constexpr uint8_t kCatalogVersion = 1;
// The version of a table record with sections.
constexpr uint8_t kSectionedVersion = 2;
// The numbers are stored. A new section takes the next number; no number ever changes.
enum class Section : uint8_t {
  kGeneratedColumns = 1,
  kNotNullColumns = 2,
  kPartitioning = 3,
  kIndexes = 4,
  kViewsOf = 5,  // Names of the views on the table.
  kView = 6,     // For a table that is a view.
  kDropped = 7,  // For each dropped column: its id and gone_micros.
};

// The throughput options of a table are stored as extensions whose names begin with this prefix.
constexpr std::string_view kThroughputPrefix = "widerow.";

void ExtensionFields(Writer& io, const TableOptions& options) {
  std::map<std::string, std::string> stored = options.extensions;
  TableThroughput throughput = options.throughput;
  for (const std::string_view name : kThroughputOptions) {
    const int32_t units = *FindThroughput(throughput, name);
    if (units != 0) stored[std::string(kThroughputPrefix).append(name)] = std::to_string(units);
  }
  TextMap(io, stored);
}
void ExtensionFields(Reader& io, TableOptions& options) {
  TextMap(io, options.extensions);
  for (const std::string_view name : kThroughputOptions) {
    const auto stored = options.extensions.find(std::string(kThroughputPrefix).append(name));
    if (stored == options.extensions.end()) continue;
    const std::string& units = stored->second;
    const auto [end, code] =
        std::from_chars(units.data(), units.data() + units.size(), *FindThroughput(options.throughput, name));
    if (code != std::errc() || end != units.data() + units.size()) io.Fail();
    options.extensions.erase(stored);
  }
}

template <typename Io, typename Options>
void OptionsFields(Io& io, Options& options) {
  io.Text(options.comment);
  io.Integer(options.default_time_to_live);
  io.Integer(options.gc_grace_seconds);
  io.Double(options.bloom_filter_fp_chance);
  io.Double(options.crc_check_chance);
  io.Integer(options.min_index_interval);
  io.Integer(options.max_index_interval);
  io.Integer(options.memtable_flush_period_in_ms);
  io.Text(options.speculative_retry);
  io.Text(options.additional_write_policy);
  io.Text(options.memtable);
  io.Text(options.read_repair);
  io.Integer(options.cdc);
  io.Integer(options.allow_auto_snapshot);
  io.Integer(options.incremental_backups);
  TextMap(io, options.caching);
  TextMap(io, options.compaction);
  TextMap(io, options.compression);
  ExtensionFields(io, options);
}

template <typename Io, typename Table>
void TableFields(Io& io, Table& table) {
  io.Id(table.id);
  io.Text(table.keyspace);
  io.Text(table.name);
  io.Integer(table.storage_id);
  Sequence(io, table.columns, [&](auto& column) {
    io.Text(column.name);
    io.Integer(column.id);
    io.Integer(column.kind);
    io.Integer(column.position);
    TypeField(io, column.type);
    io.Integer(column.descending);
  });
  io.Integer(table.partition_key_size);
  io.Integer(table.clustering_size);
  io.Integer(table.next_column_id);
  OptionsFields(io, table.options);
  Sequence(io, table.dropped_columns, [&](auto& column) {
    io.Text(column.name);
    TypeField(io, column.type);
    io.Integer(column.is_static);
    io.Integer(column.dropped_micros);
  });
  Sequence(io, table.partition_map, [&](auto& range) {
    io.Integer(range.id);
    io.Text(range.first_position);
  });
}

// --- Sections. A section is its number and then its content. A section without content is not written.

template <typename Io, typename Table>
void PartitioningFields(Io& io, Table& table) {
  auto& partitioning = table.partitioning;
  io.Integer(partitioning.kind);
  Sequence(io, partitioning.columns, [&](auto& column) { io.Integer(column); });
  io.Integer(partitioning.next_id);
  io.Integer(partitioning.next_number);
  io.Text(partitioning.end_key);
  io.Integer(partitioning.auto_split);
  io.Integer(partitioning.split_bytes);
  io.Integer(partitioning.split_operations);
  Sequence(io, partitioning.extents, [&](auto& extent) {
    io.Text(extent.first_position);
    io.Integer(extent.storage_id);
  });
  io.Text(table.tablegroup);
  // More fields of each entry of the partition map. TableFields has the number of entries and their first fields.
  for (auto& range : table.partition_map) {
    io.Text(range.name);
    io.Integer(range.number);
    Sequence(io, range.values, [&](auto& value) { io.Text(value); });
    io.Integer(range.automatic);
  }
}

bool IsPlausible(const TableSchema& table);

void EntriesFields(Writer& io, const TablePtr& entries) {
  TableFields(io, *entries);
  PartitioningFields(io, *entries);
}
void EntriesFields(Reader& io, TablePtr& entries) {
  auto table = std::make_shared<TableSchema>();
  TableFields(io, *table);
  PartitioningFields(io, *table);
  if (!io.ok() || !IsPlausible(*table)) io.Fail();
  entries = std::move(table);
}

template <typename Io, typename Table>
void IndexesFields(Io& io, Table& table) {
  Sequence(io, table.indexes, [&](auto& index) {
    io.Text(index.name);
    io.Integer(index.kind);
    io.Integer(index.target);
    io.Integer(index.column);
    TextMap(io, index.options);
    io.Integer(index.built);
    EntriesFields(io, index.entries);
  });
}

template <typename Io, typename View>
void ViewFields(Io& io, View& view) {
  io.Text(view.base_table);
  io.Id(view.base_id);
  io.Integer(view.include_all_columns);
  io.Text(view.where_clause);
  io.Integer(view.built);
}

// More fields of each dropped column. TableFields has the number of dropped columns and their first fields.
template <typename Io, typename Dropped>
void DroppedFields(Io& io, Dropped& dropped) {
  for (auto& column : dropped) {
    io.Integer(column.id);
    io.Integer(column.gone_micros);
  }
}

using ColumnTexts = std::vector<std::pair<ColumnId, std::string>>;

void WriteSections(const TableSchema& table, Writer& io) {
  ColumnTexts generated;
  std::vector<ColumnId> not_null;
  for (const ColumnSchema& column : table.columns) {
    if (column.is_generated()) generated.emplace_back(column.id, column.generated_as);
    if (column.not_null) not_null.push_back(column.id);
  }
  if (!generated.empty()) {
    io.Integer(Section::kGeneratedColumns);
    Sequence(io, generated, [&](const auto& column) {
      io.Integer(column.first);
      io.Text(column.second);
    });
  }
  if (!not_null.empty()) {
    io.Integer(Section::kNotNullColumns);
    Sequence(io, not_null, [&](const ColumnId& id) { io.Integer(id); });
  }
  if (!table.partitioning.by_token() || !table.tablegroup.empty()) {
    io.Integer(Section::kPartitioning);
    PartitioningFields(io, table);
  }
  if (!table.indexes.empty()) {
    io.Integer(Section::kIndexes);
    IndexesFields(io, table);
  }
  if (!table.views.empty()) {
    io.Integer(Section::kViewsOf);
    Sequence(io, table.views, [&](const std::string& name) { io.Text(name); });
  }
  if (table.view != nullptr) {
    io.Integer(Section::kView);
    ViewFields(io, *table.view);
  }
  const auto& dropped = table.dropped_columns;
  if (std::any_of(dropped.begin(), dropped.end(),
                  [](const DroppedColumn& column) { return column.id != kNoColumnId; })) {
    io.Integer(Section::kDropped);
    DroppedFields(io, dropped);
  }
}

ColumnSchema* ColumnOf(ColumnId id, TableSchema& table) {
  for (ColumnSchema& column : table.columns) {
    if (column.id == id) return &column;
  }
  return nullptr;
}

bool ReadGenerated(Reader& io, TableSchema& table) {
  ColumnTexts columns;
  Sequence(io, columns, [&](auto& column) {
    io.Integer(column.first);
    io.Text(column.second);
  });
  for (auto& [id, text] : columns) {
    ColumnSchema* const column = ColumnOf(id, table);
    if (column == nullptr || text.empty()) return false;
    column->generated_as = std::move(text);
  }
  return io.ok();
}

bool ReadNotNull(Reader& io, TableSchema& table) {
  std::vector<ColumnId> columns;
  Sequence(io, columns, [&](ColumnId& id) { io.Integer(id); });
  for (const ColumnId id : columns) {
    ColumnSchema* const column = ColumnOf(id, table);
    if (column == nullptr) return false;
    column->not_null = true;
  }
  return io.ok();
}

bool ReadIndexes(Reader& io, TableSchema& table) {
  IndexesFields(io, table);
  for (const IndexSchema& index : table.indexes) {
    if (table.FindId(index.column) == nullptr || index.kind > IndexKind::kSasi || index.target > IndexTarget::kFull)
      return false;
  }
  return io.ok();
}

void ReadViewDefinition(Reader& io, TableSchema& table) {
  auto view = std::make_shared<ViewSchema>();
  ViewFields(io, *view);
  table.view = std::move(view);
}

bool ReadSections(Reader& io, TableSchema& table) {
  while (io.ok() && !io.AtEnd()) {
    Section section{};
    io.Integer(section);
    switch (section) {
      case Section::kGeneratedColumns:
        if (!ReadGenerated(io, table)) return false;
        continue;
      case Section::kNotNullColumns:
        if (!ReadNotNull(io, table)) return false;
        continue;
      case Section::kPartitioning: PartitioningFields(io, table); continue;
      case Section::kIndexes:
        if (!ReadIndexes(io, table)) return false;
        continue;
      case Section::kViewsOf: Sequence(io, table.views, [&](std::string& name) { io.Text(name); }); continue;
      case Section::kView: ReadViewDefinition(io, table); continue;
      case Section::kDropped: DroppedFields(io, table.dropped_columns); continue;
    }
    return false;  // A section of a later version.
  }
  return io.ok();
}

bool IsPlausible(const Partitioning& partitioning) {
  const std::vector<Extent>& extents = partitioning.extents;
  return partitioning.kind <= PartitionKind::kRange && (extents.empty() || extents.front().first_position.empty()) &&
         std::is_sorted(extents.begin(), extents.end(),
                        [](const Extent& a, const Extent& b) { return a.first_position < b.first_position; });
}

// Checks what other code relies on: the column ids, the sizes of the keys, and the partition map.
bool IsPlausible(const TableSchema& table) {
  for (const DroppedColumn& dropped : table.dropped_columns) {
    if (dropped.id != kNoColumnId && dropped.id >= table.next_column_id) return false;
  }
  return uint64_t{table.partition_key_size} + table.clustering_size <= table.columns.size() &&
         table.partition_key_size > 0 && !table.partition_map.empty() && IsPlausible(table.partitioning);
}

}  // namespace

Bytes EncodeKeyspace(const KeyspaceSchema& keyspace) {
  Writer io;
  io.Number(kCatalogVersion);
  io.Text(keyspace.name);
  TextMap(io, keyspace.replication);
  io.Integer(keyspace.durable_writes);
  Sequence(io, keyspace.types, [&](const auto& named) {
    io.Text(named.first);
    TypeField(io, named.second);
  });
  if (!keyspace.tablegroups.empty()) {
    Sequence(io, keyspace.tablegroups, [&](const std::string& group) { io.Text(group); });
  }
  return io.Finish();
}

bool DecodeKeyspace(ByteView record, KeyspaceSchema& keyspace) {
  if (!Unseal(record)) return false;
  Reader io(record);
  if (io.Number() != kCatalogVersion) return false;
  io.Text(keyspace.name);
  TextMap(io, keyspace.replication);
  io.Integer(keyspace.durable_writes);
  for (uint64_t count = io.Count(); count > 0 && io.ok(); --count) {
    Bytes name;
    TypePtr type;
    io.Text(name);
    TypeField(io, type);
    if (io.ok()) keyspace.types.emplace(std::move(name), std::move(type));
  }
  for (uint64_t count = io.AtEnd() ? 0 : io.Count(); count > 0 && io.ok(); --count) {
    Bytes group;
    io.Text(group);
    if (io.ok()) keyspace.tablegroups.insert(std::move(group));
  }
  return io.AtEnd();
}

Bytes EncodeTable(const TableSchema& table) {
  Writer sections;
  WriteSections(table, sections);
  Writer io;
  io.Number(sections.empty() ? kCatalogVersion : kSectionedVersion);
  TableFields(io, table);
  io.Append(sections);
  return io.Finish();
}

bool DecodeTable(ByteView record, TableSchema& table) {
  if (!Unseal(record)) return false;
  Reader io(record);
  const uint64_t version = io.Number();
  if (version != kCatalogVersion && version != kSectionedVersion) return false;
  TableFields(io, table);
  if (version == kSectionedVersion && !ReadSections(io, table)) return false;
  return io.AtEnd() && IsPlausible(table);
}

}  // namespace widerow
