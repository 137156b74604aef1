#include "exec/write/held_bytes.h"

#include <algorithm>

#include "base/overloaded.h"

namespace widerow {
namespace {

size_t BytesOfContent(const RowFragment& content) {
  size_t bytes = content.column_deletions.size() * sizeof(ColumnDeletion);
  for (const Cell& cell : content.cells) bytes += sizeof cell + cell.path.size() + cell.value.size();
  return bytes;
}

size_t BytesOfPartition(const PartitionMutation& partition) {
  size_t bytes = sizeof partition + partition.partition_key.size();
  for (const RangeDeletion& deletion : partition.range_deletions) {
    const ClusteringRange& range = deletion.range;
    bytes += sizeof deletion + range.begin.size() + (range.end.has_value() ? range.end->size() : 0);
  }
  for (const RowMutation& row : partition.rows) {
    bytes += sizeof row + row.clustering.size() + BytesOfContent(row.content);
  }
  return bytes;
}

size_t BytesOfOperation(const BoundOperation& operation) {
  const auto bytes = [](const Value& value) { return value.has_value() ? value->size() : 0; };
  return sizeof operation + bytes(operation.value) + bytes(operation.element);
}

// Returns the number of cells that the operation's value becomes in a row.
size_t CellsOf(const BoundOperation& operation) {
  const Type& type = *operation.column->type;
  if (!operation.value || !type.is_multi_cell()) return 1;
  if (type.kind == TypeKind::kUdt) return type.arguments.size();
  constexpr size_t kLengthBytes = sizeof(int32_t);  // The collection and each element begin with a length.
  if (operation.value->size() < kLengthBytes) return 0;
  return std::min<size_t>(ReadBigEndian<uint32_t>(operation.value->data()), operation.value->size() / kLengthBytes);
}

}  // namespace

size_t BytesInRow(const BoundOperation& operation) {
  const size_t bytes = BytesOfOperation(operation) + CellsOf(operation) * sizeof(Cell);
  return operation.reads() ? bytes : bytes - sizeof operation;
}

size_t HeldBytes(const Mutation& mutation) {
  size_t bytes = 0;
  for (const PartitionMutation& partition : mutation) bytes += BytesOfPartition(partition);
  return bytes;
}

size_t HeldBytes(const std::vector<ReadingWrite>& writes) {
  size_t bytes = 0;
  for (const ReadingWrite& write : writes) {
    bytes += sizeof write + write.partition_key.size() + write.clustering.size();
    for (const ReadingWrite::Step& step : write.steps) {
      bytes +=
          std::visit(Overloaded{[](const BoundOperation& operation) { return BytesOfOperation(operation); },
                                [](const RowFragment& content) { return sizeof content + BytesOfContent(content); }},
                     step);
    }
  }
  return bytes;
}

}  // namespace widerow
