// system_schema and system_virtual_schema: the schema in the form that Cassandra 5 stores.
#include "exec/virtual/generators.h"
#include "exec/virtual/table_options.h"
#include "planner/counter_rules.h"
#include "planner/system_keyspaces.h"

namespace widerow {

namespace {

// Calls `visit` for every wanted keyspace that is virtual (`of_virtual` is true) or not virtual (false).
template <typename Visit>
void ForEachKeyspace(const VirtualContext& context, bool of_virtual, Visit visit) {
  for (const auto& [name, keyspace] : context.schema->keyspaces) {
    if (context.Wants(name) && IsVirtualKeyspace(name) == of_virtual) visit(*keyspace);
  }
}

template <typename Visit>
void ForEachTable(const VirtualContext& context, bool of_virtual, Visit visit) {
  ForEachKeyspace(context, of_virtual, [&](const KeyspaceSchema& keyspace) {
    for (const auto& [name, table] : keyspace.tables) {
      if (context.WantsClustering(name)) visit(*table);  // After a CREATE TABLE, clients ask for one table only.
    }
  });
}

// Cassandra stores no options that have their default, and no cdc if change data capture is off.
void SetRareOptions(const TableOptions& options, VirtualRows& rows) {
  static const TableOptions defaults;
  if (options.allow_auto_snapshot != defaults.allow_auto_snapshot) {
    rows.Boolean("allow_auto_snapshot", options.allow_auto_snapshot);
  }
  if (options.incremental_backups != defaults.incremental_backups) {
    rows.Boolean("incremental_backups", options.incremental_backups);
  }
  if (options.cdc != defaults.cdc) rows.Boolean("cdc", options.cdc);
  if (options.memtable != defaults.memtable) rows.Text("memtable", options.memtable);
}

}  // namespace

void SetTableOptions(const TableOptions& options, VirtualRows& rows) {
  rows.Text("additional_write_policy", options.additional_write_policy)
      .Double("bloom_filter_fp_chance", options.bloom_filter_fp_chance)
      .TextMap("caching", options.caching)
      .Text("comment", options.comment)
      .TextMap("compaction", options.compaction)
      .TextMap("compression", options.compression)
      .Double("crc_check_chance", options.crc_check_chance)
      .Double("dclocal_read_repair_chance", 0)
      .Integer("default_time_to_live", options.default_time_to_live)
      .TextMap("extensions", options.extensions)
      .Integer("gc_grace_seconds", options.gc_grace_seconds)
      .Integer("max_index_interval", options.max_index_interval)
      .Integer("memtable_flush_period_in_ms", options.memtable_flush_period_in_ms)
      .Integer("min_index_interval", options.min_index_interval)
      .Text("read_repair", options.read_repair)
      .Double("read_repair_chance", 0)
      .Text("speculative_retry", options.speculative_retry);
  SetRareOptions(options, rows);
}

namespace {

const char* KindText(ColumnKind kind) {
  switch (kind) {
    case ColumnKind::kPartitionKey: return "partition_key";
    case ColumnKind::kClustering: return "clustering";
    case ColumnKind::kStatic: return "static";
    case ColumnKind::kRegular: return "regular";
  }
  return "";
}

void AddColumns(const VirtualContext& context, bool of_virtual, VirtualRows& rows) {
  ForEachTable(context, of_virtual, [&](const TableSchema& table) {
    for (const ColumnSchema& column : table.columns) {
      const char* const order = column.kind != ColumnKind::kClustering ? "none" : column.descending ? "desc" : "asc";
      rows.Add()
          .Text("keyspace_name", table.keyspace)
          .Text("table_name", table.name)
          .Text("column_name", column.name)
          .Text("clustering_order", order)
          .Text("column_name_bytes", column.name)
          .Text("kind", KindText(column.kind))
          .Integer("position", column.is_key() ? static_cast<int64_t>(column.position) : -1)
          .Text("type", TypeText(*column.type));
    }
  });
}

}  // namespace

void KeyspacesRows(const VirtualContext& context, VirtualRows& rows) {
  ForEachKeyspace(context, false, [&](const KeyspaceSchema& keyspace) {
    rows.Add()
        .Text("keyspace_name", keyspace.name)
        .Boolean("durable_writes", keyspace.durable_writes)
        .TextMap("replication", keyspace.replication);
  });
}

void TablesRows(const VirtualContext& context, VirtualRows& rows) {
  ForEachTable(context, false, [&](const TableSchema& table) {
    if (table.view != nullptr) return;
    rows.Add()
        .Text("keyspace_name", table.keyspace)
        .Text("table_name", table.name)
        .Texts("flags", IsCounterTable(table) ? std::vector<std::string>{"compound", "counter"}
                                              : std::vector<std::string>{"compound"})
        .Id("id", table.id);
    SetTableOptions(table.options, rows);
  });
}

void ColumnsRows(const VirtualContext& context, VirtualRows& rows) { AddColumns(context, false, rows); }

void DroppedColumnsRows(const VirtualContext& context, VirtualRows& rows) {
  ForEachTable(context, false, [&](const TableSchema& table) {
    for (const DroppedColumn& column : table.dropped_columns) {
      rows.Add()
          .Text("keyspace_name", table.keyspace)
          .Text("table_name", table.name)
          .Text("column_name", column.name)
          .Integer("dropped_time", column.dropped_micros / 1'000)
          .Text("kind", column.is_static ? "static" : "regular")
          .Text("type", TypeText(*column.type));
    }
  });
}

void TypesRows(const VirtualContext& context, VirtualRows& rows) {
  ForEachKeyspace(context, false, [&](const KeyspaceSchema& keyspace) {
    for (const auto& [name, type] : keyspace.types) {
      std::vector<std::string> field_types;
      for (const TypePtr& field : type->arguments) field_types.push_back(TypeText(*field));
      rows.Add()
          .Text("keyspace_name", keyspace.name)
          .Text("type_name", name)
          .Texts("field_names", type->field_names)
          .Texts("field_types", field_types);
    }
  });
}

void VirtualKeyspacesRows(const VirtualContext& context, VirtualRows& rows) {
  ForEachKeyspace(context, true,
                  [&](const KeyspaceSchema& keyspace) { rows.Add().Text("keyspace_name", keyspace.name); });
}

void VirtualTablesRows(const VirtualContext& context, VirtualRows& rows) {
  ForEachTable(context, true, [&](const TableSchema& table) {
    rows.Add()
        .Text("keyspace_name", table.keyspace)
        .Text("table_name", table.name)
        .Text("comment", table.options.comment);
  });
}

void VirtualColumnsRows(const VirtualContext& context, VirtualRows& rows) { AddColumns(context, true, rows); }

}  // namespace widerow
