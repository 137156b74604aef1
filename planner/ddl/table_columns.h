// Rules for a table's columns that CREATE and ALTER share, and their order.
#pragma once

#include "planner/ddl/apply_ddl.h"

namespace widerow::ddl {

// MASKED WITH is refused, and NOT NULL where it can mean nothing.
Status CheckColumnClauses(const ColumnDefinition& column);
Status CheckNotNullType(const ColumnDefinition& column, const Type& type);
// A non-frozen UDT may not hold non-frozen collections.
Status CheckColumnType(SourceRange range, const Type& type);
// Letters, digits, underscores and $, at most 222.
Status CheckTableName(const QualifiedName& name, const std::string& keyspace);
Error StaticsNeedClustering(SourceRange range);
// Partition key, clustering, statics by name, regulars by name.
void SortColumns(TableSchema& table);
// 16 equal ranges of tokens.
std::vector<PartitionRange> DefaultPartitionMap();

}  // namespace widerow::ddl
