// GroupRestrictions turns each restriction on columns into a KeyRestriction (FromColumn, FromTuple) and adds it to one
// of the lists partition, clustering and regular. If the list has a restriction on the same columns, Add() merges the
// two; Merge refuses most pairs, with Cassandra's sentences. Otherwise CheckSliceIsLast checks the restriction, and
// Add() inserts it in the order of columns. Restrictions of token() become bounds.
#include "planner/where/group.h"

#include <algorithm>

#include "base/overloaded.h"
#include "base/text.h"
#include "planner/where/index_choice.h"
#include "planner/where/resolve_relation.h"

namespace widerow {
namespace {

using Kind = KeyRestriction::Kind;

void SetBound(KeyRestriction& key, CompareOp op, ClusteringBound bound) {
  bound.inclusive = op == CompareOp::kLe || op == CompareOp::kGe;
  const bool is_lower = op == CompareOp::kGt || op == CompareOp::kGe;
  (is_lower ? key.lower : key.upper) = std::move(bound);
}

// Returns the column's position within the partition key or within the clustering. Plans use these positions.
uint32_t ClusteringPosition(const TableSchema& table, uint32_t column) {
  return column < table.partition_key_size ? column : column - table.partition_key_size;
}

KeyRestriction FromColumn(ColumnRestriction restriction, const TableSchema& table) {
  KeyRestriction key;
  key.first = restriction.column;
  key.range = restriction.range;
  key.sources.emplace_back(restriction);
  if (!IsSliceOperator(restriction.op)) {
    key.kind = restriction.op == CompareOp::kIn ? Kind::kIn : Kind::kEq;
    key.values = std::move(restriction.values);
    return key;
  }
  key.kind = Kind::kSlice;
  ClusteringBound bound;
  bound.first = ClusteringPosition(table, restriction.column);
  bound.of_tuple = restriction.of_tuple;
  bound.values = std::move(restriction.values.values);
  SetBound(key, restriction.op, std::move(bound));
  return key;
}

KeyRestriction FromTuple(TupleRestriction restriction, const TableSchema& table) {
  KeyRestriction key;
  key.first = restriction.first;
  key.width = restriction.width;
  key.range = restriction.range;
  key.sources.emplace_back(restriction);
  const uint32_t position = ClusteringPosition(table, restriction.first);
  if (!IsSliceOperator(restriction.op)) {
    key.kind = restriction.op == CompareOp::kIn ? Kind::kIn : Kind::kEq;
    key.values =
        ClusteringTuplesIn{position, restriction.width, std::move(restriction.tuples), restriction.list_valued};
    return key;
  }
  key.kind = Kind::kSlice;
  ClusteringBound bound;
  bound.first = position;
  bound.width = restriction.width;
  bound.values = std::move(restriction.tuples[0]);
  bound.tuple_valued = restriction.tuple_valued;
  bound.of_tuple = true;
  SetBound(key, restriction.op, std::move(bound));
  return key;
}

bool IsContains(const FilterRestriction& filter) { return filter.kind == FilterRestriction::Kind::kContains; }

bool IsContainsOnClustering(const FilterRestriction& filter, const TableSchema& table) {
  return IsContains(filter) && table.columns[filter.columns[0]].kind == ColumnKind::kClustering;
}

std::string CommonNames(const KeyRestriction& a, const KeyRestriction& b, const TableSchema& table) {
  std::vector<std::string> names;
  for (uint32_t i = std::max(a.first, b.first); i < std::min(a.end(), b.end()); ++i) {
    names.push_back(table.columns[i].name);
  }
  return JoinNames(names, " ,");
}

// Adds `added` to `existing`, which shares columns with it.
Status Merge(KeyRestriction& existing, KeyRestriction added, const TableSchema& table) {
  const std::string common = CommonNames(existing, added, table);
  if (existing.kind == Kind::kEq) {
    return InvalidAt(added.range, common + " cannot be restricted by more than one relation if it includes an Equal");
  }
  if (existing.kind == Kind::kIn) {
    return InvalidAt(added.range, common + " cannot be restricted by more than one relation if it includes a IN");
  }
  if (added.kind != Kind::kSlice) {
    return InvalidAt(added.range,
                     "Column \"" + common + "\" cannot be restricted by both an equality and an inequality relation");
  }
  if (existing.first != added.first) {
    return InvalidAt(added.range, "Column \"" + table.columns[std::max(existing.first, added.first)].name +
                                      "\" cannot be restricted by two inequalities not starting with the same column");
  }
  if (existing.lower && added.lower) {
    return InvalidAt(added.range, "More than one restriction was found for the start bound on " + common);
  }
  if (existing.upper && added.upper) {
    return InvalidAt(added.range, "More than one restriction was found for the end bound on " + common);
  }
  existing.width = std::max(existing.width, added.width);
  if (added.lower) existing.lower = std::move(added.lower);
  if (added.upper) existing.upper = std::move(added.upper);
  for (Restriction& source : added.sources) existing.sources.push_back(std::move(source));
  return OkStatus();
}

// Checks that no clustering column after a column with a slice is restricted. As in Cassandra, CONTAINS counts as a
// restriction, too.
Status CheckSliceIsLast(const GroupedWhere& grouped, const KeyRestriction& added, const TableSchema& table) {
  const auto name = [&](uint32_t column) { return "\"" + table.columns[column].name + "\""; };
  const std::string hint =
      "only the last restricted clustering column takes a range; with ALLOW FILTERING later ones "
      "are filtered";
  const KeyRestriction* const slice = grouped.clustering.empty() || grouped.clustering.back().kind != Kind::kSlice
                                          ? nullptr
                                          : &grouped.clustering.back();
  std::vector<std::pair<uint32_t, SourceRange>> restricted;  // The columns, and where they are restricted.
  for (const KeyRestriction& key : grouped.clustering) restricted.emplace_back(key.first, key.range);
  for (const FilterRestriction& filter : grouped.filters) {
    if (IsContainsOnClustering(filter, table)) restricted.emplace_back(filter.columns[0], filter.range);
  }
  std::stable_sort(restricted.begin(), restricted.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  if (slice != nullptr && restricted.back().first == slice->first && added.first > slice->first) {
    return InvalidAt(added.range,
                     "Clustering column " + name(added.first) + " cannot be restricted (preceding column " +
                         name(slice->first) + " is restricted by a non-EQ relation)",
                     hint);
  }
  const auto next = std::find_if(restricted.begin(), restricted.end(),
                                 [&](const auto& column) { return column.first > added.first; });
  if (added.kind == Kind::kSlice && next != restricted.end()) {
    return InvalidAt(next->second,
                     "PRIMARY KEY column " + name(next->first) + " cannot be restricted (preceding column " +
                         name(added.first) + " is restricted by a non-EQ relation)",
                     hint);
  }
  return OkStatus();
}

// Adds the restriction to `keys`. If `grouped` is not null, also calls CheckSliceIsLast.
Status Add(std::vector<KeyRestriction>& keys, KeyRestriction added, const TableSchema& table,
           const GroupedWhere* grouped) {
  for (KeyRestriction& key : keys) {
    if (key.first < added.end() && added.first < key.end()) return Merge(key, std::move(added), table);
  }
  if (grouped != nullptr) WR_RETURN_IF_ERROR(CheckSliceIsLast(*grouped, added, table));
  const auto at = std::upper_bound(keys.begin(), keys.end(), added.first,
                                   [](uint32_t first, const KeyRestriction& key) { return first < key.first; });
  keys.insert(at, std::move(added));
  return OkStatus();
}

bool SliceIsLast(const KeyRestriction& added, const TableSchema& table, AfterSlice after) {
  if (after != AfterSlice::kIndexed) return after == AfterSlice::kNothing;
  return std::none_of(table.indexes.begin(), table.indexes.end(),
                      [&](const IndexSchema& index) { return SupportsKey(index, table, added); });
}

// Refuses c CONTAINS if WHERE has an earlier condition on c, or if a clustering column before c has a range.
Status CheckAddedContains(const FilterRestriction& added, const TableSchema& table, AfterSlice after,
                          const GroupedWhere& grouped) {
  if (!IsContains(added)) return OkStatus();
  KeyRestriction column;
  column.first = added.columns[0];
  column.kind = Kind::kEq;
  column.range = added.range;
  for (const auto* const keys : {&grouped.partition, &grouped.clustering, &grouped.regular}) {
    for (const KeyRestriction& key : *keys) {
      if (key.first >= column.end() || column.first >= key.end()) continue;
      KeyRestriction existing = key;
      return Merge(existing, std::move(column), table);
    }
  }
  const bool any_place = after == AfterSlice::kAnything || !IsContainsOnClustering(added, table);
  return any_place ? OkStatus() : CheckSliceIsLast(grouped, column, table);
}

// Refuses a condition on c if WHERE has c CONTAINS before it.
Status CheckAfterContains(const KeyRestriction& added, const TableSchema& table, const GroupedWhere& grouped) {
  for (const FilterRestriction& filter : grouped.filters) {
    if (!IsContains(filter) || filter.columns[0] < added.first || filter.columns[0] >= added.end()) continue;
    return InvalidAt(added.range, "Collection column " + table.columns[filter.columns[0]].name +
                                      " can only be restricted by CONTAINS, CONTAINS KEY, or map-entry equality");
  }
  return OkStatus();
}

Status AddKey(KeyRestriction added, const TableSchema& table, AfterSlice after, GroupedWhere& grouped) {
  WR_RETURN_IF_ERROR(CheckAfterContains(added, table, grouped));
  switch (table.columns[added.first].kind) {
    case ColumnKind::kPartitionKey: return Add(grouped.partition, std::move(added), table, nullptr);
    case ColumnKind::kClustering: {
      const bool slice_is_last = SliceIsLast(added, table, after);
      return Add(grouped.clustering, std::move(added), table, slice_is_last ? &grouped : nullptr);
    }
    case ColumnKind::kStatic:
    case ColumnKind::kRegular: return Add(grouped.regular, std::move(added), table, nullptr);
  }
  return OkStatus();
}

Status AddToken(TokenRestriction added, const TableSchema& table, GroupedWhere& grouped) {
  std::vector<std::string> key;
  for (uint32_t i = 0; i < table.partition_key_size; ++i) key.push_back(table.columns[i].name);
  const std::string names = JoinNames(key);
  const bool is_eq = added.op == CompareOp::kEq;
  if (!grouped.token_sources.empty()) {
    if (std::get<TokenRestriction>(grouped.token_sources[0]).op == CompareOp::kEq) {
      return InvalidAt(added.range, names + " cannot be restricted by more than one relation if it includes an Equal");
    }
    if (is_eq) {
      return InvalidAt(added.range,
                       "Columns \"" + names + "\" cannot be restricted by both an equality and an inequality relation");
    }
  }
  const bool inclusive = is_eq || added.op == CompareOp::kLe || added.op == CompareOp::kGe;
  for (const bool is_lower : {true, false}) {
    const bool concerns = is_eq || is_lower == (added.op == CompareOp::kGt || added.op == CompareOp::kGe);
    if (!concerns) continue;
    std::optional<TokenBound>& bound = is_lower ? grouped.token.lower : grouped.token.upper;
    if (bound) {
      return InvalidAt(added.range, std::string("More than one restriction was found for the ") +
                                        (is_lower ? "start" : "end") + " bound on " + names);
    }
    bound = TokenBound{added.value, inclusive};
  }
  grouped.token_sources.emplace_back(std::move(added));
  return OkStatus();
}

}  // namespace

bool KeyRestriction::of_tuple() const {
  return std::any_of(sources.begin(), sources.end(), [](const Restriction& source) {
    const auto* const column = std::get_if<ColumnRestriction>(&source);
    return column != nullptr ? column->of_tuple : std::holds_alternative<TupleRestriction>(source);
  });
}

Result<GroupedWhere> GroupRestrictions(std::vector<Restriction> restrictions, const TableSchema& table,
                                       AfterSlice after) {
  GroupedWhere grouped;
  for (Restriction& restriction : restrictions) {
    WR_RETURN_IF_ERROR(std::visit(
        Overloaded{
            [&](ColumnRestriction& r) { return AddKey(FromColumn(std::move(r), table), table, after, grouped); },
            [&](TupleRestriction& r) { return AddKey(FromTuple(std::move(r), table), table, after, grouped); },
            [&](TokenRestriction& r) { return AddToken(std::move(r), table, grouped); },
            [&](FilterRestriction& r) -> Status {
              WR_RETURN_IF_ERROR(CheckAddedContains(r, table, after, grouped));
              grouped.filters.push_back(std::move(r));
              return OkStatus();
            },
        },
        restriction));
  }
  return grouped;
}

bool WholePartitionKey(const TableSchema& table, const GroupedWhere& where) {
  return where.partition.size() == table.partition_key_size &&
         std::none_of(where.partition.begin(), where.partition.end(),
                      [](const KeyRestriction& key) { return key.kind == Kind::kSlice; });
}

}  // namespace widerow
