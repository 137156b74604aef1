// system_schema.views, system.built_views, system.view_builds_in_progress, system_distributed.view_build_status: the
// materialized views, and the progress of those being built.
#include "exec/virtual/generators.h"
#include "exec/virtual/table_options.h"

namespace widerow {
namespace {

template <typename Visit>
void ForEachView(const VirtualContext& context, const Visit& visit) {
  for (const auto& [name, keyspace] : context.schema->keyspaces) {
    for (const auto& [table_name, table] : keyspace->tables) {
      if (table->view != nullptr) visit(*table);
    }
  }
}

}  // namespace

void ViewsRows(const VirtualContext& context, VirtualRows& rows) {
  ForEachView(context, [&](const TableSchema& view) {
    if (!context.Wants(view.keyspace) || !context.WantsClustering(view.name)) return;
    rows.Add()
        .Text("keyspace_name", view.keyspace)
        .Text("view_name", view.name)
        .Id("base_table_id", view.view->base_id)
        .Text("base_table_name", view.view->base_table)
        .Id("id", view.id)
        .Boolean("include_all_columns", view.view->include_all_columns)
        .Text("where_clause", view.view->where_clause);
    SetTableOptions(view.options, rows);
  });
}

void BuiltViewsRows(const VirtualContext& context, VirtualRows& rows) {
  ForEachView(context, [&](const TableSchema& view) {
    if (!view.view->built || !context.Wants(view.keyspace)) return;
    rows.Add().Text("keyspace_name", view.keyspace).Text("view_name", view.name).Boolean("status_replicated", true);
  });
}

// Makes one row per view, with one token range: the whole ring.
void ViewBuildsRows(const VirtualContext& context, VirtualRows& rows) {
  ForEachView(context, [&](const TableSchema& view) {
    if (view.view->built || !context.Wants(view.keyspace)) return;
    int64_t keys = 0;
    for (const PartitionStats& partition : context.storage.Partitions(view)) keys += partition.rows;
    rows.Add()
        .Text("keyspace_name", view.keyspace)
        .Text("view_name", view.name)
        .Text("start_token", "-9223372036854775808")
        .Text("end_token", "9223372036854775807")
        .Integer("keys_built", keys);
  });
}

void ViewBuildStatusRows(const VirtualContext& context, VirtualRows& rows) {
  ForEachView(context, [&](const TableSchema& view) {
    if (!context.WantsTable(view)) return;
    rows.Add()
        .Text("keyspace_name", view.keyspace)
        .Text("view_name", view.name)
        .Id("host_id", context.storage.database_id())
        .Text("status", view.view->built ? "SUCCESS" : "STARTED");
  });
}

}  // namespace widerow
