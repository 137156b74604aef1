// system."IndexInfo", system_schema.indexes, system_views.index_builds: the indexes, and the progress of those being
// built.
#include "exec/derived/derived_builder.h"
#include "exec/virtual/generators.h"
#include "planner/ddl/describe/describe.h"

namespace widerow {
namespace {

template <typename Visit>
void ForEachIndex(const VirtualContext& context, const Visit& visit) {
  for (const auto& [name, keyspace] : context.schema->keyspaces) {
    for (const auto& [table_name, table] : keyspace->tables) {
      for (const IndexSchema& index : table->indexes) visit(*table, index);
    }
  }
}

int64_t RowsOf(const VirtualContext& context, const TableSchema& table) {
  int64_t rows = 0;
  for (const PartitionStats& partition : context.storage.Partitions(table)) rows += partition.rows;
  return rows;
}

}  // namespace

void IndexInfoRows(const VirtualContext& context, VirtualRows& rows) {
  ForEachIndex(context, [&](const TableSchema& table, const IndexSchema& index) {
    if (index.built && context.Wants(table.keyspace))
      rows.Add().Text("table_name", table.keyspace).Text("index_name", index.name);
  });
}

void IndexesRows(const VirtualContext& context, VirtualRows& rows) {
  ForEachIndex(context, [&](const TableSchema& table, const IndexSchema& index) {
    if (!context.Wants(table.keyspace)) return;
    std::map<std::string, std::string> options = index.options;
    options["target"] = IndexTargetText(table, index);
    rows.Add()
        .Text("keyspace_name", table.keyspace)
        .Text("table_name", table.name)
        .Text("index_name", index.name)
        .Text("kind", index.kind == IndexKind::kComposites ? "COMPOSITES" : "CUSTOM")
        .TextMap("options", options);
  });
}

void IndexBuildsRows(const VirtualContext& context, VirtualRows& rows) {
  ForEachIndex(context, [&](const TableSchema& table, const IndexSchema& index) {
    if (index.built || !context.WantsTable(table)) return;
    VirtualRows& row = rows.Add()
                           .Text("keyspace_name", table.keyspace)
                           .Text("table_name", table.name)
                           .Text("index_name", index.name)
                           .Integer("entry_count", RowsOf(context, *index.entries))
                           .Integer("row_count", RowsOf(context, table));
    if (const std::string error = context.builds.ErrorOf(*index.entries); !error.empty()) row.Text("error", error);
  });
}

}  // namespace widerow
