// PARTITION BY: puts the partitions of a new table into its schema, and edits them for ALTER TABLE … PARTITION and for
// the server's own splits (docs/guide/partitioning.md). Pure functions.
#pragma once

#include "planner/ddl/edit/apply_ddl.h"

namespace widerow::ddl {

// Sets partitioning and partition map. Without PARTITION BY, the map has ranges of tokens. `table` already has its
// columns, their ids and its storage id.
Status ApplyPartitionBy(const CreateTableStatement& statement, const SchemaSnapshot& schema, TableSchema& table);

// Returns the bound that VALUES LESS THAN (…) gives a RANGE partition, encoded as a prefix of stored partition keys.
Result<Bytes> BoundKey(const std::vector<Term>& values, SourceRange range, const SchemaSnapshot& schema,
                       const TableSchema& table);
// Returns the bytes of the values in VALUES IN (…).
Result<std::vector<Bytes>> ListValues(const std::vector<Term>& values, const SchemaSnapshot& schema,
                                      const TableSchema& table);

// Applies ADD, DROP, TRUNCATE, SPLIT, MERGE or REORGANIZE PARTITION.
Status AlterPartitions(const alter_table::AlterPartitions& action, SourceRange range, const SchemaSnapshot& schema,
                       const DdlContext& context, TableSchema& table);

// True if two tables have the same partitioning rules: kind, number, types of the columns, declared bounds or values.
bool SameRules(const TableSchema& a, const TableSchema& b);
// Returns the tables of the group except `table`.
std::vector<TablePtr> OthersInGroup(const SchemaSnapshot& schema, const TableSchema& table);
// Checks that the group of `table` exists and that its other tables have the same rules.
Status CheckGroup(const SchemaSnapshot& schema, const TableSchema& table, SourceRange range);

// Returns the clause for DESCRIBE: "PARTITION BY KEY (k) PARTITIONS 97", with all partitions if they are declared by
// bounds or values. `with_automatic`: also with partitions that the server has made.
std::string PartitionByText(const TableSchema& table, bool with_automatic);

}  // namespace widerow::ddl

namespace widerow {

// Splits entry `index` of the map, a RANGE partition, in two. The second one begins at `bound_key`; its name is made
// from the name of the first.
TableSchema SplitPartition(const TableSchema& table, size_t index, const Bytes& bound_key, bool automatic);
// Merges entry `index` into the previous entry.
TableSchema MergePartition(const TableSchema& table, size_t index);
// Returns the leading part of a stored key that can be a bound: the partitioning columns. Empty if `key` is malformed.
Bytes BoundOfKey(const TableSchema& table, ByteView key);
// Returns the position at which the entry ends. Empty if it has no end.
ByteView EndOfPartition(const TableSchema& table, size_t index);

}  // namespace widerow
