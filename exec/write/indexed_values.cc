#include "exec/write/indexed_values.h"

#include "base/text.h"
#include "types/order_codec.h"
#include "types/similarity.h"

namespace widerow {
namespace {

constexpr size_t kIndexedBytesMax = 65'535;  // The smallest size that is refused.

Status CheckSize(size_t bytes, const IndexSchema& index, const ColumnSchema& column, const TableSchema& table) {
  if (bytes < kIndexedBytesMax) return OkStatus();
  return InvalidError(StrCat("Cannot index value of size ", bytes, " for index ", index.name, " on ", table.keyspace,
                             ".", table.name, "(", column.name, ") (maximum allowed size=", kIndexedBytesMax, ")"),
                      StrCat("DROP INDEX ", table.keyspace, ".", index.name, " allows longer values"));
}

// Returns the size of the part of a cell that is in the index.
size_t IndexedSize(const Cell& cell, const Type& type, IndexTarget target) {
  if (!type.is_multi_cell() || !type.is_collection()) return cell.value.size();
  // In Cassandra, an entry contains the key and the value of a map, each with a length of two bytes before it and one
  // byte after it.
  if (target == IndexTarget::kEntries) return cell.path.size() + cell.value.size() + 6;
  const bool by_path = target == IndexTarget::kKeys || type.kind == TypeKind::kSet;
  return by_path ? cell.path.size() : cell.value.size();
}

Result<Value> ClusteringValue(const Bytes& clustering, const ColumnSchema& column, const TableSchema& table) {
  ByteView in = clustering;
  for (uint32_t i = 0; i < column.position && !in.empty(); ++i) {
    const ColumnSchema& before = table.clustering(i);
    WR_RETURN_IF_ERROR(SkipComparable(*before.type, before.descending, in));
  }
  if (in.empty()) return Value();
  return TakeComparable(*column.type, column.descending, in);
}

Status CheckClustering(const Bytes& clustering, const IndexSchema& index, const ColumnSchema& column,
                       const TableSchema& table) {
  if (clustering.size() < kIndexedBytesMax) return OkStatus();
  WR_ASSIGN_OR_RETURN(const Value value, ClusteringValue(clustering, column, table));
  return value ? CheckSize(value->size(), index, column, table) : OkStatus();
}

Status CheckRow(const RowMutation& row, const IndexSchema& index, const ColumnSchema& column,
                const TableSchema& table) {
  if (column.kind == ColumnKind::kClustering) {
    return row.is_static ? OkStatus() : CheckClustering(row.clustering, index, column, table);
  }
  for (const Cell& cell : row.content.cells) {
    if (cell.column != column.id) continue;
    WR_RETURN_IF_ERROR(CheckSize(IndexedSize(cell, *column.type, index.target), index, column, table));
  }
  return OkStatus();
}

// Fails if the partition writes a vector that the index cannot compare.
Status CheckVectors(const PartitionMutation& partition, const IndexSchema& index, const ColumnSchema& column) {
  const Similarity similarity = SimilarityOf(index);
  for (const RowMutation& row : partition.rows) {
    if (column.kind == ColumnKind::kClustering && !row.is_static && !row.content.deletion.present()) {
      WR_ASSIGN_OR_RETURN(const Value value, ClusteringValue(row.clustering, column, *partition.table));
      if (value) WR_RETURN_IF_ERROR(CheckIndexable(similarity, ToFloats(*value)));
    }
    for (const Cell& cell : row.content.cells) {
      if (cell.column == column.id && !cell.tombstone)
        WR_RETURN_IF_ERROR(CheckIndexable(similarity, ToFloats(cell.value)));
    }
  }
  return OkStatus();
}

}  // namespace

Status CheckIndexedValues(const Mutation& mutation) {
  for (const PartitionMutation& partition : mutation) {
    const TableSchema& table = *partition.table;
    for (const IndexSchema& index : table.indexes) {
      const ColumnSchema& column = *table.FindId(index.column);
      if (IsVectorIndex(index, column)) WR_RETURN_IF_ERROR(CheckVectors(partition, index, column));
      if (index.kind != IndexKind::kComposites) continue;
      for (const RowMutation& row : partition.rows) WR_RETURN_IF_ERROR(CheckRow(row, index, column, table));
    }
  }
  return OkStatus();
}

}  // namespace widerow
