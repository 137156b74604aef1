// PARTITION BY and the partitions it declares, as they come into a table's schema; and the edits that ALTER TABLE … PARTITION and
// the server's own splits make of them (docs/guide/partitioning.md).
#pragma once

#include "planner/ddl/edit/apply_ddl.h"

namespace widerow::ddl {

// `table` has its columns, their ids and its storage id. Sets partitioning and partition map; without PARTITION BY token ranges.
Status ApplyPartitionBy(const CreateTableStatement& statement, const SchemaSnapshot& schema, TableSchema& table);

// The encoded bound of a RANGE partition, a prefix of partition keys: VALUES LESS THAN (…).
Result<Bytes> BoundKey(const std::vector<Term>& values, SourceRange range, const SchemaSnapshot& schema,
                       const TableSchema& table);
// VALUES IN (…): bytes of the values.
Result<std::vector<Bytes>> ListValues(const std::vector<Term>& values, const SchemaSnapshot& schema, const TableSchema& table);

// ADD, DROP, TRUNCATE, SPLIT, MERGE, REORGANIZE PARTITION.
Status AlterPartitions(const alter_table::AlterPartitions& action, SourceRange range, const SchemaSnapshot& schema,
                       const DdlContext& context, TableSchema& table);

// Whether two tables have the same partitioning rules: kind, number, types of the columns, declared bounds or values.
bool SameRules(const TableSchema& a, const TableSchema& b);
// The tables of the group, `table` itself left out.
std::vector<TablePtr> OthersInGroup(const SchemaSnapshot& schema, const TableSchema& table);
// The group of `table` exists, and its other tables have the same rules.
Status CheckGroup(const SchemaSnapshot& schema, const TableSchema& table, SourceRange range);

// The schema's text: "PARTITION BY KEY (k) PARTITIONS 97", with all partitions where they are declared by bounds or values.
// `with_automatic`: also those that the server has made.
std::string PartitionByText(const TableSchema& table, bool with_automatic);

}  // namespace widerow::ddl

namespace widerow {

// A RANGE partition, entry `index` of the map, becomes two: the second begins at `bound_key`. Its name is made of the first one's.
TableSchema SplitPartition(const TableSchema& table, size_t index, const Bytes& bound_key, bool automatic);
// Entry `index` and the one before it become one.
TableSchema MergePartition(const TableSchema& table, size_t index);
// The leading part of a stored key that a bound may consist of: the partitioning columns. Empty if `key` is malformed.
Bytes BoundOfKey(const TableSchema& table, ByteView key);
// The entry's last position; empty: it has no end.
ByteView EndOfPartition(const TableSchema& table, size_t index);

}  // namespace widerow
