// DDL rules about materialized views: the rules of views themselves, and the rules of tables that have views.
#pragma once

#include "planner/ddl/parts/table_options.h"

namespace widerow::ddl {

enum class ViewChange : uint8_t { kCreate, kAlter };

// Checks a view's options as Cassandra does. default_time_to_live must be 0, because the view's rows expire with those
// of its table. ALTER also refuses a gc_grace_seconds of 0.
Status CheckViewOptions(const std::vector<Property>& written, const TableProperties& read, ViewChange change,
                        SourceRange range);

Status RefuseAlterOfView(const TableSchema& table, SourceRange range);
Status RefuseDropOfView(const TableSchema& table, SourceRange range);
Status RefuseDropOfViewed(const TableSchema& table, SourceRange range);

// Refuses ALTER TABLE DROP on a table that has views. Called before all other checks.
Status RefuseDropOfViewedColumns(const AlterTableStatement& statement, const TableSchema& table);
// Refuses the changes of ALTER TABLE that a table's views do not allow.
Status CheckViewedTable(const AlterTableStatement& statement, const KeyspaceSchema& keyspace, const TableSchema& before,
                        const TableSchema& after);
// Returns the views after ALTER TABLE, with columns added and renamed.
Result<std::vector<TableSchema>> AlteredViews(const AlterTableStatement& statement, const SchemaSnapshot& schema,
                                              const TableSchema& before, const TablePtr& after);

}  // namespace widerow::ddl
