#include "exec/derived/maintenance.h"

#include "base/text.h"
#include "exec/derived/unique_check.h"

namespace widerow {
namespace {

void AppendRow(const TablePtr& table, const DerivedRow& key, RowFragment content, Mutation& out) {
  PartitionMutation partition{.table = table, .partition_key = key.partition_key};
  content.kept_clustering = key.kept_clustering;
  partition.rows.push_back({.is_static = false, .clustering = key.clustering, .content = std::move(content)});
  out.push_back(std::move(partition));
}

std::strong_ordering Order(const DerivedRow& a, const DerivedRow& b) {
  return std::tie(a.partition_key, a.clustering) <=> std::tie(b.partition_key, b.clustering);
}

bool SameContent(const DerivedRow& a, const DerivedRow& b) {
  return a.ttl == b.ttl && (a.ttl == 0 || a.expires_at == b.expires_at) && a.kept_clustering == b.kept_clustering &&
         a.values == b.values;
}

}  // namespace

void AppendDerivedChanges(const TablePtr& table, const std::vector<DerivedRow>& before,
                          const std::vector<DerivedRow>& after, int64_t timestamp, int64_t now_seconds, Mutation& out) {
  const auto remove = [&](const DerivedRow& key) {
    RowFragment content;
    content.deletion = {timestamp, now_seconds};
    AppendRow(table, key, std::move(content), out);
  };
  const auto write = [&](const DerivedRow& key) {
    RowFragment content;
    content.marker = {.timestamp = timestamp, .ttl = key.ttl, .expires_at = key.expires_at};
    ColumnId column = table->partition_key_size + table->clustering_size;
    for (const Bytes& value : key.values) {
      content.cells.push_back(
          {.column = column++, .timestamp = timestamp, .ttl = key.ttl, .expires_at = key.expires_at, .value = value});
    }
    AppendRow(table, key, std::move(content), out);
  };
  auto was = before.begin();
  auto is = after.begin();
  while (was != before.end() || is != after.end()) {
    const auto order = was == before.end() ? std::strong_ordering::greater
                       : is == after.end() ? std::strong_ordering::less
                                           : Order(*was, *is);
    if (order < 0) {
      remove(*was++);
    } else if (order > 0) {
      write(*is++);
    } else {
      if (!SameContent(*was, *is)) write(*is);
      ++was;
      ++is;
    }
  }
}

const DerivedMaintenance::Derivations& DerivedMaintenance::DerivationsFor(const TablePtr& table,
                                                                          const SchemaPtr& schema) {
  if (schema != schema_) {
    derivations_.clear();
    schema_ = schema;
  }
  const auto [found, added] = derivations_.try_emplace(table.get());
  if (added) found->second = DerivationsOf(table, *schema);
  return found->second;
}

void DerivedMaintenance::Begin() {
  rows_.clear();
  rows_of_ranges_ = 0;
  dead_rows_ = 0;
  bytes_ = 0;
}

Status DerivedMaintenance::CountBytes(const TableSchema& table, const DerivedRows& derived) {
  // A derived row takes this much memory besides its key until it is encoded.
  constexpr size_t kRowBytes = sizeof(PartitionMutation) + sizeof(RowMutation);
  for (const DerivedRow& row : derived.rows) {
    bytes_ += kRowBytes + row.partition_key.size() + row.clustering.size();
    for (const Bytes& value : row.values) bytes_ += sizeof(Cell) + value.size();
  }
  if (bytes_ <= bytes_max_) return OkStatus();
  return InvalidError(StrCat("The rows of indexes and views that a write to ", table.keyspace, ".", table.name,
                             " changes take at least ", bytes_, " bytes, and the maximum is ", bytes_max_),
                      "write it in parts");
}

Status DerivedMaintenance::NoteRow(const TouchedRows& touched, const Derivations& derivations, bool is_static,
                                   ByteView clustering, RowView* row) {
  const auto [noted, added] =
      rows_.try_emplace(Place(touched.table->storage_id, touched.partition_key, is_static, clustering));
  if (!added) return OkStatus();
  noted->second.table = touched.table;
  if (row != nullptr) row->ExpandUniform();
  const BaseRow base{*touched.table, touched.partition_key, is_static, clustering, row};
  for (const DerivationPtr& derivation : derivations) {
    WR_ASSIGN_OR_RETURN(noted->second.keys.emplace_back(), SortedKeysOf(*derivation, base));
    WR_RETURN_IF_ERROR(CountBytes(*touched.table, noted->second.keys.back()));
  }
  return OkStatus();
}

Status DerivedMaintenance::NoteNamed(ReadView& view, const TouchedRows& touched, const Derivations& derivations,
                                     bool is_static, ByteView clustering) {
  if (rows_.contains(Place(touched.table->storage_id, touched.partition_key, is_static, clustering))) return OkStatus();
  RowView row;
  WR_ASSIGN_OR_RETURN(const bool found, is_static
                                            ? view.GetStaticRow(*touched.table, touched.partition_key, row)
                                            : view.GetRow(*touched.table, touched.partition_key, clustering, row));
  return NoteRow(touched, derivations, is_static, clustering, found ? &row : nullptr);
}

Result<bool> DerivedMaintenance::NoteRanges(ReadView& view, const TouchedRows& touched,
                                            const Derivations& derivations) {
  for (size_t i = 0; i < (touched.whole_partition ? 1 : touched.ranges.size()); ++i) {
    Slice slice;
    slice.table = touched.table;
    slice.partitions = Slice::OnePartition{Bytes(touched.partition_key)};
    slice.want_statics = touched.whole_partition && touched.table->has_statics();
    if (!touched.whole_partition) slice.clustering = {touched.ranges[i]};
    slice.shows_dead = true;
    if (rows_of_ranges_ >= rows_max_ || dead_rows_ >= kDeadRowsMax) return true;
    WR_ASSIGN_OR_RETURN(const std::unique_ptr<RowCursor> cursor, view.OpenSlice(slice));
    RowView row;
    while (true) {
      WR_ASSIGN_OR_RETURN(const bool more, cursor->Next(row));
      if (!more) break;
      if (row.empty()) {
        dead_rows_ += Slice::kDeadRowsStep;
        if (dead_rows_ >= kDeadRowsMax) return true;
        continue;
      }
      if (rows_of_ranges_ >= rows_max_) return true;
      ++rows_of_ranges_;
      const Bytes clustering(row.clustering);
      WR_RETURN_IF_ERROR(NoteRow(touched, derivations, row.is_static, clustering, &row));
    }
  }
  return false;
}

Result<bool> DerivedMaintenance::Before(ReadView& view, const SchemaPtr& schema, const TouchedRows& touched) {
  const Derivations& derivations = DerivationsFor(touched.table, schema);
  if (derivations.empty()) return false;
  if (touched.static_row) WR_RETURN_IF_ERROR(NoteNamed(view, touched, derivations, true, {}));
  for (const ByteView clustering : touched.rows) {
    WR_RETURN_IF_ERROR(NoteNamed(view, touched, derivations, false, clustering));
  }
  if (!touched.whole_partition && touched.ranges.empty()) return false;
  return NoteRanges(view, touched, derivations);
}

Result<DerivedChanges> DerivedMaintenance::After(ReadView& view, const SchemaPtr& schema) {
  DerivedChanges derived;
  if (rows_.empty()) return derived;
  const int64_t timestamp = storage_.NextTimestampMicros();
  const int64_t now_seconds = storage_.clock().NowSeconds();
  UniqueCheck unique(now_seconds);
  for (const auto& [place, before] : rows_) {
    const auto& [storage_id, partition_key, is_static, clustering] = place;
    const Derivations& derivations = DerivationsFor(before.table, schema);
    RowView row;
    WR_ASSIGN_OR_RETURN(const bool found, is_static ? view.GetStaticRow(*before.table, partition_key, row)
                                                    : view.GetRow(*before.table, partition_key, clustering, row));
    row.ExpandUniform();
    const BaseRow base{*before.table, partition_key, is_static, clustering, found ? &row : nullptr};
    for (size_t i = 0; i < derivations.size(); ++i) {
      WR_ASSIGN_OR_RETURN(const DerivedRows after, SortedKeysOf(*derivations[i], base));
      // If the base row already had a derived row with a too long key (DerivedRows::left_out), the write may proceed.
      if (after.left_out && !before.keys[i].left_out) return *after.left_out;
      WR_RETURN_IF_ERROR(CountBytes(*before.table, after));
      AppendDerivedChanges(derivations[i]->table(), before.keys[i].rows, after.rows, timestamp, now_seconds,
                           derived.changes);
      if (derivations[i]->uniqueness() == Uniqueness::kNone) [[likely]]
        continue;
      unique.Add(derivations[i], {before.table, partition_key, is_static, clustering}, before.keys[i].rows, after.rows);
    }
  }
  rows_.clear();
  WR_ASSIGN_OR_RETURN(const std::optional<SharedValue> shared, unique.Find(view));
  if (shared) derived.conflict = ConflictOf(*shared);
  return derived;
}

}  // namespace widerow
