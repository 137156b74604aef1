#include "storage/read/row_reader.h"

#include <algorithm>

#include "storage/format/damage.h"
#include "storage/reconcile/merge.h"

namespace widerow {

RowReader::~RowReader() {
  if (spill_cursor_.has_value()) source_.GiveBack(std::move(*spill_cursor_).Release());
}

Error RowReader::Failure(ByteView key) {
  if (!failure_.has_value()) return DamagedRecord(table_, key, "row");
  Error error = std::move(*failure_);
  failure_.reset();
  return error;
}

bool RowReader::ReadSpilled(ByteView key, size_t prefix_size, const SpilledColumn& spilled, const CellView& times,
                            RowView& row) {
  if (!spill_cursor_.has_value()) {
    Result<lmdb::Cursor> cursor = source_.TakeCursor();
    if (!cursor.ok()) {
      failure_ = std::move(cursor).error();
      return false;
    }
    spill_cursor_.emplace(std::move(cursor).value());
  }
  spill_prefix_.clear();
  AppendSpillPrefix(key.substr(0, prefix_size), key.substr(prefix_size + 1), spilled.column, spill_prefix_);
  lmdb::Rc rc = spill_cursor_->SeekAtOrAfter(spill_prefix_);
  bool any = false;
  while (rc.ok() && spill_cursor_->key().starts_with(spill_prefix_)) {
    any = true;
    const ByteView at = spill_cursor_->key();
    SpilledCell first;
    first.cell.column = spilled.column;
    if (!DecodeSpilledCell(spill_cursor_->value(), first) || at.size() < 4) {
      failure_ = DamagedRecord(table_, at, "spilled value");
      return false;
    }
    if (spilled.multi_cell) {
      CellView own = first.cell;
      own.column = spilled.column;
      if (!AppendSpilledCell(first, own, at.substr(0, at.size() - 4), row)) return false;
    } else if (!AppendSpilledCell(first, times, at.substr(0, at.size() - 4), row)) {
      return false;
    }
    rc = spill_cursor_->Next();
  }
  if (rc.failed()) {
    failure_ = lmdb::ToError(rc, OfTable("reading a spilled value", table_));
  } else if (!any && !spilled.multi_cell) {
    failure_ = DamagedRecord(table_, key, "row (its spilled value is missing)");
  }
  return !failure_.has_value();
}

// Appends one spilled cell to the row. A value in one record is borrowed from its page. A value in several records is
// copied into arena_. Afterwards the cursor is on the last record of the cell.
bool RowReader::AppendSpilledCell(const SpilledCell& first, const CellView& times, ByteView cell_prefix, RowView& row) {
  CellView cell = times;
  cell.path = first.cell.path;
  cell.value = first.cell.value;
  if (first.value_bytes > kChunkBytes) {
    // All parts are collected before memory is allocated for them. So a damaged length never causes an allocation that
    // is larger than the stored parts.
    const Bytes prefix(cell_prefix);
    std::vector<ByteView> parts{first.cell.value};
    uint64_t have = first.cell.value.size();
    while (have < first.value_bytes) {
      const lmdb::Rc rc = spill_cursor_->Next();
      ByteView part = rc.ok() ? spill_cursor_->value() : ByteView();
      if (!rc.ok() || !spill_cursor_->key().starts_with(prefix) || !Unseal(part) || part.empty()) {
        failure_ = rc.failed() ? lmdb::ToError(rc, OfTable("reading a spilled value", table_))
                               : DamagedRecord(table_, prefix, "spilled value");
        return false;
      }
      parts.push_back(part);
      have += part.size();
    }
    char* whole = arena_.Allocate(have);
    cell.value = ByteView(whole, have);
    for (const ByteView part : parts) whole = std::copy(part.begin(), part.end(), whole);
  }
  row.cells.push_back(cell);
  return true;
}

Result<RowFragmentView> RowReader::Fragment(ByteView key, size_t prefix_size, ByteView record, RowView& scratch) {
  RowFragmentView fragment;
  WR_RETURN_IF_ERROR(Decode(key, prefix_size, record, scratch, &fragment));
  scratch.ExpandUniform();
  fragment.marker = scratch.marker;
  fragment.cells = std::move(scratch.cells);
  fragment.kept_clustering = std::move(scratch.kept_clustering);
  return fragment;
}

Result<int64_t> RowReader::NewestTimestamp(ByteView key, size_t prefix_size, const RowVersions& versions) {
  int64_t newest = kNoTimestamp;
  RowView scratch;
  const auto look_at = [&](ByteView record) -> Status {
    WR_ASSIGN_OR_RETURN(const RowFragmentView fragment, Fragment(key, prefix_size, record, scratch));
    newest = std::max({newest, fragment.marker.timestamp, fragment.deletion.timestamp});
    for (const ColumnDeletion& column : fragment.column_deletions) {
      newest = std::max(newest, column.deletion.timestamp);
    }
    for (const CellView& cell : fragment.cells) newest = std::max(newest, cell.timestamp);
    return OkStatus();
  };
  WR_RETURN_IF_ERROR(versions.ForEachRecord(look_at));
  return newest;
}

Status RowReader::Merge(ByteView key, size_t prefix_size, const RowVersions& versions, RowView& row) {
  const TableColumns columns(TablePtr(TablePtr(), &table_));  // The pointer owns nothing: table_ outlives the reader.
  RowFragmentView merged;
  bool first = true;
  WR_RETURN_IF_ERROR(versions.ForEachRecord([&](ByteView record) -> Status {
    WR_ASSIGN_OR_RETURN(RowFragmentView older, Fragment(key, prefix_size, record, row));
    merged = std::exchange(first, false) ? std::move(older) : MergeRows(columns, std::move(older), std::move(merged));
    return OkStatus();
  }));
  row.marker = merged.marker;
  row.uniform = false;
  row.cells = std::move(merged.cells);
  row.kept_clustering = std::move(merged.kept_clustering);
  return OkStatus();
}

void RowReader::Filter(ByteView key, size_t prefix_size, const DeletionTime& covering, RowView& row) {
  row.ExpandUniform();
  DeletionTime deletion = covering;
  if (source_.overlay() != nullptr && key[prefix_size] == static_cast<char>(RecordKind::kRow)) {
    deletion = Newer(
        deletion, source_.overlay()->Find(key.substr(0, prefix_size), key.substr(prefix_size + 1), source_.txn.id()));
  }
  if (deletion.present()) {
    if (deletion.Deletes(row.marker.timestamp)) row.marker = {};
    std::erase_if(row.cells, [&](const CellView& cell) { return deletion.Deletes(cell.timestamp); });
  }
  if (table_.dropped_columns.empty()) return;
  std::erase_if(row.cells, [&](const CellView& cell) { return !table_.Shows(cell.column, cell.timestamp); });
}

}  // namespace widerow
