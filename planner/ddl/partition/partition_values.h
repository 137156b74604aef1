// Functions about partitions that CREATE TABLE and ALTER TABLE share. They convert bounds and values to bytes, and add
// entries to the partition map and to the extents (types/schema.h).
#pragma once

#include "planner/ddl/partition/partition_by.h"

namespace widerow::ddl {

// For KEY, HASH and LIST tables. Returns the first position of the keys that begin with partition number `number`.
Bytes PositionOfNumber(uint32_t number);
// True for a column outside of the key whose value follows from the key's values.
bool IsDerivedFromKey(const ColumnSchema& column, const TableSchema& table);

// Appends an entry that begins at `bound`, or, if `bound` is empty, at the first position.
void AddRangeEntry(std::string name, const Bytes& bound, TableSchema& table);
// Checks that only the last definition has MAXVALUE.
Status CheckMaxValue(const std::vector<PartitionDefinition>& definitions);
// Returns the bound that ends the partition; empty for MAXVALUE. It must be above `before`.
Result<Bytes> NextBound(const PartitionDefinition& definition, const Bytes& before, const SchemaSnapshot& schema,
                        const TableSchema& table);
// Appends a LIST partition. Fails if another partition has one of its values.
Status AddList(const PartitionDefinition& definition, const SchemaSnapshot& schema, TableSchema& table);
// Checks that all names differ.
Status CheckNames(const TableSchema& table, SourceRange range);

// Gives the positions from `begin` up to `end` the storage id `id`. If `end` is empty, the last position is included.
// Rows that are stored there under the old id disappear.
void SetExtent(const Bytes& begin, const Bytes& end, StorageId id, TableSchema& table);

}  // namespace widerow::ddl
