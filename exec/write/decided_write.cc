#include "exec/write/decided_write.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "types/value_bytes.h"

namespace widerow {
namespace {

// Finds the live counters of a stored row by column.
class StoredCounters {
 public:
  StoredCounters(const RowView& row, int64_t now_seconds) : row_(row), now_seconds_(now_seconds) {}

  int64_t Of(ColumnId column) const {
    if (row_.uniform) {
      const ByteView value = row_.times.LiveAt(now_seconds_) ? row_.packed.Find(column) : ByteView();
      return value.data() != nullptr ? DecodeInteger(value) : 0;
    }
    for (const CellView& cell : row_.cells) {
      if (cell.column == column) return cell.LiveAt(now_seconds_) ? DecodeInteger(cell.value) : 0;
    }
    return 0;
  }

 private:
  const RowView& row_;
  const int64_t now_seconds_;
};

bool AddsAnything(const RowMutation& row) {
  return std::any_of(row.content.cells.begin(), row.content.cells.end(),
                     [](const Cell& cell) { return !cell.tombstone; });
}

// Moves the increments of `row` to `first`, a mutation of the same row. Cells that `first` deletes stay deleted.
void AddTo(RowMutation& first, RowMutation& row) {
  std::vector<Cell>& cells = first.content.cells;
  std::erase_if(row.content.cells, [&](Cell& cell) {
    if (cell.tombstone) return false;
    const auto at = std::lower_bound(cells.begin(), cells.end(), cell,
                                     [](const Cell& a, const Cell& b) { return a.column < b.column; });
    if (at == cells.end() || at->column != cell.column) {
      cells.insert(at, std::move(cell));
    } else if (!at->tombstone) {
      at->value = EncodeInteger(TypeKind::kCounter, AddCounts(DecodeInteger(at->value), DecodeInteger(cell.value)));
    }
    return true;
  });
}

// If several statements of a batch increment one counter, adds up their increments into one cell. All cells of the
// batch have the same timestamp, so storage would keep only one of several cells.
void AddUp(Mutation& mutation) {
  size_t rows = 0;
  for (const PartitionMutation& partition : mutation) rows += partition.rows.size();
  if (rows < 2) return;
  std::map<std::tuple<Uuid, ByteView, bool, ByteView>, RowMutation*> firsts;
  for (PartitionMutation& partition : mutation) {
    for (RowMutation& row : partition.rows) {
      if (!AddsAnything(row)) continue;
      const auto [at, fresh] =
          firsts.try_emplace({partition.table->id, partition.partition_key, row.is_static, row.clustering}, &row);
      if (!fresh) AddTo(*at->second, row);
    }
  }
  for (PartitionMutation& partition : mutation) {
    std::erase_if(partition.rows,
                  [](const RowMutation& row) { return row.content.cells.empty() && !row.content.deletion.present(); });
  }
}

}  // namespace

void DropEmptyPartitions(Mutation& mutation) {
  std::erase_if(mutation, [](const PartitionMutation& partition) {
    return !partition.partition_deletion.present() && partition.range_deletions.empty() && partition.rows.empty();
  });
}

void SetTimes(const DecidedTimes& times, PartitionMutation& partition) {
  const auto decided = [&](int64_t& before) {
    if (before != kNoTimestamp) before += times.rows - kUndecided;
  };
  if (partition.partition_deletion.present()) partition.partition_deletion.timestamp = times.ranges;
  for (RangeDeletion& range : partition.range_deletions) range.deletion.timestamp = times.ranges;
  for (RowMutation& row : partition.rows) {
    decided(row.content.marker.timestamp);
    decided(row.content.deletion.timestamp);
    for (ColumnDeletion& column : row.content.column_deletions) decided(column.deletion.timestamp);
    for (Cell& cell : row.content.cells) decided(cell.timestamp);
  }
}

Result<Mutation> DecideCounters(ReadView& view, Mutation mutation, int64_t timestamp, int64_t now_seconds) {
  AddUp(mutation);
  for (PartitionMutation& partition : mutation) {
    SetTimes({.rows = timestamp, .ranges = timestamp}, partition);
    for (RowMutation& row : partition.rows) {
      if (!AddsAnything(row)) continue;
      RowView stored;
      WR_RETURN_IF_ERROR((row.is_static
                              ? view.GetStaticRow(*partition.table, partition.partition_key, stored)
                              : view.GetRow(*partition.table, partition.partition_key, row.clustering, stored)));
      const StoredCounters counters(stored, now_seconds);
      for (Cell& cell : row.content.cells) {
        if (cell.tombstone) continue;
        cell.value = EncodeInteger(TypeKind::kCounter, AddCounts(counters.Of(cell.column), DecodeInteger(cell.value)));
      }
    }
  }
  return mutation;
}

}  // namespace widerow
