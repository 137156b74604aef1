// What CREATE TABLE and ALTER TABLE share about partitions: bounds and values as bytes, entries of the partition map, extents.
#pragma once

#include "planner/ddl/partition/partition_by.h"

namespace widerow::ddl {

// KEY, HASH, LIST: where the keys that begin with a partition's number begin.
Bytes PositionOfNumber(uint32_t number);
// A column outside of the key whose values follow from the key's.
bool IsDerivedFromKey(const ColumnSchema& column, const TableSchema& table);

// Appends an entry to the map: from `bound` on, or, if that is empty, from the beginning.
void AddRangeEntry(std::string name, const Bytes& bound, TableSchema& table);
// MAXVALUE stands in the last definition only.
Status CheckMaxValue(const std::vector<PartitionDefinition>& definitions);
// The bound that ends the partition; empty: MAXVALUE. It must be above `before`.
Result<Bytes> NextBound(const PartitionDefinition& definition, const Bytes& before, const SchemaSnapshot& schema,
                        const TableSchema& table);
// Appends a LIST partition, whose values no other one has.
Status AddList(const PartitionDefinition& definition, const SchemaSnapshot& schema, TableSchema& table);
// Names differ.
Status CheckNames(const TableSchema& table, SourceRange range);

// From now on the positions from `begin` up to `end` (empty: to the last) are under `id`: what is stored there is gone.
void SetExtent(const Bytes& begin, const Bytes& end, StorageId id, TableSchema& table);

}  // namespace widerow::ddl
