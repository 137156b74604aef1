#include "exec/scan/bound_access.h"

#include "base/limits.h"
#include "base/overloaded.h"
#include "exec/bind/bind.h"
#include "exec/bind/bind_ranges.h"
#include "exec/derived/index_entries.h"

namespace widerow {
namespace {

bool Restricts(const TokenBounds& bounds) { return bounds.lower || bounds.upper; }

Result<BoundAccess> BindPartitions(const TableSchema& table, const std::vector<KeyValues>& keys,
                                   const ClusteringSelection& clustering, const EvaluationContext& context) {
  PartitionsByKey partitions;
  WR_ASSIGN_OR_RETURN(partitions.keys, BindPartitionKeys(table, keys, context));
  if (partitions.keys.empty()) return BoundAccess{.rows = std::move(partitions)};
  if (!clustering.all()) { WR_ASSIGN_OR_RETURN(partitions.ranges, BindClustering(table, clustering, context)); }
  const size_t ranges = partitions.ranges ? partitions.ranges->size() : 1;
  WR_RETURN_IF_ERROR(CheckInProduct(partitions.keys.size() * ranges, 0, "slices"));
  const bool any = !partitions.ranges || !partitions.ranges->empty();
  if (any) WR_RETURN_IF_ERROR(RefuseEmptyKeys(partitions.keys));
  return BoundAccess{.rows = std::move(partitions)};
}

Result<BoundAccess> BindTokenScan(const TokenBounds& bounds, const EvaluationContext& context) {
  WR_ASSIGN_OR_RETURN(const auto tokens, BindTokens(bounds, context));
  if (!tokens) return BoundAccess{};
  return BoundAccess{.rows = PartitionsByToken{.tokens = *tokens}};
}

Result<BoundAccess> BindKeyScan(const SelectPlan& plan, const KeyRangeScan& scan, const EvaluationContext& context) {
  const TableSchema& table = *plan.table;
  const bool merged = plan.key_order && table.partitioning.kind != PartitionKind::kRange;
  WR_ASSIGN_OR_RETURN(std::vector<StoredKeyRange> ranges, BindKeyRange(table, scan, merged, context));
  if (merged && ranges.size() > limits::kFanOutMax) {
    return InvalidError("ORDER BY would merge " + std::to_string(ranges.size()) + " partitions",
                        "at most " + std::to_string(limits::kFanOutMax) + " in one statement");
  }
  BoundAccess access;
  if (Restricts(scan.tokens)) {
    WR_ASSIGN_OR_RETURN(access.tokens_shown, BindTokens(scan.tokens, context));
    if (!access.tokens_shown) ranges.clear();
  }
  if (merged)
    access.rows = MergedKeyRanges{.ranges = std::move(ranges)};
  else
    access.rows = KeyRanges{.ranges = std::move(ranges)};
  return access;
}

// Cassandra turns some conditions of the filter into slices of the partitions. These conditions are bound as slices
// here too, so that they give Cassandra's errors.
Status BindAlso(const SelectPlan& plan, const EvaluationContext& context) {
  if (!plan.also_bound) return OkStatus();
  Result<std::vector<ClusteringRange>> ranges = BindClustering(*plan.table, *plan.also_bound, context);
  return ranges.ok() ? OkStatus() : Status(std::move(ranges).error());
}

// Restricts the entries of one partition to those from the beginning of its first clustering range to the end of its
// last one. Entries between two ranges are included. Returns false if there are no ranges: no row can match.
Result<bool> RestrictEntries(const SelectPlan& plan, const EvaluationContext& context, const Bytes& key,
                             EntryBounds& entries) {
  WR_ASSIGN_OR_RETURN(const std::vector<ClusteringRange> ranges,
                      BindClustering(*plan.table, *plan.also_bound, context));
  if (ranges.empty()) return false;
  entries.begin = EntryClustering(*plan.table, key, false, ranges.front().begin);
  const ClusteringRange& last = ranges.back();
  if (last.exact)
    entries.end = EntryClustering(*plan.table, key, false, last.begin) + '\0';
  else if (last.end)
    entries.end = EntryClustering(*plan.table, key, false, *last.end);
  return true;
}

Result<BoundAccess> BindIndexScan(const SelectPlan& plan, const IndexScan& scan, const EvaluationContext& context) {
  const TableSchema& table = *plan.table;
  RowsByIndex rows;
  std::vector<Bytes> keys;
  if (!scan.partition_key.empty()) { WR_ASSIGN_OR_RETURN(keys, BindPartitionKeys(table, scan.partition_key, context)); }
  WR_RETURN_IF_ERROR(BindAlso(plan, context));
  for (const IndexCondition& condition : scan.conditions) {
    WR_ASSIGN_OR_RETURN(std::optional<BoundIndexCondition> bound, BindIndexCondition(table, condition, context));
    if (bound) rows.conditions.push_back(std::move(*bound));
  }
  bool any = rows.conditions.size() == scan.conditions.size();
  if (scan.order) {
    WR_ASSIGN_OR_RETURN(rows.order, BindOrder(plan.table, *scan.order, context));
    any = any && rows.order;
  }
  if (scan.nearest) { WR_ASSIGN_OR_RETURN(rows.nearest, BindNearest(table, *scan.nearest, context)); }
  WR_ASSIGN_OR_RETURN(const auto tokens, BindTokens(scan.tokens, context));
  any = any && tokens.has_value();
  if (tokens) rows.tokens = *tokens;
  if (scan.partition_key.empty()) {
    rows.entries = EntriesOfTokens(table, rows.tokens);
  } else {
    WR_RETURN_IF_ERROR(RefuseEmptyKeys(keys));
    any = any && keys.size() == 1;
    if (any) {
      ClusteringRange range = EntriesOfPartition(table, keys[0]);
      rows.entries = {.begin = std::move(range.begin), .end = std::move(range.end)};
      const bool of_rows = rows.nearest && rows.nearest->column.kind != ColumnKind::kStatic;
      if (of_rows && plan.also_bound) {
        WR_ASSIGN_OR_RETURN(any, RestrictEntries(plan, context, keys[0], rows.entries));
      }
      rows.partition = std::move(keys[0]);
    }
  }
  if (!any) return BoundAccess{};
  BoundAccess access;
  if (!table.partitioning.by_token() && Restricts(scan.tokens)) access.tokens_shown = tokens;
  access.rows = std::move(rows);
  return access;
}

}  // namespace

Result<BoundAccess> BindAccess(const SelectPlan& plan, const EvaluationContext& context) {
  const auto partitions = [&](const auto& path) {
    return BindPartitions(*plan.table, path.partition_key, path.clustering, context);
  };
  const auto tokens = [&](const auto& path) -> Result<BoundAccess> {
    WR_RETURN_IF_ERROR(BindAlso(plan, context));
    return BindTokenScan(path.bounds, context);
  };
  WR_ASSIGN_OR_RETURN(BoundAccess access,
                      std::visit(Overloaded{
                                     [&](const PointLookup& path) { return partitions(path); },
                                     [&](const PartitionSlice& path) { return partitions(path); },
                                     [&](const MultiPartition& path) { return partitions(path); },
                                     [&](const MergedPartitions&) -> Result<BoundAccess> {
                                       return ServerError("merged partitions are not scanned one by one");
                                     },
                                     [&](const TokenScan& path) { return tokens(path); },
                                     [&](const FilteredScan& path) { return tokens(path); },
                                     [&](const KeyRangeScan& path) -> Result<BoundAccess> {
                                       WR_RETURN_IF_ERROR(BindAlso(plan, context));
                                       return BindKeyScan(plan, path, context);
                                     },
                                     [&](const IndexScan& path) { return BindIndexScan(plan, path, context); },
                                 },
                                 plan.access));
  for (const IndexLookup& lookup : plan.unread_lookups) {
    WR_RETURN_IF_ERROR(CheckLookup(*plan.table, lookup, context));
  }
  return access;
}

bool BoundAccess::names_partitions() const {
  const auto* const partitions = std::get_if<PartitionsByKey>(&rows);
  return partitions != nullptr && !partitions->keys.empty();
}

bool BoundAccess::reads_nothing() const {
  const auto* const partitions = std::get_if<PartitionsByKey>(&rows);
  if (partitions == nullptr) return std::holds_alternative<NoRows>(rows);
  return partitions->keys.empty() || (partitions->ranges && partitions->ranges->empty());
}

void BoundAccess::Reopen() {
  std::visit(Overloaded{
                 [](NoRows&) {},
                 [](PartitionsByKey& partitions) { --partitions.next; },
                 [](KeyRanges&) {},  // Nothing to do: OpenNext finds the range that contains the resume point.
                 [](auto& rows) { rows.opened = false; },
             },
             rows);
}

}  // namespace widerow
