// From the versions of a row to a RowView that borrows from them: what point reads and slices share.
#pragma once

#include "storage/arena.h"
#include "storage/read_source.h"
#include "storage/row_codec.h"

namespace widerow {

class RowReader {
 public:
  // `table` must outlive the reader; spilled values that are not whole in one record are put together in `arena`.
  RowReader(ReadSource& source, const TableSchema& table, Arena& arena)
      : source_(source), table_(table), arena_(arena) {}
  ~RowReader();

  // Fills everything of `row` but its keys. `key` is for error texts and spilled values; `prefix_size` of its bytes are
  // the partition prefix. `covering`: what memtables delete of the row.
  Status Read(ByteView key, size_t prefix_size, const RowVersions& versions, const DeletionTime& covering, RowView& row) {
    if (versions.fragment_count == 0) [[likely]] {
      WR_RETURN_IF_ERROR(Decode(key, prefix_size, *versions.stored, row, nullptr));
    } else if (versions.fragment_count == 1 && !versions.stored.has_value()) {
      WR_RETURN_IF_ERROR(Decode(key, prefix_size, versions.fragments[0], row, nullptr));
    } else {
      WR_RETURN_IF_ERROR(Merge(key, prefix_size, versions, row));
    }
    const bool filter = covering.present() || source_.overlay() != nullptr || !table_.dropped_columns.empty();
    if (filter) [[unlikely]] { Filter(key, prefix_size, covering, row); }
    return OkStatus();
  }
  // The greatest timestamp in any version: of marker, cells and the row's own deletions.
  Result<int64_t> NewestTimestamp(ByteView key, size_t prefix_size, const RowVersions& versions);

 private:
  struct Sink {
    RowView& row;
    RowReader& reader;
    ByteView key;
    size_t prefix_size;
    RowFragmentView* deletions;  // Takes the row's own deletions; null: they have been applied to the record.

    void Marker(const Liveness& marker) { row.marker = marker; }
    void Deletion(const DeletionTime& deletion) {
      if (deletions != nullptr) deletions->deletion = deletion;
    }
    void Columns(ColumnId column, const DeletionTime& deletion) {
      if (deletions != nullptr) deletions->column_deletions.push_back({column, deletion});
    }
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

  Status Decode(ByteView key, size_t prefix_size, ByteView record, RowView& row, RowFragmentView* deletions) {
    Sink sink{row, *this, key, prefix_size, deletions};
    row.marker = {};
    row.uniform = false;
    row.cells.clear();
    row.kept_clustering.clear();
    if (!DecodeRowInto(record, sink)) [[unlikely]]
      return Failure(key);
    return OkStatus();
  }
  Status Merge(ByteView key, size_t prefix_size, const RowVersions& versions, RowView& row);
  Result<RowFragmentView> Fragment(ByteView key, size_t prefix_size, ByteView record, RowView& scratch);

  bool ReadSpilled(ByteView key, size_t prefix_size, const SpilledColumn& spilled, const CellView& times, RowView& row);
  bool AppendSpilledCell(const SpilledCell& first, const CellView& times, ByteView cell_prefix, RowView& row);
  void Filter(ByteView key, size_t prefix_size, const DeletionTime& covering, RowView& row);
  Error Failure(ByteView key);

  ReadSource& source_;
  const TableSchema& table_;
  Arena& arena_;
  std::optional<LongKeyCursor> spill_cursor_;
  Bytes spill_prefix_;
  std::optional<Error> failure_;  // Of reading spilled values; else a failed read means damage.
};

}  // namespace widerow
