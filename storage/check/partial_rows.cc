// A row has one record (kinds 2 and 4), and a record for each element of a large collection (kind 5). The key of the
// static row comes first in its partition, and the elements come after all rows. So a partition may have kept rows of
// which a part is lost. A lost range before the rows may contain their static row, and a lost range after them may
// contain elements of their collections.
#include "storage/check/partial_rows.h"

#include <algorithm>

#include "storage/format/key_codec.h"
#include "storage/format/row_codec.h"
#include "storage/lmdb/long_keys.h"
#include "types/schema_difference.h"

namespace widerow {
namespace {

Bytes PrefixOf(ByteView key) {
  const size_t size = key.size() > kKeyHeadBytes ? PartitionPrefixSize(key) : 0;
  return Bytes(key.substr(0, size));
}

Bytes KeyOfKind(ByteView prefix, RecordKind kind, ByteView rest = {}) {
  Bytes key(prefix);
  AppendKind(kind, key);
  return key += rest;
}

bool HasContent(const RowFragment& content) {
  return content.marker.present() ||
         std::any_of(content.cells.begin(), content.cells.end(), [](const Cell& cell) { return !cell.tombstone; });
}

// The tables of a schema, by storage id. Says which of them are derived: materialized views and the tables of indexes.
class BaseTables {
 public:
  explicit BaseTables(const SchemaSnapshot& schema) : tables_(LiveTablesOf(schema)) {
    ForEachStoredTable(schema, [&](const TablePtr& table) {
      for (const IndexSchema& index : table->indexes) entries_.insert(index.entries.get());
    });
  }
  // Null if the table is gone.
  TablePtr Find(ByteView key) const {
    const TableColumns* const columns = FindLive(tables_, key);
    return columns == nullptr ? nullptr : columns->table();
  }
  bool IsDerived(const TableSchema& table) const { return table.view != nullptr || entries_.contains(&table); }

 private:
  const LiveTables tables_;
  std::set<const TableSchema*> entries_;
};

SalvagedPlace PlaceOf(const BaseTables& tables, ByteView key) {
  const Bytes prefix = PrefixOf(key);
  SalvagedPlace place;
  if (prefix.empty() || !PartitionKeyOfPrefix(prefix, place.partition_key)) return place;
  place.table = tables.Find(prefix);
  const auto kind = static_cast<RecordKind>(key[prefix.size()]);
  ByteView rest = key.substr(prefix.size() + 1);
  if (kind == RecordKind::kRow) {
    place.has_row = true;
    place.clustering.assign(rest);
  } else if (kind == RecordKind::kSpill) {
    place.has_row = TakeDelimited(rest, place.clustering);
  }
  return place;
}

}  // namespace

Status PartialRows::FindKept(lmdb::TxnRef txn) {
  std::set<Bytes> with_elements;
  for (const lmdb::KeyRange& range : lost_.ranges()) {
    WR_ASSIGN_OR_RETURN(lmdb::Cursor opened, lmdb::Cursor::Open(txn, lmdb::Db::kData));
    LongKeyCursor cursor(std::move(opened));
    auto& [before, after] = neighbours_.emplace_back();
    lmdb::Rc rc = cursor.SeekBefore(range.begin);
    if (rc.ok()) before.assign(cursor.key());
    if (!rc.failed() && range.end) rc = cursor.SeekAtOrAfter(*range.end);
    if (rc.failed()) return lmdb::ToError(rc, "reading the salvaged records");
    if (rc.ok() && range.end) after.assign(cursor.key());
    if (const Bytes prefix = PrefixOf(after); !prefix.empty()) NoteShown(prefix);
    const Bytes prefix = PrefixOf(before);
    if (prefix.empty()) continue;
    const Bytes elements = KeyOfKind(prefix, RecordKind::kSpill);
    if (lost_.Intersects(elements, SuccessorOfPrefix(elements))) with_elements.insert(prefix);
  }
  for (const Bytes& prefix : with_elements) WR_RETURN_IF_ERROR(FindElements(txn, prefix));
  return OkStatus();
}

// Notes the kept rows of a partition that have elements in lost ranges.
Status PartialRows::FindElements(lmdb::TxnRef txn, ByteView partition_prefix) {
  WR_ASSIGN_OR_RETURN(lmdb::Cursor opened, lmdb::Cursor::Open(txn, lmdb::Db::kData));
  LongKeyCursor cursor(std::move(opened));
  lmdb::Rc rc = cursor.SeekAtOrAfter(partition_prefix);
  for (; rc.ok() && cursor.key().starts_with(partition_prefix); rc = cursor.Next()) {
    const auto kind = static_cast<RecordKind>(cursor.key()[partition_prefix.size()]);
    if (kind > RecordKind::kRow) break;
    StoredRow row;
    if ((kind != RecordKind::kStatic && kind != RecordKind::kRow) || !DecodeRow(cursor.value(), row)) continue;
    for (const SpilledColumn& spilled : row.spilled) {
      Bytes elements;
      AppendSpillPrefix(partition_prefix, cursor.key().substr(partition_prefix.size() + 1), spilled.column, elements);
      if (!spilled.multi_cell || !lost_.Intersects(elements, SuccessorOfPrefix(elements))) continue;
      rows_[Bytes(cursor.key())].lacks_elements = true;
    }
  }
  return rc.failed() ? Status(lmdb::ToError(rc, "reading the salvaged records")) : OkStatus();
}

void PartialRows::Note(const LogGroup& group) {
  if (group.body.empty() || lost_.ranges().empty()) return;
  const auto kind = static_cast<GroupKind>(group.body[0]);
  if (kind == GroupKind::kWrites) NoteWrites(group.body.substr(1));
  if (kind == GroupKind::kBulk) NoteBulk(group.body.substr(1));
}

void PartialRows::NoteWrites(ByteView body) {
  while (!body.empty()) {
    WriteReader reader(body);
    ByteView prefix;
    WriteEntry entry;
    while (reader.NextPartition(prefix)) {
      const bool is_hit = lost_.Intersects(prefix, SuccessorOfPrefix(prefix));
      while (reader.NextEntry(entry)) {
        DeletionTime deletion;
        RangeTombstone range;
        if (!is_hit) continue;
        if (entry.kind == RecordKind::kHeader) {
          if (DecodeHeader(entry.record, deletion)) deletions_[Bytes(prefix)].Add(deletion);
        } else if (entry.kind == RecordKind::kRangeTombstone) {
          range.begin.assign(entry.rest);
          if (DecodeRangeTombstone(entry.record, range)) deletions_[Bytes(prefix)].Add(std::move(range));
        } else {
          NoteRow(KeyOfKind(prefix, entry.kind, entry.rest), entry.record);
        }
      }
    }
    if (!reader.ok()) return;  // The group is damaged; the replay refuses it.
    body = reader.rest();
  }
}

void PartialRows::NoteBulk(ByteView body) {
  for (row_decode::Reader in(body); in.more();) {
    const ByteView key = in.Take(in.Varint()), record = in.Take(in.Varint());
    if (in.ok) NoteRow(key, record);
  }
}

void PartialRows::NoteRow(ByteView key, ByteView record) {
  StoredRow row;
  if (!DecodeRow(record, row)) return;
  const RowFragment& content = row.content;
  const bool shown = HasContent(content);
  if (shown) NoteShown(PrefixOf(key));
  if (!lost_.Contains(key)) return;
  Written& written = rows_[Bytes(key)];
  written.shown = written.shown || shown;
  written.replaced = written.replaced || content.deletion.timestamp >= newest_micros_;
  written.marker = written.marker || (content.marker.present() && content.marker.timestamp > newest_micros_);
  for (const Cell& cell : content.cells) {
    if (cell.timestamp > newest_micros_) written.cells.insert(cell.column);
  }
  for (const ColumnDeletion& deletion : content.column_deletions) {
    if (deletion.deletion.timestamp >= newest_micros_) written.emptied.insert(deletion.column);
  }
}

// Notes that a partition has rows. A read of these rows also returns the static columns. So if the static row of the
// partition is lost, sets Written::shown for the static row.
void PartialRows::NoteShown(ByteView partition_prefix) {
  Bytes key = KeyOfKind(partition_prefix, RecordKind::kStatic);
  if (lost_.Contains(key)) rows_[std::move(key)].shown = true;
}

bool PartialRows::IsComplete(ByteView key, const Written& written, const TableSchema& table) const {
  const Bytes prefix = PrefixOf(key);
  const bool is_static = static_cast<RecordKind>(key[prefix.size()]) == RecordKind::kStatic;
  if (written.replaced) return true;
  if (const auto found = deletions_.find(prefix); found != deletions_.end()) {
    const DeletionTime deletion =
        is_static ? found->second.partition() : found->second.Covering(key.substr(prefix.size() + 1));
    if (deletion.timestamp >= newest_micros_) return true;
  }
  if (written.lacks_elements || (!is_static && !written.marker)) return false;
  const ColumnKind kind = is_static ? ColumnKind::kStatic : ColumnKind::kRegular;
  return std::all_of(table.columns.begin(), table.columns.end(), [&](const ColumnSchema& column) {
    const std::set<ColumnId>& columns = column.type->is_multi_cell() ? written.emptied : written.cells;
    return column.kind != kind || columns.contains(column.id);
  });
}

std::vector<PartialRow> PartialRows::Rows(const SchemaSnapshot& schema) const {
  const BaseTables tables(schema);
  std::vector<PartialRow> rows;
  for (const auto& [key, written] : rows_) {
    PartialRow row{PlaceOf(tables, key), PartialRow::Lack::kColumns};
    const TablePtr& table = row.place.table;
    if (table == nullptr || tables.IsDerived(*table) || !(written.shown || written.lacks_elements)) continue;
    if (!row.place.has_row && !table->has_statics()) continue;
    if (IsComplete(key, written, *table)) continue;
    if (!row.place.has_row) row.lack = PartialRow::Lack::kStatics;
    if (written.lacks_elements) row.lack = PartialRow::Lack::kElements;
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<LostRange> PartialRows::Ranges(const SchemaSnapshot& schema) const {
  const BaseTables tables(schema);
  std::vector<LostRange> ranges;
  for (const auto& [before, after] : neighbours_) {
    LostRange range;
    if (!before.empty()) range.after = PlaceOf(tables, before);
    if (!after.empty()) range.before = PlaceOf(tables, after);
    // A range between two keys of one index or view has no rows of a base table. A range between two keys without a
    // table is also left out.
    const bool is_inside = range.after && range.before && range.after->table == range.before->table;
    if (is_inside && (range.after->table == nullptr || tables.IsDerived(*range.after->table))) continue;
    ranges.push_back(std::move(range));
  }
  return ranges;
}

}  // namespace widerow
