// system.size_estimates and system.table_estimates. Spark's connector, Hadoop's input format and similar programs use
// them to cut a table into parts. The ring has one token, so there is one range: the whole ring from this token to
// itself.
#include "exec/describe/describe.h"
#include "exec/virtual/generators.h"
#include "types/token.h"

namespace widerow {

namespace {

struct Estimate {
  int64_t partitions = 0;
  int64_t mean_bytes = 0;
};

// If a table has fewer partitions than this, they are counted exactly.
constexpr int64_t kPartitionsSeen = 1'024;
// The number of rows that are read to learn how many rows a partition has.
constexpr int64_t kRowsSeen = 16'384;
constexpr double kRing = 18'446'744'073'709'551'616.0;  // 2^64 tokens.

Slice WholeTable(const TablePtr& table) {
  Slice slice;
  slice.table = table;
  if (table->partitioning.by_token()) {
    slice.partitions = Slice::TokenRange{};
  } else {
    slice.partitions = Slice::KeyRange{};
  }
  slice.want_statics = true;
  return slice;
}

// Estimates the number of partitions of a table that is stored in key order: the number of stored rows divided by the
// mean number of rows in the first partitions. The result is at least kPartitionsSeen.
Result<int64_t> PartitionsFromRows(StorageEngine& storage, const TablePtr& table, ReadView& view) {
  int64_t stored = 0;
  for (const PartitionStats& part : storage.Partitions(*table)) stored += part.rows;
  if (table->clustering_size == 0) return std::max(stored, kPartitionsSeen);
  WR_ASSIGN_OR_RETURN(const std::unique_ptr<RowCursor> cursor, view.OpenSlice(WholeTable(table)));
  Bytes partition;
  int64_t rows = 0, ended = 0, rows_of_ended = 0;
  for (RowView row; rows < kRowsSeen; ++rows) {
    WR_ASSIGN_OR_RETURN(const bool found, cursor->Next(row));
    if (!found) return ended + 1;
    if (rows > 0 && row.partition_key == partition) continue;
    if (rows > 0) ++ended;
    rows_of_ended = rows;
    partition.assign(row.partition_key);
  }
  if (ended == 0) return kPartitionsSeen;
  return std::max(stored * ended / rows_of_ended, kPartitionsSeen);
}

// Tokens are spread evenly: the part of the ring that the first kPartitionsSeen partitions cover gives the total
// number. The error is about three per cent.
int64_t PartitionsFromToken(const RowView& last_seen) {
  const uint64_t passed =
      static_cast<uint64_t>(Murmur3Token(last_seen.partition_key)) - static_cast<uint64_t>(INT64_MIN);
  return static_cast<int64_t>(static_cast<double>(kPartitionsSeen - 1) * (kRing / (static_cast<double>(passed) + 1)));
}

Result<int64_t> CountPartitions(StorageEngine& storage, const TablePtr& table) {
  WR_ASSIGN_OR_RETURN(const std::unique_ptr<ReadView> view, storage.OpenView());
  WR_ASSIGN_OR_RETURN(const std::unique_ptr<RowCursor> cursor, view->OpenSlice(WholeTable(table)));
  RowView row;
  for (int64_t seen = 1; seen <= kPartitionsSeen; ++seen) {
    WR_ASSIGN_OR_RETURN(const bool found, cursor->Next(row));
    if (!found) return seen - 1;
    if (seen < kPartitionsSeen) WR_RETURN_IF_ERROR(cursor->SkipPartition());
  }
  return table->partitioning.by_token() ? PartitionsFromToken(row) : PartitionsFromRows(storage, table, *view);
}

Result<Estimate> EstimateTable(StorageEngine& storage, const TablePtr& table) {
  WR_ASSIGN_OR_RETURN(const int64_t partitions, CountPartitions(storage, table));
  if (partitions == 0) return Estimate();
  int64_t bytes = 0;
  for (const PartitionStats& part : storage.Partitions(*table)) bytes += part.bytes;
  return Estimate{.partitions = partitions, .mean_bytes = std::max<int64_t>(bytes, 0) / partitions};
}

void EachTable(const VirtualContext& context, const std::function<void(const TableSchema&, const Estimate&)>& add) {
  for (const auto& [keyspace_name, keyspace] : context.schema->keyspaces) {
    if (!context.Wants(keyspace_name)) continue;
    for (const auto& [table_name, table] : keyspace->tables) {
      if (IsVirtual(*table)) continue;
      // A table that cannot be read has no estimate; a SELECT of the table reports the error.
      if (const Result<Estimate> estimate = EstimateTable(context.storage, table); estimate.ok())
        add(*table, *estimate);
    }
  }
}

void AddEstimate(const TableSchema& table, const Estimate& estimate, VirtualRows& rows) {
  rows.Add()
      .Text("keyspace_name", table.keyspace)
      .Text("table_name", table.name)
      .Text("range_start", kRingToken)
      .Text("range_end", kRingToken)
      .Integer("mean_partition_size", estimate.mean_bytes)
      .Integer("partitions_count", estimate.partitions);
}

}  // namespace

void SizeEstimatesRows(const VirtualContext& context, VirtualRows& rows) {
  EachTable(context, [&](const TableSchema& table, const Estimate& estimate) { AddEstimate(table, estimate, rows); });
}

void TableEstimatesRows(const VirtualContext& context, VirtualRows& rows) {
  EachTable(context, [&](const TableSchema& table, const Estimate& estimate) {
    for (const char* type : {"primary", "local_primary"}) {
      AddEstimate(table, estimate, rows);
      rows.Text("range_type", type);
    }
  });
}

}  // namespace widerow
