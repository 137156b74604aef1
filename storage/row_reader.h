// From a stored record to a RowView that borrows from it: what point reads and slices share.
#pragma once

#include "storage/arena.h"
#include "storage/key_codec.h"
#include "storage/long_keys.h"
#include "storage/overlay.h"
#include "storage/row_codec.h"

namespace widerow {

// Where a reader reads: a transaction, the deletions it has to mind, and idle cursors to take and give back.
struct ReadSource {
  lmdb::TxnRef txn;
  OverlayPtr overlay;  // Null: none, the usual case.
  std::vector<lmdb::Cursor> idle_cursors;
  std::vector<lmdb::Cursor> stale_cursors;  // Of an earlier snapshot: to be renewed before use.

  Result<lmdb::Cursor> TakeCursor();
  void GiveBack(lmdb::Cursor cursor) { idle_cursors.push_back(std::move(cursor)); }
  // The snapshot ends: all cursors become stale, at most `kept_max` are kept.
  void Retire(size_t kept_max);
};

class RowReader {
 public:
  // `table` must outlive the reader; spilled values that are not whole in one record are put together in `arena`.
  RowReader(ReadSource& source, const TableSchema& table, Arena& arena)
      : source_(source), table_(table), arena_(arena) {}
  ~RowReader();

  // Fills everything of `row` but its keys. `key` is for error texts and spilled values; `prefix_size` of its bytes are
  // the partition prefix.
  Status Read(ByteView key, size_t prefix_size, ByteView record, RowView& row) {
    Sink sink{row, *this, key, prefix_size};
    row.marker = {};
    row.uniform = false;
    row.cells.clear();
    row.kept_clustering.clear();
    if (!DecodeRowInto(record, sink)) [[unlikely]]
      return Failure(key);
    if (source_.overlay != nullptr || !table_.dropped_columns.empty()) [[unlikely]] { Filter(key, prefix_size, row); }
    return OkStatus();
  }

 private:
  struct Sink {
    RowView& row;
    RowReader& reader;
    ByteView key;
    size_t prefix_size;

    void Marker(const Liveness& marker) { row.marker = marker; }
    void Deletion(const DeletionTime&) {}
    void Columns(ColumnId, const DeletionTime&) {}
    void Kept(uint32_t position, ByteView bytes) { row.kept_clustering.emplace_back(position, bytes); }
    void Cell(const CellView& cell) { row.cells.push_back(cell); }
    bool Uniform(const Liveness& times, row_decode::UniformCells cells) {
      row.uniform = true;
      row.times = times;
      row.values.resize(reader.table_.next_column_id);
      ByteView* at = row.values.data();  // Each entry is written once: those between two cells with null.
      ByteView* const begin = at;
      ByteView* const end = at + row.values.size();
      ColumnId column = 0;
      ByteView value;
      while (cells.Next(column, value)) {
        ByteView* const to = begin + column;
        if (to >= end || to < at) break;  // Younger than our schema, as are all that follow.
        while (at < to) *at++ = ByteView();
        *at++ = value;
      }
      while (at < end) *at++ = ByteView();
      return cells.ok();
    }
    bool Spilled(const SpilledColumn& spilled, const CellView& cell) {
      return reader.ReadSpilled(key, prefix_size, spilled, cell, row);
    }
  };

  bool ReadSpilled(ByteView key, size_t prefix_size, const SpilledColumn& spilled, const CellView& times, RowView& row);
  bool AppendSpilledCell(const SpilledCell& first, const CellView& times, ByteView cell_prefix, RowView& row);
  void Filter(ByteView key, size_t prefix_size, RowView& row);
  Error Failure(ByteView key);

  ReadSource& source_;
  const TableSchema& table_;
  Arena& arena_;
  std::optional<LongKeyCursor> spill_cursor_;
  Bytes spill_prefix_;
  std::optional<Error> failure_;  // Of reading spilled values; else a failed read means damage.
};

}  // namespace widerow
