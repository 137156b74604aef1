// Rules for the columns of a table, which CREATE TABLE and ALTER TABLE check.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "parser/ast_table.h"
#include "types/schema.h"

namespace widerow::ddl {

// The error for column masks, which are disabled, as in Cassandra by default.
inline constexpr const char* kMasksAreOff =
    "Cannot mask columns because dynamic data masking is not enabled. You can enable it with the "
    "dynamic_data_masking_enabled property on cassandra.yaml";
inline constexpr const char* kMasksHint = "mask values where they are read: SELECT mask_inner(v, 1, 1) FROM …";

// Refuse MASKED WITH, and NOT NULL on columns where it has no meaning.
Status CheckColumnClauses(const ColumnDefinition& column);
Status CheckNotNullType(const ColumnDefinition& column, const Type& type);
// Refuses a non-frozen UDT that holds non-frozen collections.
Status CheckColumnType(SourceRange range, const Type& type);
// Accepts letters, digits, underscores and $, at most 222 characters.
Status CheckTableName(const QualifiedName& name, const std::string& keyspace);
Error StaticsNeedClustering(SourceRange range);
// Puts the columns in order: partition key, clustering, statics by name, regulars by name.
void SortColumns(TableSchema& table);
// Returns 16 equal ranges of tokens.
std::vector<PartitionRange> DefaultPartitionMap();

}  // namespace widerow::ddl
