#include "storage/row_reader.h"

#include "storage/damage.h"

namespace widerow {

Result<lmdb::Cursor> ReadSource::TakeCursor() {
  const bool stale = idle_cursors.empty();
  std::vector<lmdb::Cursor>& from = stale ? stale_cursors : idle_cursors;
  if (from.empty()) return lmdb::Cursor::Open(txn, lmdb::Db::kData);
  lmdb::Cursor cursor = std::move(from.back());
  from.pop_back();
  if (!stale) return cursor;
  if (const lmdb::Rc rc = cursor.Renew(txn); !rc.ok()) return lmdb::ToError(rc, "opening a cursor");
  return cursor;
}

void ReadSource::Retire(size_t kept_max) {
  while (!idle_cursors.empty()) {
    stale_cursors.push_back(std::move(idle_cursors.back()));
    idle_cursors.pop_back();
  }
  while (stale_cursors.size() > kept_max) stale_cursors.pop_back();
}

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
  if (rc.failed()) failure_ = lmdb::ToError(rc, "reading a spilled value");
  if (!any && !spilled.multi_cell) failure_ = DamagedRecord(table_, key, "row (its spilled value is missing)");
  return !failure_.has_value();
}

// A value of one record stays in its page; one of several is put together. The cursor is left on the cell's last
// record.
bool RowReader::AppendSpilledCell(const SpilledCell& first, const CellView& times, ByteView cell_prefix, RowView& row) {
  CellView cell = times;
  cell.path = first.cell.path;
  cell.value = first.cell.value;
  if (first.value_bytes > kChunkBytes) {
    // The size is believed only as far as records are there to fill it.
    const Bytes prefix(cell_prefix);
    std::vector<ByteView> parts{first.cell.value};
    uint64_t have = first.cell.value.size();
    while (have < first.value_bytes) {
      const lmdb::Rc rc = spill_cursor_->Next();
      ByteView part = rc.ok() ? spill_cursor_->value() : ByteView();
      if (!rc.ok() || !spill_cursor_->key().starts_with(prefix) || !Unseal(part) || part.empty()) {
        failure_ = DamagedRecord(table_, prefix, "spilled value");
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

void RowReader::Filter(ByteView key, size_t prefix_size, RowView& row) {
  row.ExpandUniform();
  if (source_.overlay != nullptr && key[prefix_size] == static_cast<char>(RecordKind::kRow)) {
    const DeletionTime deletion =
        source_.overlay->Find(key.substr(0, prefix_size), key.substr(prefix_size + 1), source_.txn.id());
    if (deletion.present()) {
      if (deletion.Deletes(row.marker.timestamp)) row.marker = {};
      std::erase_if(row.cells, [&](const CellView& cell) { return deletion.Deletes(cell.timestamp); });
    }
  }
  if (table_.dropped_columns.empty()) return;
  std::erase_if(row.cells, [&](const CellView& cell) {
    return std::none_of(table_.columns.begin(), table_.columns.end(),
                        [&](const ColumnSchema& column) { return column.id == cell.column; });
  });
}

}  // namespace widerow
