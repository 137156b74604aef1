#include "exec/virtual/virtual_tables.h"

#include <algorithm>

#include "base/check.h"
#include "exec/virtual/definitions.h"
#include "exec/virtual/generators.h"
#include "planner/system_keyspaces.h"
#include "types/order_codec.h"
#include "types/token.h"

namespace widerow {

bool VirtualContext::WantsClustering(std::string_view name) const {
  if (clustering.empty()) return true;
  Bytes first;
  AppendComparable(*ScalarType(TypeKind::kText), false, name, first);
  return std::any_of(clustering.begin(), clustering.end(), [&](const ClusteringRange& range) {
    if (range.begin.starts_with(first)) return true;
    return !range.exact && range.begin < first && (!range.end || first < *range.end);
  });
}

bool VirtualContext::WantsTable(const TableSchema& table) const {
  return !partition_key || *partition_key == SerializePartitionKey({ByteView(table.keyspace), ByteView(table.name)});
}

VirtualTables::VirtualTables() {
  Fill("system", "built_views", BuiltViewsRows);
  Fill("system", "local", LocalRows);
  Fill("system", "size_estimates", SizeEstimatesRows);
  Fill("system", "table_estimates", TableEstimatesRows);
  Fill("system", "view_builds_in_progress", ViewBuildsRows);
  Fill("system_distributed", "view_build_status", ViewBuildStatusRows);
  Fill("system_auth", "identity_to_role", IdentitiesRows);
  Fill("system_auth", "resource_role_permissons_index", ResourceRolesRows);
  Fill("system_auth", "role_members", RoleMembersRows);
  Fill("system_auth", "role_permissions", RolePermissionsRows);
  Fill("system_auth", "roles", RolesRows);
  for (const char* keyspace : {"system_schema", "system_virtual_schema"}) {
    const bool of_virtual = IsVirtualKeyspace(keyspace);
    Fill(keyspace, "keyspaces", of_virtual ? VirtualKeyspacesRows : KeyspacesRows);
    Fill(keyspace, "tables", of_virtual ? VirtualTablesRows : TablesRows);
    Fill(keyspace, "columns", of_virtual ? VirtualColumnsRows : ColumnsRows);
  }
  Fill("system_schema", "dropped_columns", DroppedColumnsRows);
  Fill("system_schema", "types", TypesRows);
  Fill("system_schema", "indexes", IndexesRows);
  Fill("system", "IndexInfo", IndexInfoRows);
  Fill("system_views", "index_builds", IndexBuildsRows);
  Fill("system_schema", "views", ViewsRows);
  Fill("system_traces", "events", TraceEventsRows);
  Fill("system_traces", "sessions", TraceSessionsRows);
  Fill("system_views", "backups", BackupsRows);
  Fill("system_views", "busy_partitions", BusyPartitionsRows);
  Fill("system_views", "clients", ClientsRows);
  Fill("system_views", "disk_usage", DiskUsageRows);
  Fill("system_views", "guardrails", GuardrailsRows);
  Fill("system_views", "heat", HeatRows);
  Fill("system_views", "heat_ranges", HeatRangesRows);
  Fill("system_views", "heat_shapes", HeatShapesRows);
  Fill("system_views", "hot_partitions", HotPartitionsRows);
  Fill("system_views", "large_partitions", LargePartitionsRows);
  Fill("system_views", "partitions", PartitionsRows);
  Fill("system_views", "purges", PurgesRows);
  Fill("system_views", "settings", SettingsRows);
  Fill("system_views", "statements", StatementsRows);
  Fill("system_views", "storage", StorageRows);
  Fill("system_views", "table_throughput", TableThroughputRows);
  Fill("system_views", "write_waits", WriteWaitsRows);
}

void VirtualTables::Fill(const char* keyspace, const char* table, VirtualGenerator rows) {
  for (const KeyspacePtr& own : SystemKeyspaces()) {
    if (own->name != keyspace) continue;
    const auto found = own->tables.find(table);
    WR_CHECK(found != own->tables.end());
    generators_[found->second.get()] = std::move(rows);
    return;
  }
  WR_CHECK(false);
}

SchemaPtr VirtualTables::AddTo(const SchemaPtr& stored) {
  auto schema = std::make_shared<SchemaSnapshot>(*stored);
  for (const KeyspacePtr& keyspace : SystemKeyspaces()) schema->keyspaces[keyspace->name] = keyspace;
  return schema;
}

SchemaPtr VirtualTables::RemoveFrom(const SchemaPtr& schema) {
  auto stored = std::make_shared<SchemaSnapshot>(*schema);
  for (const KeyspacePtr& keyspace : SystemKeyspaces()) stored->keyspaces.erase(keyspace->name);
  return stored;
}

std::unique_ptr<ReadView> VirtualTables::OpenView(const TableSchema& table, const VirtualContext& context) const {
  WR_CHECK(IsVirtual(table));
  const auto found = generators_.find(&table);
  if (found == generators_.end()) return MakeMemoryView([](const auto&...) { return std::vector<MemoryRow>(); });
  return MakeMemoryView(
      [&table, &rows_of = found->second, context](const Bytes* partition_key, const auto& clustering) {
        VirtualContext asked = context;
        if (partition_key != nullptr) asked.partition_key = *partition_key;
        asked.clustering = clustering;
        VirtualRows rows(table);
        rows_of(asked, rows);
        return std::move(rows).Take();
      });
}

}  // namespace widerow
