// BindIndexCondition binds each look-up: BindTerm, BindTerms, BindText and BindLookup make the ranges of terms.
#include "exec/derived/bind_lookup.h"

#include <algorithm>

#include "base/check.h"
#include "base/overloaded.h"
#include "planner/analyzed.h"
#include "types/nullable_list.h"
#include "types/order_codec.h"

namespace widerow {
namespace {

Result<Value> NeedValue(const Expression& expression, const EvaluationContext& context) {
  if (IsUnset(expression, context)) return Value();  // The filter's check refuses an unset value with its own message.
  return Evaluate(expression, context);
}

// Refuses values that a plain index cannot have, as Cassandra does.
Status CheckValues(const IndexSchema& index, const std::vector<Bytes>& values) {
  constexpr size_t kValueBytesMax = 65'535;
  if (index.kind != IndexKind::kComposites || values.empty()) return OkStatus();
  // In Cassandra's entry for a map, two bytes of length precede the key and the value, and one byte follows each.
  const size_t bytes = values.size() == 1 ? values[0].size() : values[0].size() + values[1].size() + 6;
  if (bytes <= kValueBytesMax) return OkStatus();
  return InvalidError("Index expression values may not be larger than 64K",
                      "the index " + index.name + " has no longer values");
}

// Returns the values of a look-up; none if one of them is null or unset.
Result<std::vector<Bytes>> ValuesOf(const IndexLookup& lookup, const EvaluationContext& context) {
  std::vector<Bytes> values;
  for (const Expression& expression : lookup.values) {
    WR_ASSIGN_OR_RETURN(Value value, NeedValue(expression, context));
    if (!value) return std::vector<Bytes>();
    values.push_back(std::move(*value));
  }
  return values;
}

// Refuses patterns that the index does not serve.
Status CheckPattern(const std::optional<LikePattern>& like, const IndexSchema& index, const ColumnSchema& column) {
  if (!like) return InvalidError("LIKE value can't be empty.");
  const auto mode = index.options.find("mode");
  const bool contains = mode != index.options.end() && mode->second == "CONTAINS";
  const bool suffix = like->kind == LikePattern::Kind::kSuffix;
  if (contains && like->kind == LikePattern::Kind::kPrefix && WordsOf(index, column) != nullptr) {
    return InvalidError(
        column.name + " LIKE '<term>%' " + Bytes(like->term) + " is only supported on properly indexed columns",
        "an index of words WITH OPTIONS = {'mode': 'PREFIX'} serves it");
  }
  if (contains || (!suffix && like->kind != LikePattern::Kind::kContains)) return OkStatus();
  return InvalidError(column.name + " LIKE '%<term>" + (suffix ? "' " : "%' ") + Bytes(like->term) +
                          " is only supported on properly indexed columns",
                      "an index WITH OPTIONS = {'mode': 'CONTAINS'} serves it");
}

// Returns the entries of the values or words that match a pattern. The text of `like` must be in the form in which the
// index stores texts.
BoundLookup BindPattern(const LikePattern& like, const IndexTerms& terms, BoundLookup bound) {
  switch (like.kind) {
    case LikePattern::Kind::kMatches:
      bound.one = true;
      bound.first = terms.OfWord(like.term);
      break;
    case LikePattern::Kind::kPrefix:
      bound.first = terms.FirstWithPrefix(like.term);
      bound.end = ByteSuccessor(bound.first);
      break;
    case LikePattern::Kind::kSuffix:
    case LikePattern::Kind::kContains: bound.like.emplace(like.kind, like.term); break;
  }
  return bound;
}

Status CheckBuilt(const TableSchema& table, const IndexLookup& lookup) {
  const IndexSchema* const index = table.FindIndex(lookup.index);
  WR_CHECK(index != nullptr);
  return CheckBuilt(*index);
}

std::optional<BoundLookup> BindTerm(ByteView value, const IndexTerms& terms, BoundLookup bound) {
  std::vector<Bytes> found;
  terms.OfValue(value, found);
  if (found.empty()) return std::nullopt;
  bound.one = true;
  bound.first = std::move(found[0]);
  return bound;
}

// Binds a look-up of the kinds kTerm, kEntry and kRange.
Result<std::optional<BoundLookup>> BindLookup(const TableSchema& table, const IndexLookup& lookup,
                                              const EvaluationContext& context) {
  const IndexSchema* const index = table.FindIndex(lookup.index);
  const ColumnSchema& column = *table.FindId(index->column);
  const IndexTerms terms(column, *index);
  BoundLookup bound{.entries = index->entries};
  bound.whole_partitions = column.kind == ColumnKind::kStatic || column.kind == ColumnKind::kPartitionKey;
  WR_ASSIGN_OR_RETURN(const std::vector<Bytes> values, ValuesOf(lookup, context));
  if (values.empty() && !lookup.values.empty()) return std::optional<BoundLookup>();
  WR_RETURN_IF_ERROR(CheckValues(*index, values));
  switch (lookup.kind) {
    case IndexLookup::Kind::kTerm: return BindTerm(values[0], terms, std::move(bound));
    case IndexLookup::Kind::kEntry:
      bound.one = true;
      bound.first = terms.OfEntry(values[0], values[1]);
      return std::optional(std::move(bound));
    case IndexLookup::Kind::kLike:
    case IndexLookup::Kind::kWords:
    case IndexLookup::Kind::kTerms:
    case IndexLookup::Kind::kRange: break;
  }
  const auto edge = [&](const IndexBound& of, bool behind) -> Result<std::optional<Bytes>> {
    WR_ASSIGN_OR_RETURN(const Value value, NeedValue(of.value, context));
    if (!value) return std::optional<Bytes>();
    Bytes term;
    AppendComparable(terms.type(), false, *value, term);
    return std::optional(behind ? ByteSuccessor(term) : std::move(term));
  };
  if (lookup.lower) {
    WR_ASSIGN_OR_RETURN(const std::optional<Bytes> first, edge(*lookup.lower, !lookup.lower->inclusive));
    if (!first) return std::optional<BoundLookup>();
    bound.first = *first;
  }
  if (lookup.upper) {
    WR_ASSIGN_OR_RETURN(bound.end, edge(*lookup.upper, lookup.upper->inclusive));
    if (!bound.end || *bound.end <= bound.first) return std::optional<BoundLookup>();
  }
  return std::optional(std::move(bound));
}

// Returns the values of IN that are not null, each once.
Result<std::vector<Bytes>> ListedValues(const IndexLookup& lookup, const EvaluationContext& context) {
  std::vector<Bytes> values;
  for (const Expression& expression : lookup.values) {
    WR_ASSIGN_OR_RETURN(Value value, NeedValue(expression, context));
    if (!value) continue;
    if (!lookup.list_valued) {
      values.push_back(std::move(*value));
      continue;
    }
    WR_ASSIGN_OR_RETURN(const std::vector<ValueView> elements, SplitNullableList(*expression.type, *value));
    for (const ValueView& element : elements) {
      if (element) values.emplace_back(*element);
    }
  }
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

// Joins the parts by `Node`, which is Any or All. If there is only one part, returns this part itself.
template <typename Node>
BoundIndexCondition Join(std::vector<BoundIndexCondition> parts) {
  if (parts.size() == 1) return std::move(parts[0]);
  return {Node{std::move(parts)}};
}

Result<std::optional<BoundIndexCondition>> BindTerms(const TableSchema& table, const IndexLookup& lookup,
                                                     const EvaluationContext& context) {
  const IndexSchema& index = *table.FindIndex(lookup.index);
  const IndexTerms terms(*table.FindId(index.column), index);
  std::vector<BoundIndexCondition> parts;
  WR_ASSIGN_OR_RETURN(const std::vector<Bytes> values, ListedValues(lookup, context));
  for (const Bytes& value : values) {
    auto bound = BindTerm(value, terms, {.entries = index.entries});
    if (bound) parts.push_back({std::move(*bound)});
  }
  if (parts.empty()) return std::optional<BoundIndexCondition>();
  return std::optional(Join<BoundIndexCondition::Any>(std::move(parts)));
}

// Binds a look-up of the kinds kLike and kWords. A query of several words needs the entries of all of them.
Result<std::optional<BoundIndexCondition>> BindText(const TableSchema& table, const IndexLookup& lookup,
                                                    const EvaluationContext& context) {
  const IndexSchema& index = *table.FindIndex(lookup.index);
  const ColumnSchema& column = *table.FindId(index.column);
  const IndexTerms terms(column, index);
  BoundLookup bound{.entries = index.entries};
  bound.whole_partitions = column.kind == ColumnKind::kStatic || column.kind == ColumnKind::kPartitionKey;
  WR_ASSIGN_OR_RETURN(const std::vector<Bytes> values, ValuesOf(lookup, context));
  if (values.empty()) return std::optional<BoundIndexCondition>();
  LikePattern like{.term = values[0]};
  if (lookup.kind == IndexLookup::Kind::kLike) {
    const std::optional<LikePattern> pattern = LikePattern::Parse(values[0]);
    WR_RETURN_IF_ERROR(CheckPattern(pattern, index, column));
    like = *pattern;
  }
  std::vector<BoundIndexCondition> parts;
  if (const AnalyzerPtr& analyzer = terms.analyzer(); analyzer == nullptr) {
    parts.push_back({BindPattern(like, terms, std::move(bound))});
  } else {
    const std::vector<Bytes> words = lookup.kind == IndexLookup::Kind::kLike
                                         ? analyzer->DistinctWords(like.term)
                                         : WordQuery::Parse(like.term, *analyzer).DistinctWords();
    for (const Bytes& word : words) parts.push_back({BindPattern({like.kind, word}, terms, bound)});
    // If an entry stands for a whole partition, only one word is looked up: the filter of the statement tests the other
    // words.
    if (!parts.empty() && bound.whole_partitions) parts.resize(1);
  }
  if (parts.empty()) return std::optional<BoundIndexCondition>();
  return std::optional(Join<BoundIndexCondition::All>(std::move(parts)));
}

}  // namespace

Status CheckBuilt(const IndexSchema& index) {
  if (index.built) return OkStatus();
  return Error{ErrorCode::kReadFailure,
               "The secondary index '" + index.name + "' is not yet available as it is building",
               {},
               "system_views.index_builds shows how far it is"};
}

Result<std::optional<BoundLookup>> BindOrderValues(const TableSchema& table, const IndexOrder& order,
                                                   const EvaluationContext& context) {
  const IndexLookup range{
      .index = order.index, .kind = IndexLookup::Kind::kRange, .lower = order.lower, .upper = order.upper};
  WR_RETURN_IF_ERROR(CheckBuilt(table, range));
  return BindLookup(table, range, context);
}

Status CheckLike(const TableSchema& table, const Comparison& like, const EvaluationContext& context) {
  const auto* const analyzed = std::get_if<CallExpression>(&like.left.node);  // planner/analyzed.h makes this call.
  const Expression& left = analyzed != nullptr ? analyzed->arguments[0] : like.left;
  const ColumnSchema& column = table.columns[std::get<ColumnExpression>(left.node).column];
  const auto index = std::find_if(table.indexes.begin(), table.indexes.end(), [&](const IndexSchema& of) {
    return of.kind == IndexKind::kSasi && of.column == column.id;
  });
  if (index == table.indexes.end()) return OkStatus();
  WR_ASSIGN_OR_RETURN(const Value pattern, NeedValue(like.right[0], context));
  return pattern ? CheckPattern(LikePattern::Parse(*pattern), *index, column) : OkStatus();
}

Result<std::optional<BoundIndexCondition>> BindIndexCondition(const TableSchema& table, const IndexCondition& condition,
                                                              const EvaluationContext& context) {
  using Bound = std::optional<BoundIndexCondition>;
  return std::visit(Overloaded{
                        [&](const IndexLookup& lookup) -> Result<Bound> {
                          WR_RETURN_IF_ERROR(CheckBuilt(table, lookup));
                          if (lookup.kind == IndexLookup::Kind::kTerms) return BindTerms(table, lookup, context);
                          if (lookup.kind == IndexLookup::Kind::kLike || lookup.kind == IndexLookup::Kind::kWords)
                            return BindText(table, lookup, context);
                          WR_ASSIGN_OR_RETURN(auto bound, BindLookup(table, lookup, context));
                          if (!bound) return Bound();
                          return Bound(BoundIndexCondition{std::move(*bound)});
                        },
                        [&](const IndexCondition::All& all) -> Result<Bound> {
                          std::vector<BoundIndexCondition> parts;
                          bool any = true;
                          for (const IndexCondition& part : all.parts) {
                            WR_ASSIGN_OR_RETURN(Bound bound, BindIndexCondition(table, part, context));
                            any = any && bound;
                            if (bound) parts.push_back(std::move(*bound));
                          }
                          return any ? Bound(Join<BoundIndexCondition::All>(std::move(parts))) : Bound();
                        },
                        [&](const IndexCondition::Any& any) -> Result<Bound> {
                          std::vector<BoundIndexCondition> parts;
                          for (const IndexCondition& part : any.parts) {
                            WR_ASSIGN_OR_RETURN(Bound bound, BindIndexCondition(table, part, context));
                            if (bound) parts.push_back(std::move(*bound));
                          }
                          return parts.empty() ? Bound() : Bound(Join<BoundIndexCondition::Any>(std::move(parts)));
                        },
                    },
                    condition.node);
}

Status CheckLookup(const TableSchema& table, const IndexLookup& lookup, const EvaluationContext& context) {
  const IndexSchema* const index = table.FindIndex(lookup.index);
  WR_CHECK(index != nullptr);
  WR_ASSIGN_OR_RETURN(const std::vector<Bytes> values, ValuesOf(lookup, context));
  return CheckValues(*index, values);
}

}  // namespace widerow
