// ChooseAccessPath first applies Cassandra's checks, in Cassandra's order: CheckIndexed if an index might serve the
// statement, else CheckUnindexed. Then it takes the first path that fits: by index, by the whole partition key, by a
// scan of a table stored by token, or by a range of keys in order. Each By…() function builds one kind of path and puts
// every restriction that the path does not serve into the filter.
#include "planner/access/choose_access_path.h"

#include <algorithm>

#include "planner/access/key_hint.h"
#include "planner/where/index_choice.h"

namespace widerow {
namespace {

using Kind = KeyRestriction::Kind;

constexpr const char* kNeedsFiltering =
    "Cannot execute this query as it might involve data filtering and thus may have unpredictable performance. If you "
    "want to execute this query despite the performance unpredictability, use ALLOW FILTERING";

// Returns the range of the restriction that needs a filter.
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

bool WholePartitionKey(const TableSchema& table, const GroupedWhere& where) {
  return where.partition.size() == table.partition_key_size &&
         std::none_of(where.partition.begin(), where.partition.end(),
                      [](const KeyRestriction& key) { return key.kind == Kind::kSlice; });
}

bool HasClusteringContains(const TableSchema& table, const GroupedWhere& where) {
  return std::any_of(where.filters.begin(), where.filters.end(), [&](const FilterRestriction& filter) {
    return filter.kind == FilterRestriction::Kind::kContains &&
           table.columns[filter.columns[0]].kind == ColumnKind::kClustering;
  });
}

// True if the table's keys are stored in order and the statement restricts them: conditions on the key then need no
// ALLOW FILTERING. In RANGE tables all rows are in the order of the whole key, so any condition on it qualifies.
bool ReadsByKeyOrder(const TableSchema& table, const GroupedWhere& where) {
  if (table.partitioning.by_token() || WholePartitionKey(table, where)) return false;
  return table.partitioning.kind == PartitionKind::kRange ||
         (!where.partition.empty() && where.partition[0].first == 0);
}

// The result of CheckIndexed().
struct Checked {
  bool uses_index = false;
};

// True if all restrictions of the clustering together select a piece of a partition.
bool SaysWhereToRead(const TableSchema& table, const GroupedWhere& where) {
  size_t used = 0;
  (void)SelectionOf(where.clustering, table, used);
  return used == where.clustering.size() && !HasClusteringContains(table, where);
}

// Returns the restrictions on the key that are filtered. As in Cassandra, all restrictions of the clustering are
// filtered if one of them cannot choose the place to read from.
std::vector<const KeyRestriction*> FilteredKeys(const TableSchema& table, const GroupedWhere& where) {
  const bool whole = WholePartitionKey(table, where);
  std::vector<const KeyRestriction*> keys;
  if (whole && SaysWhereToRead(table, where)) return keys;
  if (!whole) {
    for (const KeyRestriction& key : where.partition) keys.push_back(&key);
  }
  for (const KeyRestriction& key : where.clustering) keys.push_back(&key);
  return keys;
}

// Checks a statement that an index might serve: Cassandra's checks in Cassandra's order.
Result<Checked> CheckIndexed(const TableSchema& table, const GroupedWhere& where, const AccessRequest& request,
                             const IndexChoice& indexes) {
  Checked checked;
  const bool whole = WholePartitionKey(table, where);
  if (!whole && where.token_sources.empty()) checked.uses_index = true;
  if (request.only_statics_selected && !where.clustering.empty()) {
    return InvalidAt(where.clustering[0].range,
                     "Cannot restrict clustering columns when selecting only static columns");
  }
  checked.uses_index = checked.uses_index || !SaysWhereToRead(table, where) ||
                       (!whole && indexes.any_on_clustering()) || !where.regular.empty() || !where.filters.empty();
  const auto is_in = [](const KeyRestriction& key) { return key.kind == Kind::kIn; };
  if (checked.uses_index && std::any_of(where.partition.begin(), where.partition.end(), is_in)) {
    return InvalidAt(where.partition[0].range,
                     "Select on indexed columns and with IN clause for the PRIMARY KEY are not supported",
                     "send one statement a partition");
  }
  if (request.allow_filtering || (whole && !checked.uses_index)) return checked;
  const std::vector<const KeyRestriction*> keys = FilteredKeys(table, where);
  const bool nothing = keys.empty() && where.regular.empty() && where.filters.empty();
  if (!nothing && !indexes.ServesAll(keys)) return NeedsFiltering(table, where);
  return checked;
}

// Checks a statement that no index serves.
Status CheckUnindexed(const TableSchema& table, const GroupedWhere& where, const AccessRequest& request) {
  const bool filtering = request.allow_filtering, by_key = ReadsByKeyOrder(table, where);
  if (!by_key && !where.partition.empty() && !WholePartitionKey(table, where) && !filtering)
    return NeedsFiltering(table, where);
  if (request.only_statics_selected && !where.clustering.empty()) {
    return InvalidAt(where.clustering[0].range,
                     "Cannot restrict clustering columns when selecting only static columns");
  }
  if (filtering) return OkStatus();
  if (HasClusteringContains(table, where)) {
    return InvalidAt(where.filters[0].range,
                     "Clustering columns can only be restricted with CONTAINS with a secondary index or filtering",
                     "add ALLOW FILTERING");
  }
  if (!by_key) WR_RETURN_IF_ERROR(CheckClusteringPrefix(table, where));
  if (!where.regular.empty() || !where.filters.empty()) return NeedsFiltering(table, where);
  if (!by_key && !where.clustering.empty() && !WholePartitionKey(table, where)) return NeedsFiltering(table, where);
  return OkStatus();
}

void AddFilters(const std::vector<KeyRestriction>& keys, size_t begin, const TableSchema& table,
                std::vector<Predicate>& out) {
  for (size_t i = begin; i < keys.size(); ++i) {
    for (const Restriction& source : keys[i].sources) out.push_back(ToPredicate(source, table));
  }
}

void AddRowFilters(const GroupedWhere& where, const TableSchema& table, std::vector<Predicate>& out) {
  AddFilters(where.regular, 0, table, out);
  AddFilters(where.verified, 0, table, out);
  for (const FilterRestriction& filter : where.filters) out.push_back(filter.predicate);
}

// Conditions such as token(k) < x next to a whole partition key are filtered.
void AddTokenFilters(const GroupedWhere& where, const TableSchema& table, std::vector<Predicate>& out) {
  for (const Restriction& token : where.token_sources) out.push_back(ToPredicate(token, table));
}

// True if every clustering column equals one value.
bool SelectsOneRow(const ClusteringSelection& selection, const TableSchema& table) {
  for (const auto& part : selection.prefix) {
    if (const auto* values = std::get_if<KeyValues>(&part)) {
      if (values->is_in) return false;
    } else {
      const auto& tuples = std::get<ClusteringTuplesIn>(part);
      if (tuples.list_valued || tuples.tuples.size() != 1) return false;
    }
  }
  return selection.fixed_columns() == table.clustering_size;
}

ChosenAccess ByPartitionKey(const TableSchema& table, const GroupedWhere& where, bool has_choices) {
  ChosenAccess chosen;
  size_t used = 0;
  std::vector<KeyValues> key = PartitionKeyOf(where.partition);
  ClusteringSelection selection = SelectionOf(where.clustering, table, used);
  AddTokenFilters(where, table, chosen.filter);
  AddFilters(where.clustering, used, table, chosen.filter);
  AddRowFilters(where, table, chosen.filter);
  chosen.partition_in = std::any_of(key.begin(), key.end(), [](const KeyValues& values) { return values.is_in; });
  if (has_choices) {
    chosen.path = MergedPartitions{std::move(key), std::move(selection)};
  } else if (chosen.partition_in) {
    chosen.path = MultiPartition{std::move(key), std::move(selection)};
  } else if (SelectsOneRow(selection, table)) {
    chosen.path = PointLookup{std::move(key), std::move(selection)};
  } else {
    chosen.path = PartitionSlice{std::move(key), std::move(selection)};
  }
  return chosen;
}

ChosenAccess ByKeyOrder(const TableSchema& table, const GroupedWhere& where) {
  ChosenAccess chosen;
  chosen.key_range = true;
  KeyRangeScan scan{.tokens = where.token};
  size_t used = 0;
  for (const KeyRestriction& key : where.partition) {
    const auto* values = std::get_if<KeyValues>(&key.values);
    if (key.first != used || scan.lower || scan.upper) break;
    if (key.kind == Kind::kSlice) {
      scan.lower = key.lower;
      scan.upper = key.upper;
    } else if (key.kind == Kind::kEq && values != nullptr) {
      scan.prefix.push_back(*values);
    } else {
      break;
    }
    ++used;
  }
  AddFilters(where.partition, used, table, chosen.filter);
  AddFilters(where.clustering, 0, table, chosen.filter);
  AddRowFilters(where, table, chosen.filter);
  chosen.path = std::move(scan);
  return chosen;
}

// Reads the rows that an index finds, within one partition if the statement gives the whole partition key. The filter
// repeats all other conditions: those on the clustering, on other columns, and on the partition key or token if they do
// not limit the scan.
ChosenAccess ByIndex(const TableSchema& table, const GroupedWhere& where, const IndexChoice& indexes) {
  ChosenAccess chosen;
  IndexScan scan{.lookups = indexes.Lookups(), .tokens = where.token, .partition_key = {}};
  if (WholePartitionKey(table, where)) {
    scan.partition_key = PartitionKeyOf(where.partition);
    AddTokenFilters(where, table, chosen.filter);
  } else {
    chosen.key_range = true;
    AddFilters(where.partition, 0, table, chosen.filter);
  }
  AddFilters(where.clustering, 0, table, chosen.filter);
  AddRowFilters(where, table, chosen.filter);
  chosen.path = std::move(scan);
  return chosen;
}

// False if the key itself selects a range of rows. Reading that range is better than reading an index, whose entries
// may be outside of it.
bool ReadsByIndex(const TableSchema& table, const GroupedWhere& where, const AccessRequest& request) {
  if (request.has_choices) return false;
  if (!WholePartitionKey(table, where)) return !ReadsByKeyOrder(table, where) || where.partition.empty();
  size_t used = 0;
  (void)SelectionOf(where.clustering, table, used);
  return used == 0;
}

ChosenAccess ByScan(const TableSchema& table, const GroupedWhere& where) {
  ChosenAccess chosen;
  chosen.key_range = true;
  AddFilters(where.partition, 0, table, chosen.filter);
  AddFilters(where.clustering, 0, table, chosen.filter);
  AddRowFilters(where, table, chosen.filter);
  if (chosen.filter.empty()) {
    chosen.path = TokenScan{where.token};
  } else {
    chosen.path = FilteredScan{where.token};
  }
  return chosen;
}

}  // namespace

std::vector<KeyValues> PartitionKeyOf(const std::vector<KeyRestriction>& partition) {
  std::vector<KeyValues> key;
  for (const KeyRestriction& restriction : partition) key.push_back(std::get<KeyValues>(restriction.values));
  return key;
}

uint32_t ClusteringSelection::fixed_columns() const {
  uint32_t columns = 0;
  for (const auto& part : prefix) {
    const auto* tuples = std::get_if<ClusteringTuplesIn>(&part);
    columns += tuples != nullptr ? tuples->width : 1;
  }
  return columns;
}

bool ClusteringSelection::names_whole_rows(const TableSchema& table) const {
  return fixed_columns() == table.clustering_size && !lower && !upper;
}

ClusteringSelection SelectionOf(const std::vector<KeyRestriction>& clustering, const TableSchema& table, size_t& used) {
  ClusteringSelection selection;
  used = 0;
  uint32_t expected = table.partition_key_size;
  for (const KeyRestriction& key : clustering) {
    if (key.first != expected) break;
    expected = key.end();
    ++used;
    if (key.kind == Kind::kSlice) {
      selection.lower = key.lower;
      selection.upper = key.upper;
      break;
    }
    const auto* tuples = std::get_if<ClusteringTuplesIn>(&key.values);
    if (tuples != nullptr && key.kind == Kind::kEq && tuples->tuples[0].size() == tuples->width &&
        !tuples->list_valued) {
      // (a, b) = (1, 2) is a = 1 AND b = 2.
      for (const Expression& value : tuples->tuples[0]) selection.prefix.push_back(KeyValues{{value}, false, false});
    } else if (tuples != nullptr) {
      selection.prefix.push_back(*tuples);
    } else {
      selection.prefix.push_back(std::get<KeyValues>(key.values));
    }
  }
  return selection;
}

Status CheckClusteringPrefix(const TableSchema& table, const GroupedWhere& where) {
  uint32_t expected = table.partition_key_size;
  for (const KeyRestriction& key : where.clustering) {
    if (key.first != expected) {
      return InvalidAt(key.range,
                       "PRIMARY KEY column \"" + table.columns[key.first].name +
                           "\" cannot be restricted as preceding column \"" + table.columns[expected].name +
                           "\" is not restricted",
                       KeyHint(table, where, true));
    }
    expected = key.end();
  }
  return OkStatus();
}

Result<ChosenAccess> ChooseAccessPath(const TableSchema& table, const GroupedWhere& where,
                                      const AccessRequest& request) {
  const IndexChoice indexes(table, where);
  Checked checked;
  if (indexes.any()) {
    WR_ASSIGN_OR_RETURN(checked, CheckIndexed(table, where, request, indexes));
  } else {
    WR_RETURN_IF_ERROR(CheckUnindexed(table, where, request));
  }
  ChosenAccess chosen = checked.uses_index && ReadsByIndex(table, where, request) ? ByIndex(table, where, indexes)
                        : WholePartitionKey(table, where) ? ByPartitionKey(table, where, request.has_choices)
                        : table.partitioning.by_token()   ? ByScan(table, where)
                                                          : ByKeyOrder(table, where);
  chosen.uses_index = checked.uses_index;
  return chosen;
}

}  // namespace widerow
