// ChangeRow reads a row, merges the incoming fragment into it, removes deleted content, and writes the row back. Its
// steps: LoadRow reads the record and drops the cells of dropped columns. MergeRows and ApplyDeletion make the new row.
// SettleSpills changes the spilled records of the row, so that they fit the new row. PurgeContent removes content that
// is due. SpillBigColumns moves large values out of the record. NoteLargeObjects compares the large objects that the
// row refers to with those that it referred to before.
#include "storage/fold/catalog_store.h"
#include "storage/fold/partition_writer.h"
#include "storage/format/damage.h"
#include "storage/reconcile/merge.h"

namespace widerow {
namespace {

const Cell* FindCell(const std::vector<Cell>& cells, ColumnId column) {
  const auto at = std::lower_bound(cells.begin(), cells.end(), column,
                                   [](const Cell& cell, ColumnId wanted) { return cell.column < wanted; });
  return at != cells.end() && at->column == column ? &*at : nullptr;
}

DeletionTime DeletionOf(const RowFragment& row, ColumnId column) {
  for (const ColumnDeletion& deletion : row.column_deletions) {
    if (deletion.column == column) return Newer(row.deletion, deletion.deletion);
  }
  return row.deletion;
}

std::vector<LargeReference> LargeReferencesOf(const RowFragment& row) {
  std::vector<LargeReference> references;
  LargeReference reference;
  for (const Cell& cell : row.cells) {
    if (cell.large && DecodeLargeReference(cell.value, reference)) [[unlikely]]
      references.push_back(reference);
  }
  return references;
}

bool Contains(const std::vector<LargeReference>& references, const LargeReference& wanted) {
  return std::find(references.begin(), references.end(), wanted) != references.end();
}

// True if the row has content that a read could show. A row whose record only keeps deletions has none.
bool HasContent(const StoredRow& row) {
  return row.content.marker.present() || !row.spilled.empty() ||
         std::any_of(row.content.cells.begin(), row.content.cells.end(), [](const Cell& c) { return !c.tombstone; });
}

}  // namespace

Status PartitionWriter::LoadRow(ByteView key, ByteView clustering, StoredRow& row, size_t& stored_bytes,
                                Bytes& stored_record) {
  ByteView record;
  WR_ASSIGN_OR_RETURN(const bool found, context_.Get(key, record));
  if (!found) return OkStatus();
  if (!DecodeRow(record, row)) return Damaged(key, "row");
  stored_bytes = key.size() + record.size();
  stored_record.assign(record);
  references_before_ = LargeReferencesOf(row.content);
  return columns_.table()->dropped_columns.empty() ? OkStatus() : ForgetDroppedColumns(clustering, row);
}

Status PartitionWriter::ForgetDroppedColumns(ByteView clustering, StoredRow& row) {
  ApplyDrops(row.content);
  std::vector<SpilledColumn> kept;
  for (const SpilledColumn& spilled : row.spilled) {
    const DeletionTime drop = columns_.DropOf(spilled.column);
    bool stays = true;
    if (!spilled.multi_cell) {
      stays = FindCell(row.content.cells, spilled.column) != nullptr;
      if (!stays) WR_RETURN_IF_ERROR(spills_.DeleteColumn(clustering, spilled.column));
    } else if (columns_.IsDropped(spilled.column)) {
      // The elements of a column that has been added again are not filtered, because each write would have to examine
      // all of them to find those from before the drop. Reads leave these elements out (TableColumns::DropOf).
      WR_ASSIGN_OR_RETURN(stays, spills_.FilterElements(clustering, spilled.column, drop));
    }
    if (stays) kept.push_back(spilled);
  }
  row.spilled = std::move(kept);
  return OkStatus();
}

void PartitionWriter::ApplyDrops(RowFragment& row) const {
  std::erase_if(row.cells, [&](const Cell& cell) { return columns_.DropOf(cell.column).Deletes(cell.timestamp); });
  std::erase_if(row.column_deletions,
                [&](const ColumnDeletion& d) { return columns_.DropOf(d.column).Deletes(d.deletion.timestamp); });
}

// Reads a spilled cell back into the row if the incoming cell of its column has the same timestamp, because then the
// values of the two cells decide which one wins.
Status PartitionWriter::LoadTiedSpills(const RowChange& change, StoredRow& row) {
  if (change.incoming == nullptr || row.spilled.empty()) return OkStatus();
  std::vector<ColumnId> loaded;
  for (const SpilledColumn& spilled : row.spilled) {
    if (spilled.multi_cell) continue;
    const Cell* incoming = FindCell(change.incoming->cells, spilled.column);
    const Cell* stored = FindCell(row.content.cells, spilled.column);
    if (incoming == nullptr || stored == nullptr || incoming->timestamp != stored->timestamp) continue;
    WR_ASSIGN_OR_RETURN(std::optional<Cell> whole, spills_.Get(change.clustering, spilled.column, {}));
    if (!whole.has_value()) return Damaged(prefix_, "spilled value");
    const_cast<Cell*>(stored)->value = std::move(whole->value);
    WR_RETURN_IF_ERROR(spills_.DeleteColumn(change.clustering, spilled.column));
    loaded.push_back(spilled.column);
  }
  std::erase_if(row.spilled, [&](const SpilledColumn& spilled) {
    return std::find(loaded.begin(), loaded.end(), spilled.column) != loaded.end();
  });
  return OkStatus();
}

// Returns the incoming fragment without the elements of spilled columns. Those elements go to `elements`: they are
// merged with the spilled records, not with the row's record.
RowFragment PartitionWriter::SplitOffSpilledElements(RowFragment incoming, const StoredRow& row,
                                                     std::vector<Cell>& elements) {
  // Cells of dropped columns can come in, because a write may have been queued before the drop or have a timestamp from
  // before the drop.
  if (!columns_.table()->dropped_columns.empty()) ApplyDrops(incoming);
  const auto order = [&](const Cell& a, const Cell& b) { return CellBefore(columns_, a, b); };
  if (!std::is_sorted(incoming.cells.begin(), incoming.cells.end(), order)) {
    std::stable_sort(incoming.cells.begin(), incoming.cells.end(), order);
  }
  if (row.spilled.empty()) return incoming;
  std::vector<Cell> kept;
  for (Cell& cell : incoming.cells) {
    const SpilledColumn* spilled = row.FindSpilled(cell.column);
    (spilled != nullptr && spilled->multi_cell ? elements : kept).push_back(std::move(cell));
  }
  incoming.cells = std::move(kept);
  return incoming;
}

Status PartitionWriter::ChangeRow(const RowChange& change) {
  const Bytes key = KeyOf(change.is_static ? RecordKind::kStatic : RecordKind::kRow, change.clustering);
  StoredRow before;
  size_t bytes_before = 0;
  Bytes stored_record;
  references_before_.clear();
  WR_RETURN_IF_ERROR(LoadRow(key, change.clustering, before, bytes_before, stored_record));
  if (stored_record.empty() && change.incoming == nullptr) return OkStatus();
  const bool had_content = !stored_record.empty() && HasContent(before);
  WR_RETURN_IF_ERROR(LoadTiedSpills(change, before));

  std::vector<Cell> elements;
  StoredRow after;
  after.spilled = before.spilled;
  if (change.incoming != nullptr) {
    RowFragment incoming = SplitOffSpilledElements(std::move(*change.incoming), before, elements);
    // SettleSpills reads before.content only if the row has spilled columns. Otherwise the content can be moved.
    RowFragment content = before.spilled.empty() ? std::move(before.content) : before.content;
    after.content = MergeRows(columns_, std::move(content), std::move(incoming));
  } else {
    after.content = before.content;
  }
  ApplyDeletion(after.content, change.covering);
  WR_RETURN_IF_ERROR(SettleSpills(change, before, elements, after));
  if (change.kind == RowChange::Kind::kPurge) WR_RETURN_IF_ERROR(PurgeContent(change.clustering, after));
  WR_RETURN_IF_ERROR(SpillBigColumns(change.clustering, after));
  if (const std::optional<int64_t> since = EarliestSince(after.content, purge_times_)) NotePurgeable(*since);
  WR_RETURN_IF_ERROR(NoteLargeObjects(after.content));

  size_t bytes_after = 0;
  if (!IsEmpty(after.content) || !after.spilled.empty()) {
    const Bytes record = EncodeRow(after, columns_);
    bytes_after = key.size() + record.size();
    if (record != stored_record) WR_RETURN_IF_ERROR(context_.Put(key, record));
  } else if (!stored_record.empty()) {
    WR_RETURN_IF_ERROR(context_.Delete(key));
  }
  bytes_delta_ += static_cast<int64_t>(bytes_after) - static_cast<int64_t>(bytes_before);
  if (!change.is_static) rows_delta_ += (bytes_after > 0 && HasContent(after) ? 1 : 0) - (had_content ? 1 : 0);
  return OkStatus();
}

// Records the large objects to which the row begins to refer, and those to which it no longer refers.
Status PartitionWriter::NoteLargeObjects(const RowFragment& after) {
  const std::vector<LargeReference> references = LargeReferencesOf(after);
  if (references.empty() && references_before_.empty()) [[likely]]
    return OkStatus();
  for (const LargeReference& reference : references) {
    if (Contains(references_before_, reference)) continue;
    WR_RETURN_IF_ERROR(DropLooseObject(context_.txn(), reference.object));
    context_.state().objects_stored.push_back(reference.object);
  }
  for (const LargeReference& reference : references_before_) {
    if (Contains(references, reference)) continue;
    WR_RETURN_IF_ERROR(StoreLooseObject(context_.txn(), reference.object, prefix_));
    context_.state().objects_removed.push_back({reference.object, prefix_});
  }
  return OkStatus();
}

// Changes the spilled records so that they fit the merged row.
Status PartitionWriter::SettleSpills(const RowChange& change, const StoredRow& before,
                                     const std::vector<Cell>& elements, StoredRow& after) {
  std::vector<SpilledColumn> kept;
  for (const SpilledColumn& spilled : before.spilled) {
    bool stays = true;
    if (spilled.multi_cell) {
      WR_RETURN_IF_ERROR(SettleElements(change, before, spilled.column, elements, after, stays));
    } else {
      // If the timestamp has not changed, the cell is still the spilled one. No incoming cell with the same timestamp
      // can have replaced it: for such a cell LoadTiedSpills has read the spilled cell back, and the column is not
      // spilled any more.
      const Cell* cell = FindCell(after.content.cells, spilled.column);
      const Cell* old = FindCell(before.content.cells, spilled.column);
      stays = cell != nullptr && old != nullptr && cell->timestamp == old->timestamp;
      if (!stays) WR_RETURN_IF_ERROR(spills_.DeleteColumn(change.clustering, spilled.column));
    }
    if (stays) kept.push_back(spilled);
  }
  after.spilled = std::move(kept);
  return OkStatus();
}

// Removes content that is due (purge_times.h). Must be called after the deletions of the row have been applied to all
// of its content, because it may remove these deletions.
Status PartitionWriter::PurgeContent(ByteView clustering, StoredRow& row) {
  DropPurgeable(row.content, purge_times_);
  std::vector<SpilledColumn> kept;
  for (const SpilledColumn& spilled : row.spilled) {
    if (spilled.multi_cell || FindCell(row.content.cells, spilled.column) != nullptr) {
      kept.push_back(spilled);
    } else {
      WR_RETURN_IF_ERROR(spills_.DeleteColumn(clustering, spilled.column));
    }
  }
  row.spilled = std::move(kept);
  return OkStatus();
}

Status PartitionWriter::SettleElements(const RowChange& change, const StoredRow& before, ColumnId column,
                                       const std::vector<Cell>& elements, const StoredRow& after, bool& any_left) {
  const DeletionTime old_deletion = DeletionOf(before.content, column);
  const DeletionTime deletion = Newer(DeletionOf(after.content, column), change.covering);
  any_left = true;
  // Elements that the stored deletions cover have been removed already. So the elements are read only if there is a
  // newer deletion.
  const bool deletes_more =
      change.kind == RowChange::Kind::kDelete || deletion.timestamp > Newer(old_deletion, change.covering).timestamp;
  if (change.kind == RowChange::Kind::kPurge) {
    WR_ASSIGN_OR_RETURN(any_left, spills_.AnyElement(change.clustering, column));
  } else if (deletes_more) {
    WR_ASSIGN_OR_RETURN(any_left, spills_.FilterElements(change.clustering, column, deletion));
  }
  for (const Cell& element : elements) {
    if (element.column != column || deletion.Deletes(element.timestamp)) continue;
    WR_ASSIGN_OR_RETURN(const std::optional<Cell> stored, spills_.Get(change.clustering, column, element.path));
    any_left = true;
    if (element.tombstone || element.ttl != 0) NotePurgeable(purge_times_.SinceOf(element));
    if (stored.has_value() && !CellWins(element, *stored)) continue;
    WR_RETURN_IF_ERROR(spills_.Put(change.clustering, element));
  }
  return OkStatus();
}

Status PartitionWriter::SpillBigColumns(ByteView clustering, StoredRow& row) {
  std::vector<Cell>& cells = row.content.cells;
  std::vector<SpilledColumn> added;
  for (auto begin = cells.begin(); begin != cells.end();) {
    const ColumnId column = begin->column;
    auto end = begin;
    size_t bytes = 0;
    for (; end != cells.end() && end->column == column; ++end) bytes += end->path.size() + end->value.size();
    const bool multi_cell = columns_.multi_cell(column);
    if (bytes > kInlineBytesMax) {
      added.push_back({column, multi_cell, multi_cell ? 0 : begin->value.size()});
      for (auto cell = begin; cell != end; ++cell) WR_RETURN_IF_ERROR(spills_.Put(clustering, *cell));
      if (multi_cell) {
        for (auto cell = begin; cell != end; ++cell) {
          if (cell->tombstone || cell->ttl != 0) NotePurgeable(purge_times_.SinceOf(*cell));
        }
        end = cells.erase(begin, end);
      } else {
        begin->value.clear();
      }
    }
    begin = end;
  }
  if (added.empty()) return OkStatus();
  row.spilled.insert(row.spilled.end(), added.begin(), added.end());
  std::sort(row.spilled.begin(), row.spilled.end(),
            [](const SpilledColumn& a, const SpilledColumn& b) { return a.column < b.column; });
  return OkStatus();
}

}  // namespace widerow
