// DecideReadingWrites reads the row once and keeps each column that a step changes as a ColumnState. Every step changes
// the state, so the next step finds what the earlier ones left.
#include "exec/write/decided_reads.h"

#include <algorithm>
#include <map>

#include "base/overloaded.h"
#include "exec/write/decided_write.h"
#include "storage/arena.h"

namespace widerow {
namespace {

// The state of a list, number or text while the operations of a statement change it.
class ColumnState {
 public:
  // `present`: the result of IsPresent for the row.
  ColumnState(ColumnId column, const RowView& row, bool present, int64_t now_seconds)
      : column_(column), present_(present), now_seconds_(now_seconds) {
    for (const CellView& cell : row.cells) {
      if (cell.column == column && cell.LiveAt(now_seconds)) Add(Copy(cell));
    }
  }

  void Apply(const RowFragment& written) {
    for (const ColumnDeletion& deletion : written.column_deletions) {
      if (deletion.column != column_ || deletion.deletion.timestamp <= deletion_.timestamp) continue;
      deletion_ = deletion.deletion;
      std::erase_if(cells_, [&](const auto& at) { return deletion_.Deletes(at.second.timestamp); });
    }
    for (const Cell& cell : written.cells) {
      if (cell.column == column_ && !deletion_.Deletes(cell.timestamp)) Add(cell);
    }
  }

  // Returns the elements in the order in which an index such as list[2] counts them. As in Cassandra, if the row is not
  // present, elements that the statement itself has deleted count too.
  std::vector<CellView> Elements() const {
    std::vector<CellView> elements;
    for (const auto& [path, cell] : cells_) {
      if (present_ && !cell.LiveAt(now_seconds_)) continue;
      elements.push_back({.column = column_,
                          .path = path,
                          .timestamp = cell.timestamp,
                          .ttl = cell.ttl,
                          .expires_at = cell.expires_at,
                          .tombstone = cell.tombstone,
                          .value = cell.value});
    }
    return elements;
  }

 private:
  static Cell Copy(const CellView& cell) {
    return {.column = cell.column,
            .path = Bytes(cell.path),
            .timestamp = cell.timestamp,
            .ttl = cell.ttl,
            .expires_at = cell.expires_at,
            .tombstone = cell.tombstone,
            .value = Bytes(cell.value)};
  }

  void Add(Cell cell) {
    const auto [at, fresh] = cells_.try_emplace(cell.path, cell);
    if (!fresh && CellWins(cell, at->second)) at->second = std::move(cell);
  }

  const ColumnId column_;
  const bool present_;
  const int64_t now_seconds_;
  std::map<Bytes, Cell> cells_;  // By path: in the list's order. The path of a number or text is empty.
  DeletionTime deletion_;
};

// Before a statement that changes lists, Cassandra reads the row: its marker, the lists that the statement reads, and
// the columns of conditions. Returns true if Cassandra's read finds the row.
bool IsPresent(const ReadingWrite& write, const RowView& row) {
  const int64_t now = write.times.now_seconds;
  const auto is_read = [&](ColumnId column) {
    return write.conditional ||
           std::any_of(write.steps.begin(), write.steps.end(), [&](const ReadingWrite::Step& step) {
             const auto* operation = std::get_if<BoundOperation>(&step);
             return operation != nullptr && operation->column->id == column;
           });
  };
  return row.marker.LiveAt(now) || std::any_of(row.cells.begin(), row.cells.end(), [&](const CellView& cell) {
           return cell.LiveAt(now) && is_read(cell.column);
         });
}

// Runs the steps on the stored row and appends what they write to `change`.
Status RunSteps(const ReadingWrite& write, const RowView& row, RowFragment& change) {
  const bool present = IsPresent(write, row);
  std::map<ColumnId, ColumnState> columns;
  const auto state_of = [&](ColumnId column) -> ColumnState& {
    return columns.try_emplace(column, column, row, present, write.times.now_seconds).first->second;
  };
  for (const ReadingWrite::Step& step : write.steps) {
    const auto apply = [&](const RowFragment& written) -> Status {
      for (const Cell& cell : written.cells) state_of(cell.column);
      for (const ColumnDeletion& deletion : written.column_deletions) state_of(deletion.column);
      for (auto& [column, state] : columns) state.Apply(written);
      return OkStatus();
    };
    const auto run = [&](const BoundOperation& operation) -> Status {
      RowFragment written;
      ColumnState& state = state_of(operation.column->id);
      WR_RETURN_IF_ERROR(ApplyToStored(operation, state.Elements(), write.times, written));
      state.Apply(written);
      std::move(written.cells.begin(), written.cells.end(), std::back_inserter(change.cells));
      return OkStatus();
    };
    WR_RETURN_IF_ERROR(std::visit(Overloaded{apply, run}, step));
  }
  return OkStatus();
}

}  // namespace

int64_t ReadingWrite::list_reads() const {
  return std::count_if(steps.begin(), steps.end(), [](const Step& step) {
    const auto* operation = std::get_if<BoundOperation>(&step);
    return operation != nullptr && operation->reads_list();
  });
}

void ReadingWrite::SetTimestamp(int64_t timestamp) {
  times.timestamp = timestamp;
  for (Step& step : steps) {
    auto* const written = std::get_if<RowFragment>(&step);
    if (written == nullptr) continue;
    for (Cell& cell : written->cells) cell.timestamp += timestamp - kUndecided;
    for (ColumnDeletion& column : written->column_deletions) column.deletion.timestamp += timestamp - kUndecided;
  }
}

Result<Mutation> DecideReadingWrites(ReadView& view, const std::vector<ReadingWrite>& writes) {
  Mutation mutation;
  Arena room;  // Owns the bytes of `row`.
  for (const ReadingWrite& write : writes) {
    RowView row;
    room.Clear();
    WR_RETURN_IF_ERROR((write.is_static
                            ? view.GetStaticRowInto(room, *write.table, write.partition_key, row)
                            : view.GetRowInto(room, *write.table, write.partition_key, write.clustering, row)));
    row.ExpandUniform();
    RowMutation change{.is_static = write.is_static, .clustering = write.clustering};
    WR_RETURN_IF_ERROR(RunSteps(write, row, change.content));
    NormalizeFragment(*write.table, change.content);
    if (change.content.cells.empty()) continue;
    PartitionMutation partition{.table = write.table, .partition_key = write.partition_key};
    partition.rows.push_back(std::move(change));
    mutation.push_back(std::move(partition));
  }
  return mutation;
}

}  // namespace widerow
