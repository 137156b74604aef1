// Makes a RowView from the versions of a row. The RowView borrows from these versions. Point reads and slices use it.
// One thread at a time may use it.
#pragma once

#include "storage/arena.h"
#include "storage/format/row_codec.h"
#include "storage/read/read_source.h"

namespace widerow {

class RowReader {
 public:
  // `table`, `source` and `arena` must outlive the reader. Spilled values that consist of several records are put
  // together in `arena`.
  RowReader(ReadSource& source, const TableSchema& table, Arena& arena)
      : source_(source), table_(table), arena_(arena) {}
  ~RowReader();

  // Fills all of `row` except its keys. `key` is needed for error texts and for spilled values; its first `prefix_size`
  // bytes are the partition prefix. `covering` is the newest of the deletions in memtables that cover the row. Errors:
  // kServerError if LMDB fails or a record is damaged.
  Status Read(ByteView key, size_t prefix_size, const RowVersions& versions, const DeletionTime& covering,
              RowView& row) {
    ByteView only;
    if (versions.fragment_count == 0) {
      only = *versions.stored;
    } else if (NewestIsAll(versions)) {
      only = versions.fragments[0]->record();
    }
    if (only.data() == nullptr) {
      WR_RETURN_IF_ERROR(Merge(key, prefix_size, versions, row));
    } else if (!ReadPlain(only, row) || !row.packed.Whole()) {
      WR_RETURN_IF_ERROR(Decode(key, prefix_size, only, row, nullptr));
    }
    const bool filter = covering.present() || source_.overlay() != nullptr || !table_.dropped_columns.empty();
    if (filter) [[unlikely]] { Filter(key, prefix_size, covering, row); }
    return OkStatus();
  }
  // Reads the most common record, a plain INSERT (IsPlainInsert): the marker and the values, without TTL. If `record`
  // has another form or a wrong checksum, returns false; `row` is then partly filled, and Read() has to be called. Does
  // not check that the cells in row.packed are whole. Code that reads them must check it.
  bool ReadPlain(ByteView record, RowView& row) const {
    if (!IsPlainInsert(record) || !Unseal(record)) return false;
    const auto timestamp = ReadBigEndian<int64_t>(record.data() + 2);
    // The fields are set one by one. A copy of a struct whose fields have just been written would stall the processor.
    row.times.timestamp = row.marker.timestamp = timestamp;
    row.times.ttl = row.marker.ttl = 0;
    row.uniform = true;
    row.kept_clustering.clear();
    row.packed = UniformCells(ByteView(record.data() + kPlainHeadBytes, record.size() - kPlainHeadBytes));
    return true;
  }
  // Returns the greatest timestamp in any version of the row: of its marker, of its cells, and of its own deletions.
  Result<int64_t> NewestTimestamp(ByteView key, size_t prefix_size, const RowVersions& versions);

 private:
  struct Sink {
    RowView& row;
    RowReader& reader;
    ByteView key;
    size_t prefix_size;
    // Receives the row's deletions. Null if these have already been applied to the content of the record.
    RowFragmentView* deletions;

    void Marker(const Liveness& marker) { row.marker = marker; }
    void Deletion(const DeletionTime& deletion) {
      if (deletions != nullptr) deletions->deletion = deletion;
    }
    void Columns(ColumnId column, const DeletionTime& deletion) {
      if (deletions != nullptr) deletions->column_deletions.push_back({column, deletion});
    }
    void Kept(uint32_t position, ByteView bytes) { row.kept_clustering.emplace_back(position, bytes); }
    void Cell(const CellView& cell) {
      row.cells.push_back(cell);
      if (!cell.large) [[likely]]
        return;
      row.large_values = &reader.source_;
      row.large_prefix = reader.arena_.Copy(key.substr(0, prefix_size));
    }
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
  // True if the newest fragment alone is the row, because there is no other version or because it replaces all others.
  // This is the usual case.
  static bool NewestIsAll(const RowVersions& versions) {
    if (versions.fragments[0]->rest() != nullptr) return false;
    const ByteView newest = versions.fragments[0]->record();
    for (size_t i = 1; i < versions.fragment_count; ++i) {
      const Memtable::Version& older = *versions.fragments[i];
      if (older.rest() != nullptr || !Supersedes(newest, older.record())) return false;
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
  // Set if reading a spilled value has failed. If it is not set and decoding fails, the record is damaged.
  std::optional<Error> failure_;
};

}  // namespace widerow
