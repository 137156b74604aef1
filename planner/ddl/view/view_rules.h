// What DDL has to keep to where there are materialized views: the views' own rules, and those for tables that have views.
#pragma once

#include "planner/ddl/parts/table_options.h"

namespace widerow::ddl {

enum class ViewChange : uint8_t { kCreate, kAlter };

// A view's rows expire with those of its table, and its updates need gc_grace_seconds.
Status CheckViewOptions(const std::vector<Property>& written, const TableProperties& read, ViewChange change, SourceRange range);

Status RefuseAlterOfView(const TableSchema& table, SourceRange range);
Status RefuseDropOfView(const TableSchema& table, SourceRange range);
Status RefuseDropOfViewed(const TableSchema& table, SourceRange range);

// ALTER TABLE DROP of a table that has views, before anything else is said of it.
Status RefuseDropOfViewedColumns(const AlterTableStatement& statement, const TableSchema& table);
// ALTER TABLE of a table that has views: which changes they are in the way of …
Status CheckViewedTable(const AlterTableStatement& statement, const KeyspaceSchema& keyspace, const TableSchema& before,
                        const TableSchema& after);
// … and the views as they are after it: with columns added and renamed.
Result<std::vector<TableSchema>> AlteredViews(const AlterTableStatement& statement, const SchemaSnapshot& schema,
                                              const TableSchema& before, const TablePtr& after);

}  // namespace widerow::ddl
