// CoverBuilder turns predicates into index conditions. A comparison needs an index on its column. AND needs an index
// for one of its parts, and OR for each of them. NOT is moved inward, to the comparisons. CoverOf adds the results to
// the look-ups that Cassandra's rules find.
#include "planner/access/index_cover.h"

#include <algorithm>
#include <span>

#include "base/overloaded.h"
#include "planner/access/choose_access_path.h"
#include "planner/access/filtering_rules.h"
#include "planner/analyzed.h"

namespace widerow {
namespace {

// Says what indexes do for a predicate.
struct Covered {
  // The look-ups. nullopt if indexes do not find the predicate's rows: then the predicate filters the rows that other
  // conditions find.
  std::optional<IndexCondition> condition;
  // True if every comparison of the predicate is on a column with an index that serves the operator or its negation.
  bool complete = true;
};
using MaybeCovered = std::optional<Covered>;

std::optional<CompareOp> Opposite(CompareOp op) {
  switch (op) {
    case CompareOp::kEq: return CompareOp::kNotEq;
    case CompareOp::kNotEq: return CompareOp::kEq;
    case CompareOp::kLt: return CompareOp::kGe;
    case CompareOp::kLe: return CompareOp::kGt;
    case CompareOp::kGt: return CompareOp::kLe;
    case CompareOp::kGe: return CompareOp::kLt;
    case CompareOp::kIn: return CompareOp::kNotIn;
    case CompareOp::kNotIn: return CompareOp::kIn;
    case CompareOp::kContains: return CompareOp::kNotContains;
    case CompareOp::kNotContains: return CompareOp::kContains;
    case CompareOp::kContainsKey: return CompareOp::kNotContainsKey;
    case CompareOp::kNotContainsKey: return CompareOp::kContainsKey;
    default: return std::nullopt;
  }
}

bool IsRange(const IndexCondition& condition) {
  const auto* const lookup = std::get_if<IndexLookup>(&condition.node);
  return lookup != nullptr && lookup->kind == IndexLookup::Kind::kRange;
}

// Adds `part` to the parts that all must hold. A lower and an upper bound of one index become one range.
void AddToAll(IndexCondition part, std::vector<IndexCondition>& parts) {
  if (IsRange(part)) {
    auto& range = std::get<IndexLookup>(part.node);
    for (IndexCondition& other : parts) {
      if (!IsRange(other)) continue;
      auto& before = std::get<IndexLookup>(other.node);
      if (before.index != range.index || before.lower.has_value() == range.lower.has_value()) continue;
      if (before.upper.has_value() == range.upper.has_value()) continue;
      (range.lower ? before.lower : before.upper) = std::move(range.lower ? range.lower : range.upper);
      return;
    }
  }
  parts.push_back(std::move(part));
}

class CoverBuilder {
 public:
  CoverBuilder(const TableSchema& table, const GroupedWhere& where) : table_(table), where_(where) {}

  // `negated`: the predicate must be false.
  MaybeCovered Of(const Predicate& predicate, bool negated) const {
    return std::visit(Overloaded{
                          [&](const Comparison& comparison) { return Of(comparison, negated); },
                          [&](const AndPredicate& all) { return Combine(all.terms, !negated, negated); },
                          [&](const OrPredicate& any) { return Combine(any.terms, negated, negated); },
                          [&](const NotPredicate& inner) { return Of(inner.operand[0], !negated); },
                      },
                      predicate.node);
  }

  MaybeCovered In(uint32_t column, const KeyValues& values) const {
    return Find(column, IndexTarget::kValues, false, [&](const IndexSchema& index) {
      return IndexLookup{.index = index.name,
                         .kind = IndexLookup::Kind::kTerms,
                         .values = values.values,
                         .list_valued = values.list_valued};
    });
  }

 private:
  // Covers terms that are connected by AND (`all`) or by OR.
  MaybeCovered Combine(const std::vector<Predicate>& terms, bool all, bool negated) const {
    std::vector<IndexCondition> parts;
    bool complete = true;
    for (const Predicate& term : terms) {
      MaybeCovered covered = Of(term, negated);
      const bool finds = covered && covered->condition;
      if (!finds && !all) return std::nullopt;
      complete = complete && covered && covered->complete;
      if (!finds) continue;
      if (all)
        AddToAll(*std::move(covered->condition), parts);
      else
        parts.push_back(*std::move(covered->condition));
    }
    if (parts.empty()) return complete ? MaybeCovered(Covered{}) : std::nullopt;
    if (parts.size() == 1) return Covered{std::move(parts[0]), complete};
    if (all) return Covered{IndexCondition{IndexCondition::All{std::move(parts)}}, complete};
    return Covered{IndexCondition{IndexCondition::Any{std::move(parts)}}, complete};
  }

  MaybeCovered Of(const Comparison& comparison, bool negated) const {
    if (negated && (comparison.op == CompareOp::kLike || comparison.op == CompareOp::kMatches)) {
      return AsFilter(Of(comparison, false));
    }
    const std::optional<CompareOp> op = negated ? Opposite(comparison.op) : comparison.op;
    if (!op) return std::nullopt;
    if (const auto* const element = std::get_if<ElementExpression>(&comparison.left.node)) {
      return *op == CompareOp::kEq ? OfEntry(*element, comparison) : std::nullopt;
    }
    const auto* const analyzed = std::get_if<CallExpression>(&comparison.left.node);  // planner/analyzed.h
    const Expression& left = analyzed != nullptr ? analyzed->arguments[0] : comparison.left;
    const auto* const column = std::get_if<ColumnExpression>(&left.node);
    if (column == nullptr) return std::nullopt;
    switch (*op) {
      case CompareOp::kEq: return OfTerm(column->column, IndexTarget::kValues, comparison);
      case CompareOp::kContains: return OfTerm(column->column, IndexTarget::kValues, comparison);
      case CompareOp::kContainsKey: return OfTerm(column->column, IndexTarget::kKeys, comparison);
      case CompareOp::kNotContains: return AsFilter(OfTerm(column->column, IndexTarget::kValues, comparison));
      case CompareOp::kNotContainsKey: return AsFilter(OfTerm(column->column, IndexTarget::kKeys, comparison));
      case CompareOp::kIn:
      case CompareOp::kNotIn: {
        MaybeCovered in = In(column->column, {.values = comparison.right, .list_valued = comparison.list_valued});
        return *op == CompareOp::kIn ? in : AsFilter(in);
      }
      case CompareOp::kGt:
      case CompareOp::kGe: return OfRange(column->column, Bound(comparison, *op), std::nullopt);
      case CompareOp::kLt:
      case CompareOp::kLe: return OfRange(column->column, std::nullopt, Bound(comparison, *op));
      case CompareOp::kNotEq: return OfOthers(column->column, comparison);
      case CompareOp::kLike: return OfLike(column->column, comparison);
      case CompareOp::kMatches: return OfWords(column->column, comparison);
      default: return std::nullopt;
    }
  }

  static IndexBound Bound(const Comparison& comparison, CompareOp op) {
    return {comparison.right[0], op == CompareOp::kGe || op == CompareOp::kLe};
  }

  MaybeCovered OfTerm(uint32_t column, IndexTarget target, const Comparison& comparison) const {
    return Find(column, target, false, [&](const IndexSchema& index) {
      return IndexLookup{.index = index.name, .values = {comparison.right[0]}};
    });
  }

  MaybeCovered OfWords(uint32_t at, const Comparison& comparison) const {
    const IndexSchema* const index = IndexOfWords(table_, at);
    if (index == nullptr || !IsOfRow(at) || !ServesWhere(*index, table_, where_)) return std::nullopt;
    return Covered{IndexCondition{
        IndexLookup{.index = index->name, .kind = IndexLookup::Kind::kWords, .values = {comparison.right[0]}}}};
  }

  MaybeCovered OfLike(uint32_t at, const Comparison& comparison) const {
    if (!IsOfRow(at)) return std::nullopt;
    for (const IndexSchema& index : table_.indexes) {
      if (index.kind != IndexKind::kSasi || index.column != table_.columns[at].id) continue;
      if (!ServesWhere(index, table_, where_)) continue;
      return Covered{IndexCondition{
          IndexLookup{.index = index.name, .kind = IndexLookup::Kind::kLike, .values = {comparison.right[0]}}}};
    }
    return std::nullopt;
  }

  MaybeCovered OfEntry(const ElementExpression& element, const Comparison& comparison) const {
    const auto* const column = std::get_if<ColumnExpression>(&element.base[0].node);
    if (column == nullptr) return std::nullopt;
    return Find(column->column, IndexTarget::kEntries, false, [&](const IndexSchema& index) {
      return IndexLookup{
          .index = index.name, .kind = IndexLookup::Kind::kEntry, .values = {element.index[0], comparison.right[0]}};
    });
  }

  MaybeCovered OfRange(uint32_t column, const std::optional<IndexBound>& lower,
                       const std::optional<IndexBound>& upper) const {
    return Find(column, IndexTarget::kValues, true, [&](const IndexSchema& index) {
      return IndexLookup{.index = index.name, .kind = IndexLookup::Kind::kRange, .lower = lower, .upper = upper};
    });
  }

  // Covers the negation of a condition that an index serves. The index has no entries for rows that lack a word, an
  // element or a value. So the index cannot find the rows of the negation. The negation only filters the rows that
  // other conditions find.
  static MaybeCovered AsFilter(const MaybeCovered& served) { return served ? MaybeCovered(Covered{}) : std::nullopt; }

  // Covers `column != value` by two ranges, the smaller values and the greater values, if the index serves ranges.
  MaybeCovered OfOthers(uint32_t column, const Comparison& comparison) const {
    const IndexBound bound{comparison.right[0], false};
    MaybeCovered before = OfRange(column, std::nullopt, bound), after = OfRange(column, bound, std::nullopt);
    if (!before || !after) return AsFilter(OfTerm(column, IndexTarget::kValues, comparison));
    std::vector<IndexCondition> parts{*std::move(before->condition), *std::move(after->condition)};
    return Covered{IndexCondition{IndexCondition::Any{std::move(parts)}}};
  }

  // False for a static column and the partition key: an entry of an index on them stands for all rows of a partition.
  bool IsOfRow(uint32_t at) const {
    const ColumnKind kind = table_.columns[at].kind;
    return kind == ColumnKind::kRegular || kind == ColumnKind::kClustering;
  }

  // Makes the look-up with the first index on the column that can serve it.
  template <typename MakeLookup>
  MaybeCovered Find(uint32_t at, IndexTarget target, bool range, const MakeLookup& make) const {
    const ColumnSchema& column = table_.columns[at];
    if (!IsOfRow(at)) return std::nullopt;
    if (column.type->kind == TypeKind::kVector) return std::nullopt;
    const bool of_elements = column.type->is_collection() && column.type->is_multi_cell();
    for (const IndexSchema& index : table_.indexes) {
      const bool fits = of_elements ? index.column == column.id && index.target == target
                                    : target == IndexTarget::kValues && FindsColumn(index, column, range);
      if (fits && ServesWhere(index, table_, where_)) return Covered{IndexCondition{make(index)}};
    }
    return std::nullopt;
  }

  const TableSchema& table_;
  const GroupedWhere& where_;
};

// Collects the cover of a whole WHERE.
class WhereCover {
 public:
  WhereCover(const TableSchema& table, const GroupedWhere& where, const IndexChoice& choice)
      : builder_(table, where), choice_(choice) {
    complete_ = where.token_sources.empty();
    if (!WholePartitionKey(table, where)) AddKeys(where.partition);
    // Restrictions that choose a slice of one partition need no index.
    size_t chosen = 0;
    if (WholePartitionKey(table, where)) (void)SelectionOf(where.clustering, table, chosen);
    AddKeys(std::span(where.clustering).subspan(chosen));
    AddKeys(where.regular);
    for (const FilterRestriction& filter : where.filters) AddFilter(filter);
  }

  IndexCover Finish() && {
    IndexCover cover;
    if (!extended_) return cover;
    for (IndexLookup& lookup : choice_.Lookups()) cover.conditions.push_back({std::move(lookup)});
    for (IndexCondition& part : parts_) AddToAll(std::move(part), cover.conditions);
    cover.complete = complete_ && !cover.conditions.empty();
    return cover;
  }

 private:
  void AddKeys(std::span<const KeyRestriction> keys) {
    for (const KeyRestriction& key : keys) {
      const auto* const values = std::get_if<KeyValues>(&key.values);
      if (key.kind == KeyRestriction::Kind::kIn && values != nullptr)
        Add(builder_.In(key.first, *values));
      else
        complete_ = complete_ && choice_.Serves(key);
    }
  }
  void AddFilter(const FilterRestriction& filter) {
    if (filter.kind == FilterRestriction::Kind::kExtension)
      Add(builder_.Of(filter.predicate, false));
    else
      complete_ = complete_ && choice_.Serves(filter);
  }
  void Add(MaybeCovered covered) {
    complete_ = complete_ && covered && covered->complete;
    extended_ = extended_ || covered;
    if (covered && covered->condition) parts_.push_back(*std::move(covered->condition));
  }

  const CoverBuilder builder_;
  const IndexChoice& choice_;
  std::vector<IndexCondition> parts_;
  bool complete_ = true;
  bool extended_ = false;  // True if the WHERE has a condition that only Widerow's indexes serve.
};

}  // namespace

IndexCover CoverOf(const TableSchema& table, const GroupedWhere& where, const IndexChoice& choice) {
  if (table.indexes.empty()) return {};
  return WhereCover(table, where, choice).Finish();
}

}  // namespace widerow
