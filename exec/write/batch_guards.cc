#include "exec/write/batch_guards.h"

#include <algorithm>
#include <set>
#include <span>
#include <tuple>

#include "base/bytes_map.h"
#include "base/text.h"
#include "exec/write/held_bytes.h"
#include "planner/counter_rules.h"
#include "storage/reconcile/merge.h"
#include "types/order_codec.h"

namespace widerow {

namespace {

// Constants of Cassandra 5 (PartitionUpdate.dataSize and the functions it calls). A time or an id counts as many bytes
// as it takes in memory.
constexpr size_t kUpdateBytes = 29;     // Per partition of a table: the time of its deletion, and its static row.
constexpr size_t kUpdateRowBytes = 21;  // Per row: the time of its marker, and its deletion.
constexpr size_t kExpiringMarkerBytes = 12;
constexpr size_t kCellBytes = 20;
constexpr size_t kCounterBytes = 28;  // Per counter, besides its 8 bytes: the replica's id and clock.
constexpr size_t kColumnBytes = 12;   // Per multi-cell column: its deletion, even if there is none.
constexpr size_t kRangesBytes = 4, kRangeBytes = 12;

// Returns the size of the values of a clustering, or of one end of a range. `encoded` is the encoding of a clustering.
// The end of a range may also be the successor of such an encoding.
size_t ClusteringBytes(const TableSchema& table, Bytes encoded) {
  size_t bytes = 0;
  ByteView rest = encoded;
  for (uint32_t i = 0; i < table.clustering_size && !rest.empty(); ++i) {
    const ColumnSchema& column = table.clustering(i);
    ByteView next = rest;
    Result<Value> value = TakeComparable(*column.type, column.descending, next);
    if (!value.ok()) {
      --encoded.back();
      next = rest;
      value = TakeComparable(*column.type, column.descending, next);
      if (!value.ok()) return bytes + rest.size();  // `encoded` succeeds an encoding that ended in 0xFF.
    }
    if (*value) bytes += (*value)->size();
    rest = next;
  }
  return bytes;
}

size_t ClusteringBytes(const TableSchema& table, const RowMutation& row) {
  size_t bytes = ClusteringBytes(table, row.clustering);
  if (row.content.kept_clustering.empty()) return bytes;
  ByteView rest = row.clustering;
  uint32_t at = 0;
  for (const auto& [column, kept] : row.content.kept_clustering) {
    for (; at < column; ++at) (void)SkipComparable(*table.clustering(at).type, table.clustering(at).descending, rest);
    const Result<Value> decoded = TakeComparable(*table.clustering(at).type, table.clustering(at).descending, rest);
    ++at;
    if (decoded.ok() && *decoded) bytes = bytes - (*decoded)->size() + kept.size();
  }
  return bytes;
}

size_t ContentBytes(const TableColumns& columns, const RowFragment& row, bool counters) {
  size_t bytes = row.marker.present() && row.marker.ttl != 0 ? kExpiringMarkerBytes : 0;
  std::set<ColumnId> multi_cell;
  for (const ColumnDeletion& deletion : row.column_deletions) multi_cell.insert(deletion.column);
  for (const Cell& cell : row.cells) {
    bytes += kCellBytes + cell.path.size() + cell.value.size();
    if (counters && !cell.tombstone) bytes += kCounterBytes;
    if (columns.multi_cell(cell.column)) multi_cell.insert(cell.column);
  }
  return bytes + kColumnBytes * multi_cell.size();
}

// Merges the changes of several statements to one row.
RowFragment Merged(const TableColumns& columns, std::span<const RowMutation* const> rows) {
  RowFragment merged = rows[0]->content;
  for (const RowMutation* row : rows.subspan(1)) merged = MergeRows(columns, std::move(merged), row->content);
  return merged;
}

// Returns the size of all changes to one partition of one table.
size_t UpdateBytes(std::span<const PartitionMutation* const> parts) {
  const TableSchema& table = *parts[0]->table;
  const TableColumns columns(parts[0]->table);
  const bool counters = IsCounterTable(table);
  std::vector<const RowMutation*> rows;
  size_t bytes = kUpdateBytes, ranges = 0;
  for (const PartitionMutation* part : parts) {
    for (const RowMutation& row : part->rows) rows.push_back(&row);
    for (const RangeDeletion& deletion : part->range_deletions) {
      bytes += kRangeBytes + ClusteringBytes(table, deletion.range.begin);
      if (deletion.range.end) bytes += ClusteringBytes(table, *deletion.range.end);
      ++ranges;
    }
  }
  if (ranges > 0) bytes += kRangesBytes;
  const auto place = [](const RowMutation* row) { return std::tie(row->is_static, row->clustering); };
  std::stable_sort(rows.begin(), rows.end(),
                   [&](const RowMutation* a, const RowMutation* b) { return place(a) < place(b); });
  for (auto row = rows.begin(); row != rows.end();) {
    const auto next =
        std::find_if(row, rows.end(), [&](const RowMutation* other) { return place(other) != place(*row); });
    if (!(*row)->is_static) bytes += kUpdateRowBytes + ClusteringBytes(table, **row);
    bytes += next - row == 1 ? ContentBytes(columns, (*row)->content, counters)
                             : ContentBytes(columns, Merged(columns, std::span(row, next)), counters);
    row = next;
  }
  return bytes;
}

// Returns " [ks.a]" for one table and "s [ks.a, ks.b]" for several, without duplicates, in order of appearance.
// (Cassandra's order is that of a hash set.)
std::string TableList(const std::vector<TablePtr>& tables) {
  std::vector<std::string> names;
  for (const TablePtr& table : tables) {
    std::string name = table->keyspace + "." + table->name;
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
  }
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "[" : ", ") + name;
  return (names.size() == 1 ? " " : "s ") + list + "]";
}

// True if all changes are to one partition of one keyspace. Cassandra makes one mutation of such a batch, and checks
// only batches of several mutations.
bool IsOneMutation(const Mutation& mutation) {
  return std::all_of(mutation.begin(), mutation.end(), [&](const PartitionMutation& part) {
    return part.partition_key == mutation[0].partition_key && part.table->keyspace == mutation[0].table->keyspace;
  });
}

Status CheckSize(const Mutation& mutation, const std::string& tables, std::vector<std::string>& warnings) {
  const size_t bytes = DataSize(mutation);
  if (bytes > kBatchSizeFailBytes) {
    return InvalidError("Batch too large", StrCat("over several partitions a batch may have ", kBatchSizeFailBytes,
                                                  " bytes (batch_size_fail_threshold), this one has ", bytes,
                                                  ": send one batch a partition, or smaller ones"));
  }
  if (bytes > kBatchSizeWarnBytes) {
    warnings.push_back(StrCat("Batch for ", tables, " is of size ", bytes, ", exceeding specified threshold of ",
                              kBatchSizeWarnBytes, " by ", bytes - kBatchSizeWarnBytes, "."));
  }
  return OkStatus();
}

Status CheckMutation(BatchStatement::Kind kind, const Mutation& mutation, std::vector<std::string>& warnings) {
  if (IsOneMutation(mutation)) return OkStatus();
  std::vector<TablePtr> tables;
  ByteViewSet keys;
  for (const PartitionMutation& part : mutation) {
    if (tables.empty() || tables.back() != part.table) tables.push_back(part.table);
    keys.insert(part.partition_key);
  }
  const std::string list = TableList(tables);
  WR_RETURN_IF_ERROR(CheckSize(mutation, list.substr(list.find('[')), warnings));
  if (kind != BatchStatement::Kind::kLogged && keys.size() > kUnloggedPartitionsWarn) {
    warnings.push_back(
        StrCat("Unlogged batch covering ", keys.size(), " partitions detected against table", list,
               ". You should use a logged batch for atomicity, or asynchronous writes for performance."));
  }
  return OkStatus();
}

void WarnOfShortGrace(const std::vector<TablePtr>& tables, std::vector<std::string>& warnings) {
  std::vector<TablePtr> without;
  std::copy_if(tables.begin(), tables.end(), std::back_inserter(without),
               [](const TablePtr& table) { return table->options.gc_grace_seconds == 0; });
  if (without.empty()) return;
  warnings.push_back(
      "Executing a LOGGED BATCH on table" + TableList(without) +
      ", configured with a gc_grace_seconds of 0. The gc_grace_seconds is used to TTL batchlog entries, so "
      "setting gc_grace_seconds too low on tables involved in an atomic batch might cause batchlog entries "
      "to expire before being replayed.");
}

}  // namespace

size_t DataSize(const Mutation& mutation) {
  std::vector<const PartitionMutation*> parts;
  for (const PartitionMutation& part : mutation) parts.push_back(&part);
  const auto place = [](const PartitionMutation* part) { return std::tie(part->table, part->partition_key); };
  std::stable_sort(parts.begin(), parts.end(),
                   [&](const PartitionMutation* a, const PartitionMutation* b) { return place(a) < place(b); });
  size_t bytes = 0;
  for (auto part = parts.begin(); part != parts.end();) {
    const auto next =
        std::find_if(part, parts.end(), [&](const PartitionMutation* other) { return place(other) != place(*part); });
    bytes += UpdateBytes(std::span(part, next));
    part = next;
  }
  return bytes;
}

Status GuardBatch(BatchStatement::Kind kind, const std::vector<TablePtr>& tables, Write& write,
                  std::vector<std::string>& warnings) {
  if (kind == BatchStatement::Kind::kLogged) WarnOfShortGrace(tables, warnings);
  if (!write.decide) return CheckMutation(kind, write.mutation, warnings);
  write.decide_bytes += HeldBytes(write.mutation);
  write.decide = [kind, decide = std::move(write.decide), given = write.mutation, &warnings,
                  before = warnings.size()](ReadView& view) -> Result<Mutation> {
    WR_ASSIGN_OR_RETURN(Mutation decided, decide(view));
    Mutation all = given;
    all.insert(all.end(), decided.begin(), decided.end());
    warnings.resize(before);  // The writer may run the decide step again.
    WR_RETURN_IF_ERROR(CheckMutation(kind, all, warnings));
    return decided;
  };
  return OkStatus();
}

}  // namespace widerow
