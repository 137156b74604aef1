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
    const ByteView* const only = versions.fragment_count == 0 ? &*versions.stored
                                 : NewestIsAll(versions)      ? &versions.fragments[0]
                                                              : nullptr;
    if (only == nullptr) {
      WR_RETURN_IF_ERROR(Merge(key, prefix_size, versions, row));
    } else if (!ReadPlain(*only, row) || !row.packed.Whole()) {
      WR_RETURN_IF_ERROR(Decode(key, prefix_size, *only, row, nullptr));
    }
    const bool filter = covering.present() || source_.overlay() != nullptr || !table_.dropped_columns.empty();
    if (filter) [[unlikely]] { Filter(key, prefix_size, covering, row); }
    return OkStatus();
  }
  // The commonest of all records, by itself: an INSERT's marker and values, which do not expire. False, with `row` in some
  // state, if `record` is anything else; then Read() says what it is. Whether all of row.packed is whole is left to who walks it.
  bool ReadPlain(ByteView record, RowView& row) const {
    if (!IsPlainInsert(record) || !Unseal(record)) return false;
    const auto timestamp = ReadBigEndian<int64_t>(record.data() + 2);
    row.times.timestamp = row.marker.timestamp = timestamp;  // One by one: a copy of what was just written would wait for it.
    row.times.ttl = row.marker.ttl = 0;
    row.uniform = true;
    row.kept_clustering.clear();
    row.packed = UniformCells(ByteView(record.data() + kPlainHeadBytes, record.size() - kPlainHeadBytes));
    return true;
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
    bool Uniform(const Liveness& times, UniformCells cells) {
      row.uniform = true;
      row.times = times;
      row.packed = cells;
      return cells.Whole();
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
  // Whether the newest fragment alone is the row, as usual: there is no other version, or it overwrites them.
  static bool NewestIsAll(const RowVersions& versions) {
    const ByteView newest = versions.fragments[0];
    for (size_t i = 1; i < versions.fragment_count; ++i) {
      if (!Supersedes(newest, versions.fragments[i])) return false;
    }
    return !versions.stored.has_value() || Supersedes(newest, *versions.stored);
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
