// CheckFiltering calls CheckIndexed if an index might serve the statement, else CheckUnindexed. Both make Cassandra's
// checks in Cassandra's order.
#include "planner/access/filtering_rules.h"

#include <algorithm>

#include "planner/access/key_hint.h"

namespace widerow {
namespace {

using Kind = KeyRestriction::Kind;

// Returns where the first restriction that needs a filter is in the statement's text.
std::optional<SourceRange> FaultyRange(const TableSchema& table, const GroupedWhere& where) {
  if (!where.filters.empty()) return where.filters[0].range;
  if (!where.regular.empty()) return where.regular[0].range;
  for (const KeyRestriction& key : where.partition) {
    if (key.kind == Kind::kSlice) return key.range;
  }
  if (!where.clustering.empty() && where.partition.size() < table.partition_key_size) return where.clustering[0].range;
  if (!where.partition.empty()) return where.partition[0].range;
  return std::nullopt;
}

Error NeedsFiltering(const TableSchema& table, const GroupedWhere& where) {
  Error error = InvalidError(kNeedsFiltering, KeyHint(table, where, true));
  for (const FilterRestriction& filter : where.filters) {
    if (filter.refusal.empty()) continue;
    error.message = filter.refusal;
    error.range = filter.range;
    return error;
  }
  error.range = FaultyRange(table, where);
  return error;
}

bool HasContains(ColumnKind kind, const TableSchema& table, const GroupedWhere& where) {
  return std::any_of(where.filters.begin(), where.filters.end(), [&](const FilterRestriction& filter) {
    return filter.kind == FilterRestriction::Kind::kContains && table.columns[filter.columns[0]].kind == kind;
  });
}

// Refuses restrictions on clustering columns if only static columns are selected.
Status CheckStatics(const TableSchema& table, const GroupedWhere& where, const AccessRequest& request) {
  const bool contains = HasContains(ColumnKind::kClustering, table, where);
  if (!request.only_statics_selected || (where.clustering.empty() && !contains)) return OkStatus();
  return InvalidAt(where.clustering.empty() ? where.filters[0].range : where.clustering[0].range,
                   "Cannot restrict clustering columns when selecting only static columns");
}

// True if all clustering restrictions together choose the rows to read (SelectionOf), so that none of them must filter.
bool SaysWhereToRead(const TableSchema& table, const GroupedWhere& where) {
  size_t used = 0;
  (void)SelectionOf(where.clustering, table, used);
  return used == where.clustering.size() && !HasContains(ColumnKind::kClustering, table, where);
}

// Returns the restrictions on key columns by which Cassandra must filter. Those on the partition key are among them if
// they do not give the whole partition key. Those on clustering columns are among them if run.filters_clustering is
// true.
std::vector<const KeyRestriction*> FilteredKeys(const TableSchema& table, const GroupedWhere& where,
                                                const CassandraRun& run) {
  std::vector<const KeyRestriction*> keys;
  if (!WholePartitionKey(table, where)) {
    for (const KeyRestriction& key : where.partition) keys.push_back(&key);
  }
  if (!run.filters_clustering) return keys;
  for (const KeyRestriction& key : where.clustering) keys.push_back(&key);
  return keys;
}

// Checks a statement that may use an index.
Result<CassandraRun> CheckIndexed(const TableSchema& table, const GroupedWhere& where, const AccessRequest& request,
                                  const IndexChoice& indexes) {
  CassandraRun run;
  const bool whole = WholePartitionKey(table, where);
  if (!whole && where.token_sources.empty()) run.uses_index = true;
  WR_RETURN_IF_ERROR(CheckStatics(table, where, request));
  run.uses_index = run.uses_index || !SaysWhereToRead(table, where) || (!whole && indexes.any_on_clustering());
  run.filters_clustering = run.uses_index;
  run.uses_index = run.uses_index || !where.regular.empty() || !where.filters.empty();
  if (run.uses_index) WR_RETURN_IF_ERROR(RefuseIndexedIn(where));
  if (request.allow_filtering || (whole && !run.uses_index)) return run;
  const std::vector<const KeyRestriction*> keys = FilteredKeys(table, where, run);
  const bool nothing = keys.empty() && where.regular.empty() && where.filters.empty();
  if (!nothing && !indexes.ServesAll(keys, request.nearest.has_value()))
    run.needs_filtering = NeedsFiltering(table, where);
  return run;
}

// Checks a statement that can use no index.
Result<CassandraRun> CheckUnindexed(const TableSchema& table, const GroupedWhere& where, const AccessRequest& request) {
  CassandraRun run;
  const bool filtering = request.allow_filtering, by_key = ReadsByKeyOrder(table, where);
  const bool on_key = !where.partition.empty() || HasContains(ColumnKind::kPartitionKey, table, where);
  if (!by_key && on_key && !WholePartitionKey(table, where) && !filtering) return NeedsFiltering(table, where);
  WR_RETURN_IF_ERROR(CheckStatics(table, where, request));
  if (filtering) return run;
  if (HasContains(ColumnKind::kClustering, table, where)) {
    return InvalidAt(where.filters[0].range,
                     "Clustering columns can only be restricted with CONTAINS with a secondary index or filtering",
                     "add ALLOW FILTERING");
  }
  if (!by_key) WR_RETURN_IF_ERROR(CheckClusteringPrefix(table, where));
  if (!where.regular.empty() || !where.filters.empty()) return NeedsFiltering(table, where);
  if (!by_key && !where.clustering.empty() && !WholePartitionKey(table, where))
    run.needs_filtering = NeedsFiltering(table, where);
  return run;
}

}  // namespace

bool ReadsByKeyOrder(const TableSchema& table, const GroupedWhere& where) {
  if (table.partitioning.by_token() || WholePartitionKey(table, where)) return false;
  return table.partitioning.kind == PartitionKind::kRange ||
         (!where.partition.empty() && where.partition[0].first == 0);
}

Status RefuseIndexedIn(const GroupedWhere& where) {
  const auto is_in = [](const KeyRestriction& key) { return key.kind == Kind::kIn; };
  if (std::none_of(where.partition.begin(), where.partition.end(), is_in)) return OkStatus();
  return InvalidAt(where.partition[0].range,
                   "Select on indexed columns and with IN clause for the PRIMARY KEY are not supported",
                   "send one statement a partition");
}

Result<CassandraRun> CheckFiltering(const TableSchema& table, const GroupedWhere& where, const AccessRequest& request,
                                    const IndexChoice& indexes) {
  if (request.nearest) WR_RETURN_IF_ERROR(RefuseIndexedIn(where));
  return indexes.any() ? CheckIndexed(table, where, request, indexes) : CheckUnindexed(table, where, request);
}

}  // namespace widerow
