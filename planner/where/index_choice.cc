// The constructor tries every index on every restriction (AddKey, AddFilter, AddLike). If an index finds the rows of a
// restriction, uses_ gets a look-up, and served_ gets the pair of the restriction and the index's group. ServesAll()
// says if one group serves all restrictions.
#include "planner/where/index_choice.h"

#include <algorithm>

#include "planner/analyzed.h"
#include "types/index_words.h"
#include "types/similarity.h"

namespace widerow {
namespace {

using Kind = KeyRestriction::Kind;

const Comparison* ComparisonOf(const FilterRestriction& filter) {
  return std::get_if<Comparison>(&filter.predicate.node);
}

// Returns the index target that serves the filter's operator.
std::optional<IndexTarget> TargetFor(const FilterRestriction& filter, const Comparison& comparison) {
  if (filter.kind == FilterRestriction::Kind::kMapEntry) return IndexTarget::kEntries;
  if (filter.kind != FilterRestriction::Kind::kContains) return std::nullopt;
  return comparison.op == CompareOp::kContainsKey ? IndexTarget::kKeys : IndexTarget::kValues;
}

// Returns the value of column `i` of (c, d) = ….
Expression FieldOf(const std::vector<Expression>& tuple, uint32_t i, const ColumnSchema& column) {
  const Type& type = *tuple[0].type;
  if (tuple.size() > 1 || type.kind != TypeKind::kTuple) return tuple[i];
  return {FieldExpression{{tuple[0]}, i}, column.type, tuple[0].range};
}

std::optional<IndexBound> BoundOf(const std::optional<ClusteringBound>& bound) {
  if (!bound) return std::nullopt;
  return IndexBound{bound->values[0], bound->inclusive};
}

}  // namespace

// Returns false for indexes of kind kComposites, for indexes of full collections, and for ascii, text and some other
// types. Cassandra's storage-attached indexes keep these types in tries, in which they look up equality only.
bool TakesRanges(const IndexSchema& index, const Type& type) {
  if (index.kind == IndexKind::kComposites || index.target == IndexTarget::kFull) return false;
  switch (type.kind) {
    case TypeKind::kAscii:
    case TypeKind::kText:
    case TypeKind::kBoolean:
    case TypeKind::kUuid:
    case TypeKind::kTuple:
    case TypeKind::kUdt:
    case TypeKind::kList:
    case TypeKind::kSet:
    case TypeKind::kMap:
    case TypeKind::kVector: return false;
    default: return true;
  }
}

bool ServesWhere(const IndexSchema& index, const TableSchema& table, const GroupedWhere& where) {
  return !IsLocal(index) || WholePartitionKey(table, where);
}

bool FindsColumn(const IndexSchema& index, const ColumnSchema& column, bool range) {
  if (index.column != column.id || IsVectorIndex(index, column)) return false;
  if (column.type->is_collection() && index.target != IndexTarget::kFull) return false;
  if (WordsOf(index, column) != nullptr) return false;
  // Cassandra indexes a descending uuid as it indexes numbers, so the index serves ranges.
  const bool as_number = column.descending && column.type->kind == TypeKind::kUuid && index.kind == IndexKind::kSai;
  return !range || as_number || TakesRanges(index, *column.type);
}

bool SupportsKey(const IndexSchema& index, const TableSchema& table, const KeyRestriction& key) {
  if (key.kind == Kind::kIn) return false;
  for (uint32_t column = key.first; column < key.end(); ++column) {
    if (FindsColumn(index, table.columns[column], key.kind == Kind::kSlice)) return true;
  }
  return false;
}

bool FindsKey(const IndexSchema& index, const TableSchema& table, const KeyRestriction& key) {
  const bool several = key.width != 1 || (key.kind == Kind::kSlice && key.of_tuple());
  return !several && SupportsKey(index, table, key);
}

IndexChoice::IndexChoice(const TableSchema& table, const GroupedWhere& where) : table_(table), where_(where) {
  if (table.indexes.empty()) return;
  for (const auto* keys : {&where.partition, &where.clustering, &where.regular}) {
    for (const KeyRestriction& key : *keys) AddKey(key);
  }
  for (const FilterRestriction& filter : where.filters) AddFilter(filter);
}

uint32_t IndexChoice::GroupOf(size_t index) const {
  return table_.indexes[index].kind == IndexKind::kSai ? kAttached : static_cast<uint32_t>(index);
}

// Adds the indexes on the columns of (c, d) = (1, 2). As in Cassandra, the restriction is served only if each column
// has a storage-attached index.
void IndexChoice::AddTuple(const KeyRestriction& key) {
  bool all_attached = true;
  for (uint32_t column = key.first; column < key.end(); ++column) {
    bool attached = false;
    for (size_t i = 0; i < table_.indexes.size(); ++i) {
      const IndexSchema& index = table_.indexes[i];
      if (!ServesWhere(index, table_, where_)) continue;
      if (!FindsColumn(index, table_.columns[column], key.kind == Kind::kSlice)) continue;
      on_tuple_ = true;
      attached = attached || index.kind == IndexKind::kSai;
      if (key.kind == Kind::kSlice) continue;
      IndexUse use{.lookup = {.index = index.name}, .column = column, .group = GroupOf(i)};
      const std::vector<Expression>& tuple = std::get<ClusteringTuplesIn>(key.values).tuples[0];
      use.lookup.values.push_back(FieldOf(tuple, column - key.first, table_.columns[column]));
      uses_.push_back(std::move(use));
    }
    all_attached = all_attached && attached;
  }
  if (all_attached) served_.emplace_back(&key, kAttached);
}

void IndexChoice::AddKey(const KeyRestriction& key) {
  const bool several = key.width != 1 || (key.kind == Kind::kSlice && key.of_tuple());
  if (several && key.kind != Kind::kIn) return AddTuple(key);
  for (size_t i = 0; i < table_.indexes.size(); ++i) {
    const IndexSchema& index = table_.indexes[i];
    if (!ServesWhere(index, table_, where_) || !FindsKey(index, table_, key)) continue;
    IndexUse use{.lookup = {.index = index.name}, .column = key.first, .group = GroupOf(i)};
    if (key.kind == Kind::kSlice) {
      use.lookup.kind = IndexLookup::Kind::kRange;
      use.lookup.lower = BoundOf(key.lower);
      use.lookup.upper = BoundOf(key.upper);
    } else {
      use.lookup.values = std::get<KeyValues>(key.values).values;
    }
    served_.emplace_back(&key, use.group);
    uses_.push_back(std::move(use));
  }
}

void IndexChoice::AddFilter(const FilterRestriction& filter) {
  const Comparison* const comparison = ComparisonOf(filter);
  if (comparison == nullptr) return;
  if (filter.kind == FilterRestriction::Kind::kLike) return AddLike(filter, *comparison);
  const std::optional<IndexTarget> target = TargetFor(filter, *comparison);
  if (!target) return;
  const uint32_t at = filter.columns[0];
  if (!table_.columns[at].type->is_multi_cell()) return;  // An index on a frozen collection has no elements.
  for (size_t i = 0; i < table_.indexes.size(); ++i) {
    const IndexSchema& index = table_.indexes[i];
    if (!ServesWhere(index, table_, where_)) continue;
    if (index.column != table_.columns[at].id || index.target != *target) continue;
    IndexUse use{.lookup = {.index = index.name}, .column = at, .group = GroupOf(i)};
    if (*target == IndexTarget::kEntries) {
      use.lookup.kind = IndexLookup::Kind::kEntry;
      use.lookup.values.push_back(std::get<ElementExpression>(comparison->left.node).index[0]);
    }
    use.lookup.values.push_back(comparison->right[0]);
    served_.emplace_back(&filter, use.group);
    uses_.push_back(std::move(use));
  }
}

// Adds the SASI indexes that serve a LIKE. The pattern in the filter already has the text form of the index.
void IndexChoice::AddLike(const FilterRestriction& filter, const Comparison& comparison) {
  const uint32_t at = filter.columns[0];
  for (size_t i = 0; i < table_.indexes.size(); ++i) {
    const IndexSchema& index = table_.indexes[i];
    if (index.kind != IndexKind::kSasi || index.column != table_.columns[at].id) continue;
    IndexUse use{.lookup = {.index = index.name, .kind = IndexLookup::Kind::kLike, .values = {comparison.right[0]}},
                 .column = at,
                 .group = GroupOf(i)};
    served_.emplace_back(&filter, use.group);
    uses_.push_back(std::move(use));
  }
}

bool IndexChoice::any_on_clustering() const {
  return on_tuple_ || std::any_of(uses_.begin(), uses_.end(), [&](const IndexUse& use) {
           return table_.columns[use.column].kind == ColumnKind::kClustering;
         });
}

bool IndexChoice::ServedByAny(const void* restriction) const {
  return std::any_of(served_.begin(), served_.end(), [&](const auto& served) { return served.first == restriction; });
}
bool IndexChoice::Serves(uint32_t group, const KeyRestriction& key) const {
  return std::find(served_.begin(), served_.end(), std::pair<const void*, uint32_t>(&key, group)) != served_.end();
}
bool IndexChoice::Serves(uint32_t group, const FilterRestriction& filter) const {
  return std::find(served_.begin(), served_.end(), std::pair<const void*, uint32_t>(&filter, group)) != served_.end();
}

// True if the group serves at least one condition on the elements of the collection that `filter` is on. As in
// Cassandra, a storage-attached index that finds rows for one of these conditions serves all of them.
bool IndexChoice::ServesColumnOf(uint32_t group, const FilterRestriction& filter) const {
  return std::any_of(where_.filters.begin(), where_.filters.end(), [&](const FilterRestriction& other) {
    return other.columns[0] == filter.columns[0] && Serves(group, other);
  });
}

bool IndexChoice::ServesAll(const std::vector<const KeyRestriction*>& keys, bool beside_attached) const {
  const size_t restrictions = keys.size() + where_.regular.size() + where_.filters.size();
  return std::any_of(served_.begin(), served_.end(), [&](const auto& served) {
    const uint32_t group = served.second;
    if (group != kAttached && (restrictions > 1 || beside_attached)) return false;
    return std::all_of(keys.begin(), keys.end(), [&](const KeyRestriction* key) { return Serves(group, *key); }) &&
           std::all_of(where_.regular.begin(), where_.regular.end(),
                       [&](const auto& key) { return Serves(group, key); }) &&
           std::all_of(where_.filters.begin(), where_.filters.end(),
                       [&](const auto& filter) { return ServesColumnOf(group, filter); });
  });
}

std::vector<IndexLookup> IndexChoice::Lookups() const {
  std::vector<IndexLookup> lookups;
  for (const IndexUse& use : uses_) lookups.push_back(use.lookup);
  std::stable_partition(lookups.begin(), lookups.end(),
                        [](const IndexLookup& lookup) { return lookup.kind != IndexLookup::Kind::kRange; });
  return lookups;
}

}  // namespace widerow
