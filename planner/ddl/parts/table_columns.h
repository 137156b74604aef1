// Rules for a table's columns that CREATE and ALTER share, and their order.
#pragma once


namespace widerow::ddl {

// Masks on columns are off, as they are in Cassandra by default.
inline constexpr const char* kMasksAreOff =
    "Cannot mask columns because dynamic data masking is not enabled. You can enable it with the "
    "dynamic_data_masking_enabled property on cassandra.yaml";
inline constexpr const char* kMasksHint = "mask values where they are read: SELECT mask_inner(v, 1, 1) FROM …";

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
