// Functions that make the rows of the virtual tables: one function per table, one file per family of tables.
#pragma once

#include "exec/virtual/virtual_tables.h"

namespace widerow {

// 127.0.0.1, as a value of the type inet: the address of callers without a connection.
inline const Bytes kLoopback("\x7f\0\0\1", 4);

// system.local: this server, with the address that the client used.
void LocalRows(const VirtualContext& context, VirtualRows& rows);
// system.size_estimates and system.table_estimates: the token ranges of every stored table, with estimates.
void SizeEstimatesRows(const VirtualContext& context, VirtualRows& rows);
void TableEstimatesRows(const VirtualContext& context, VirtualRows& rows);
// system_auth: the catalog of roles. Without a catalog every client is a superuser, and `roles` has only `cassandra`.
void RolesRows(const VirtualContext& context, VirtualRows& rows);
void RoleMembersRows(const VirtualContext& context, VirtualRows& rows);
void RolePermissionsRows(const VirtualContext& context, VirtualRows& rows);
void ResourceRolesRows(const VirtualContext& context, VirtualRows& rows);
void IdentitiesRows(const VirtualContext& context, VirtualRows& rows);

// system_schema describes every keyspace except the two virtual ones.
void KeyspacesRows(const VirtualContext& context, VirtualRows& rows);
void TablesRows(const VirtualContext& context, VirtualRows& rows);
void ColumnsRows(const VirtualContext& context, VirtualRows& rows);
void DroppedColumnsRows(const VirtualContext& context, VirtualRows& rows);
void TypesRows(const VirtualContext& context, VirtualRows& rows);
void IndexesRows(const VirtualContext& context, VirtualRows& rows);
// system."IndexInfo": indexes that can be used. Its column table_name has the name of the keyspace, as in Cassandra.
void IndexInfoRows(const VirtualContext& context, VirtualRows& rows);
// system_views.index_builds: indexes that cannot be used yet.
void IndexBuildsRows(const VirtualContext& context, VirtualRows& rows);

// The tables about materialized views: system_schema.views, system.built_views, system.view_builds_in_progress,
// system_distributed.view_build_status.
void ViewsRows(const VirtualContext& context, VirtualRows& rows);
void BuiltViewsRows(const VirtualContext& context, VirtualRows& rows);
void ViewBuildsRows(const VirtualContext& context, VirtualRows& rows);
void ViewBuildStatusRows(const VirtualContext& context, VirtualRows& rows);

// system_virtual_schema describes system_views and system_virtual_schema.
void VirtualKeyspacesRows(const VirtualContext& context, VirtualRows& rows);
void VirtualTablesRows(const VirtualContext& context, VirtualRows& rows);
void VirtualColumnsRows(const VirtualContext& context, VirtualRows& rows);

// system_traces
void TraceEventsRows(const VirtualContext& context, VirtualRows& rows);
void TraceSessionsRows(const VirtualContext& context, VirtualRows& rows);

// system_views. Its table backups lists the backups that clients are reading.
void BackupsRows(const VirtualContext& context, VirtualRows& rows);
void ClientsRows(const VirtualContext& context, VirtualRows& rows);
void DiskUsageRows(const VirtualContext& context, VirtualRows& rows);
void SettingsRows(const VirtualContext& context, VirtualRows& rows);
// system_views.partitions: the partition map of every stored table, with the size and the load of each partition.
void PartitionsRows(const VirtualContext& context, VirtualRows& rows);
// The heat of each stored table. In the order of these functions: the cells of the last days, the beginnings of key
// ranges, the shape of the last hour in words, the busiest partitions of the last minutes, the partitions that were too
// busy, and the largest partitions.
void HeatRows(const VirtualContext& context, VirtualRows& rows);
void HeatRangesRows(const VirtualContext& context, VirtualRows& rows);
void HeatShapesRows(const VirtualContext& context, VirtualRows& rows);
void BusyPartitionsRows(const VirtualContext& context, VirtualRows& rows);
void HotPartitionsRows(const VirtualContext& context, VirtualRows& rows);
void LargePartitionsRows(const VirtualContext& context, VirtualRows& rows);
// One row for each record of exec/load/statement_load.h.
void StatementsRows(const VirtualContext& context, VirtualRows& rows);
// The bounds of the guardrails; the limits and reservations of tables, and the units that the tables have used.
void GuardrailsRows(const VirtualContext& context, VirtualRows& rows);
void TableThroughputRows(const VirtualContext& context, VirtualRows& rows);
// The sizes of the data file, free pages, commit log and memtables. No row if storage returns an error.
void StorageRows(const VirtualContext& context, VirtualRows& rows);
// The PurgeStatistics (storage/statistics.h) of each stored table.
void PurgesRows(const VirtualContext& context, VirtualRows& rows);
// One row for each WaitStage of storage/statistics.h.
void WriteWaitsRows(const VirtualContext& context, VirtualRows& rows);

}  // namespace widerow
