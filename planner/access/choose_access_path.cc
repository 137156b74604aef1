// ChooseAccessPath first applies Cassandra's checks (filtering_rules.h). Then it takes the first path that fits: by
// index, by the whole partition key, by a scan of a table stored by token, or by a range of keys in order. Each By…()
// function builds one kind of path and puts every restriction that the path does not serve into the filter.
#include "planner/access/choose_access_path.h"

#include <algorithm>

#include "planner/access/filtering_rules.h"
#include "planner/access/index_cover.h"
#include "planner/access/key_hint.h"
#include "planner/access/row_filter.h"
#include "types/text_analysis.h"

namespace widerow {
namespace {

using Kind = KeyRestriction::Kind;

// Fills the filter of one access path.
class FilterBuilder {
 public:
  FilterBuilder(const TableSchema& table, const GroupedWhere& where, const CassandraRun& run)
      : table_(table), where_(where), run_(run), filter_(table) {
    (void)SelectionOf(where.clustering, table, chosen_);
    FindFiltered();
  }

  void AddPartition(size_t begin) {
    for (size_t i = begin; i < where_.partition.size(); ++i) filter_.Add(where_.partition[i], true);
  }
  void AddClustering(size_t begin) {
    for (size_t i = begin; i < where_.clustering.size(); ++i) filter_.Add(where_.clustering[i], IsFiltered(i));
  }
  // Adds conditions such as token(k) < x. The filter needs them if the statement also gives the whole partition key.
  void AddTokens() {
    for (const Restriction& token : where_.token_sources) filter_.AddToken(token);
  }
  void AddOthers() {
    for (const KeyRestriction& key : where_.regular) filter_.Add(key, true);
    for (const KeyRestriction& key : where_.verified) filter_.Add(key, true);
    for (const FilterRestriction& filter : where_.filters) filter_.Add(filter);
  }
  bool empty() const { return filter_.empty(); }

  // Moves the filter to `chosen`. `bound`: the path itself reads only the rows that the clustering restrictions choose
  // (SelectionOf). If `bound` is false, these restrictions become chosen.also_bound.
  void Finish(bool bound, ChosenAccess& chosen) && {
    chosen.checked = filter_.Checked();
    chosen.filter = std::move(filter_).TakePredicates();
    size_t used = 0;
    if (!bound && chosen_ > 0) chosen.also_bound = SelectionOf(where_.clustering, table_, used);
    std::vector<const KeyRestriction*> filtered;
    for (size_t i = 0; i < where_.clustering.size(); ++i) {
      if (IsFiltered(i)) filtered.push_back(&where_.clustering[i]);
    }
    // A scan of a table that is not stored by token can filter by all conditions on the key, so it is not refused.
    if (table_.partitioning.by_token() || WholePartitionKey(table_, where_)) chosen.refusal = RefuseTuples(filtered);
  }

 private:
  // Finds the clustering restrictions by which Cassandra filters: those that do not choose the rows to read. If an
  // index supports a restriction, Cassandra treats its column as not restricted. So the restrictions on later columns
  // choose no rows.
  void FindFiltered() {
    uint32_t next = table_.partition_key_size;
    for (const KeyRestriction& key : where_.clustering) {
      const bool supported = run_.filters_clustering && std::ranges::any_of(table_.indexes, [&](const auto& index) {
                               return ServesWhere(index, table_, where_) && SupportsKey(index, table_, key);
                             });
      filtered_.push_back(key.first != next || supported);
      if (!filtered_.back() && key.kind != Kind::kSlice) next = key.end();
    }
  }
  bool IsFiltered(size_t i) const { return filtered_[i]; }

  const TableSchema& table_;
  const GroupedWhere& where_;
  const CassandraRun& run_;
  RowFilter filter_;
  size_t chosen_ = 0;           // The number of clustering restrictions that choose rows.
  std::vector<bool> filtered_;  // For each clustering restriction: true if Cassandra filters by it.
};

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

ChosenAccess ByPartitionKey(const TableSchema& table, const GroupedWhere& where, bool has_choices,
                            const CassandraRun& run) {
  ChosenAccess chosen;
  size_t used = 0;
  std::vector<KeyValues> key = PartitionKeyOf(where.partition);
  ClusteringSelection selection = SelectionOf(where.clustering, table, used);
  FilterBuilder filter(table, where, run);
  filter.AddTokens();
  filter.AddClustering(used);
  filter.AddOthers();
  std::move(filter).Finish(true, chosen);
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

ChosenAccess ByKeyOrder(const TableSchema& table, const GroupedWhere& where, const CassandraRun& run) {
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
  FilterBuilder filter(table, where, run);
  filter.AddPartition(used);
  filter.AddClustering(0);
  filter.AddOthers();
  std::move(filter).Finish(false, chosen);
  chosen.path = std::move(scan);
  return chosen;
}

bool IsRangeOf(const IndexOrder& order, const IndexCondition& condition) {
  const auto* const lookup = std::get_if<IndexLookup>(&condition.node);
  return lookup != nullptr && lookup->kind == IndexLookup::Kind::kRange && lookup->index == order.index;
}

// Reads the rows that indexes find, within one partition if the statement gives the whole partition key. The filter has
// all conditions of WHERE, also those that the indexes serve. It leaves out only the conditions that limit the scan:
// those on the whole partition key, or else those on the token.
ChosenAccess ByIndex(const TableSchema& table, const GroupedWhere& where, std::vector<IndexCondition> conditions,
                     const AccessRequest& request, const CassandraRun& run) {
  ChosenAccess chosen;
  IndexScan scan{.nearest = request.nearest, .tokens = where.token};
  std::optional<IndexOrder> order = request.order;
  for (IndexCondition& condition : conditions) {
    if (order && IsRangeOf(*order, condition)) {
      order->lower = std::move(std::get<IndexLookup>(condition.node).lower);
      order->upper = std::move(std::get<IndexLookup>(condition.node).upper);
    } else {
      scan.conditions.push_back(std::move(condition));
    }
  }
  scan.order = std::move(order);
  FilterBuilder filter(table, where, run);
  if (WholePartitionKey(table, where)) {
    scan.partition_key = PartitionKeyOf(where.partition);
    filter.AddTokens();
  } else {
    chosen.key_range = true;
    filter.AddPartition(0);
  }
  filter.AddClustering(0);
  filter.AddOthers();
  std::move(filter).Finish(false, chosen);
  chosen.path = std::move(scan);
  return chosen;
}

// False if the key itself selects a range of rows: reading this range is better than reading an index, which also has
// entries outside of the range. Also false for IN on the partition key: an index scan reads one partition or all.
bool ReadsByIndex(const TableSchema& table, const GroupedWhere& where, const AccessRequest& request) {
  if (request.has_choices) return false;
  if (!WholePartitionKey(table, where)) return !ReadsByKeyOrder(table, where) || where.partition.empty();
  if (std::ranges::any_of(where.partition, [](const auto& key) { return key.kind == Kind::kIn; })) return false;
  size_t used = 0;
  (void)SelectionOf(where.clustering, table, used);
  return used == 0;
}

ChosenAccess ByScan(const TableSchema& table, const GroupedWhere& where, const CassandraRun& run) {
  ChosenAccess chosen;
  chosen.key_range = true;
  FilterBuilder filter(table, where, run);
  filter.AddPartition(0);
  filter.AddClustering(0);
  filter.AddOthers();
  if (filter.empty()) {
    chosen.path = TokenScan{where.token};
  } else {
    chosen.path = FilteredScan{where.token};
  }
  std::move(filter).Finish(false, chosen);
  return chosen;
}

std::vector<IndexCondition> AsConditions(std::vector<IndexLookup> lookups) {
  std::vector<IndexCondition> conditions;
  for (IndexLookup& lookup : lookups) conditions.push_back({std::move(lookup)});
  return conditions;
}

// Returns the look-ups whose values Cassandra checks: those of plain indexes.
std::vector<IndexLookup> CheckedLookups(const TableSchema& table, const IndexChoice& indexes) {
  std::vector<IndexLookup> lookups = indexes.Lookups();
  std::erase_if(lookups, [&](const IndexLookup& lookup) {
    return table.FindIndex(lookup.index)->kind != IndexKind::kComposites;
  });
  return lookups;
}

}  // namespace

std::optional<IndexOrder> IndexOrderOf(const TableSchema& table, uint32_t at, bool descending,
                                       const GroupedWhere& where) {
  const ColumnSchema& column = table.columns[at];
  const bool of_row = column.kind == ColumnKind::kRegular ||
                      (column.kind == ColumnKind::kClustering && !WholePartitionKey(table, where));
  const TypeKind kind = column.type->kind;
  if (!of_row || column.type->is_collection() || kind == TypeKind::kVector || kind == TypeKind::kDuration)
    return std::nullopt;
  const bool one_partition = WholePartitionKey(table, where);
  if (one_partition && std::ranges::any_of(where.partition, [](const auto& key) { return key.kind == Kind::kIn; }))
    return std::nullopt;
  for (const IndexSchema& index : table.indexes) {
    const bool as_written = index.kind == IndexKind::kComposites || !TextAnalysis::FromOptions(index.options).any();
    if (as_written && ServesWhere(index, table, where) && FindsColumn(index, column, false))
      return IndexOrder{.index = index.name, .column = at, .descending = descending};
  }
  return std::nullopt;
}

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
      const std::vector<Expression>& tuple = tuples->tuples[0];
      for (uint32_t i = 0; i < tuple.size(); ++i) selection.prefix.push_back(KeyValues{{tuple[i]}, false, false, i});
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
  IndexCover cover;
  if (request.extended && !request.ordered) cover = CoverOf(table, where, indexes);
  AccessRequest checked = request;
  checked.allow_filtering = request.allow_filtering || cover.complete;
  WR_ASSIGN_OR_RETURN(CassandraRun run, CheckFiltering(table, where, checked, indexes));
  const bool finds = (run.uses_index && indexes.finds()) || !cover.conditions.empty();
  const bool by_index = request.order || request.nearest || (finds && ReadsByIndex(table, where, request));
  if (cover.conditions.empty()) cover.conditions = AsConditions(indexes.Lookups());
  ChosenAccess chosen = by_index ? ByIndex(table, where, std::move(cover.conditions), request, run)
                        : WholePartitionKey(table, where) ? ByPartitionKey(table, where, request.has_choices, run)
                        : table.partitioning.by_token()   ? ByScan(table, where, run)
                                                          : ByKeyOrder(table, where, run);
  chosen.uses_index = run.uses_index;
  chosen.index_extension = cover.complete && !request.allow_filtering;
  chosen.needs_filtering = std::move(run.needs_filtering);
  if (run.uses_index && !by_index) chosen.unread_lookups = CheckedLookups(table, indexes);
  return chosen;
}

}  // namespace widerow
