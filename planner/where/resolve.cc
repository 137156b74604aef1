// ResolveCondition visits the tree of conditions. ResolveRelation (resolve_relation.h) handles relations. A chained
// comparison or a BETWEEN becomes two relations. OR and NOT become one filter, whose parts ResolveNested handles.
// ResolveWhere then checks index expressions and LIKE. ToPredicate turns a restriction into a condition on a row.
#include "planner/where/resolve.h"

#include <absl/container/flat_hash_map.h>

#include <algorithm>

#include "base/overloaded.h"
#include "base/text.h"
#include "parser/print.h"
#include "planner/analyzed.h"
#include "planner/where/group.h"
#include "planner/where/resolve_relation.h"

namespace widerow {
namespace {

using Restrictions = std::vector<Restriction>;

// Returns the operator after the two sides are exchanged: 3 < c becomes c > 3.
CompareOp Mirror(CompareOp op) {
  switch (op) {
    case CompareOp::kLt: return CompareOp::kGt;
    case CompareOp::kLe: return CompareOp::kGe;
    case CompareOp::kGt: return CompareOp::kLt;
    case CompareOp::kGe: return CompareOp::kLe;
    default: return op;
  }
}

Status ResolveCondition(const Condition& condition, Planning& planning, Restrictions& out);

Status AddRelation(const RelationTarget& target, CompareOp op, const Term& value, SourceRange range, Planning& planning,
                   Restrictions& out) {
  Relation relation;
  relation.target = target;
  relation.op = op;
  relation.values.push_back(value);
  relation.op_range = range;
  WR_ASSIGN_OR_RETURN(Restriction restriction, ResolveRelation(relation, range, planning));
  out.push_back(std::move(restriction));
  return OkStatus();
}

Status ResolveChained(const ChainedRelation& chain, SourceRange range, Planning& planning, Restrictions& out) {
  planning.UseExtension(chain.high_op ? "a chained comparison" : "a comparison that begins with the value");
  WR_RETURN_IF_ERROR(AddRelation(chain.target, Mirror(chain.low_op), chain.low, range, planning, out));
  if (!chain.high_op) return OkStatus();
  return AddRelation(chain.target, *chain.high_op, chain.high[0], range, planning, out);
}

Status ResolveBetween(const BetweenRelation& between, SourceRange range, Planning& planning, Restrictions& out) {
  planning.UseExtension("BETWEEN");
  WR_RETURN_IF_ERROR(AddRelation(between.target, CompareOp::kGe, between.low, range, planning, out));
  return AddRelation(between.target, CompareOp::kLe, between.high, range, planning, out);
}

void AddColumns(const Restriction& restriction, std::vector<uint32_t>& columns) {
  const auto add = [&](uint32_t column) {
    if (std::find(columns.begin(), columns.end(), column) == columns.end()) columns.push_back(column);
  };
  std::visit(Overloaded{
                 [&](const ColumnRestriction& r) { add(r.column); },
                 [&](const TupleRestriction& r) {
                   for (uint32_t i = 0; i < r.width; ++i) add(r.first + i);
                 },
                 [&](const TokenRestriction&) {},
                 [&](const FilterRestriction& r) {
                   for (const uint32_t column : r.columns) add(column);
                 },
             },
             restriction);
}

// Resolves the part under OR, NOT or parentheses into one predicate.
Result<Predicate> ResolveNested(const Condition& condition, Planning& planning, std::vector<uint32_t>& columns) {
  Restrictions restrictions;
  WR_RETURN_IF_ERROR(ResolveCondition(condition, planning, restrictions));
  AndPredicate all;
  for (const Restriction& restriction : restrictions) {
    AddColumns(restriction, columns);
    all.terms.push_back(ToPredicate(restriction, *planning.table));
  }
  if (all.terms.size() == 1) return std::move(all.terms[0]);
  return Predicate{std::move(all)};
}

Status ResolveOr(const OrCondition& condition, SourceRange range, Planning& planning, Restrictions& out) {
  planning.UseExtension("OR");
  FilterRestriction filter;
  OrPredicate any;
  for (const Condition& term : condition.terms) {
    WR_ASSIGN_OR_RETURN(any.terms.emplace_back(), ResolveNested(term, planning, filter.columns));
  }
  filter.predicate.node = std::move(any);
  filter.operator_text = "OR";
  filter.range = range;
  out.emplace_back(std::move(filter));
  return OkStatus();
}

Status ResolveNot(const NotCondition& condition, SourceRange range, Planning& planning, Restrictions& out) {
  planning.UseExtension("NOT");
  FilterRestriction filter;
  NotPredicate negated;
  WR_ASSIGN_OR_RETURN(negated.operand.emplace_back(), ResolveNested(condition.operand[0], planning, filter.columns));
  filter.predicate.node = std::move(negated);
  filter.operator_text = "NOT";
  filter.range = range;
  out.emplace_back(std::move(filter));
  return OkStatus();
}

Status ResolveCondition(const Condition& condition, Planning& planning, Restrictions& out) {
  const SourceRange range = condition.range;
  return std::visit(Overloaded{
                        [&](const Relation& relation) -> Status {
                          WR_ASSIGN_OR_RETURN(Restriction restriction, ResolveRelation(relation, range, planning));
                          out.push_back(std::move(restriction));
                          return OkStatus();
                        },
                        [&](const ChainedRelation& chain) { return ResolveChained(chain, range, planning, out); },
                        [&](const BetweenRelation& between) { return ResolveBetween(between, range, planning, out); },
                        [&](const IndexExpression&) { return OkStatus(); },  // ResolveWhere checks these at the end.
                        [&](const OrCondition& any) { return ResolveOr(any, range, planning, out); },
                        [&](const AndCondition& all) -> Status {
                          for (const Condition& term : all.terms)
                            WR_RETURN_IF_ERROR(ResolveCondition(term, planning, out));
                          return OkStatus();
                        },
                        [&](const NotCondition& negated) { return ResolveNot(negated, range, planning, out); },
                    },
                    condition.node);
}

Expression ColumnOf(const TableSchema& table, uint32_t column, SourceRange range) {
  return {ColumnExpression{column}, table.columns[column].type, range};
}

// Brings both sides of a comparison into the form in which the column's index compares text (planner/analyzed.h).
void Analyze(const TextAnalysis& analysis, Comparison& comparison) {
  if (!analysis.any()) return;
  comparison.left = Analyzed(std::move(comparison.left), analysis);
  comparison.right[0] = Analyzed(std::move(comparison.right[0]), analysis);
}

Predicate TuplePredicate(const TupleRestriction& restriction, const TableSchema& table) {
  std::vector<TypePtr> types;
  CompositeExpression left;
  for (uint32_t i = 0; i < restriction.width; ++i) {
    types.push_back(table.columns[restriction.first + i].type);
    left.parts.push_back(ColumnOf(table, restriction.first + i, restriction.range));
  }
  const TypePtr type = TupleType(types);
  Comparison comparison;
  comparison.left = {std::move(left), type, restriction.range};
  comparison.op = restriction.op;
  comparison.list_valued = restriction.list_valued;
  for (const std::vector<Expression>& tuple : restriction.tuples) {
    const bool whole = restriction.list_valued || tuple.size() != restriction.width;
    comparison.right.push_back(whole ? tuple[0] : Expression{CompositeExpression{tuple}, type, restriction.range});
  }
  return {std::move(comparison)};
}

// Refuses index expressions. In Cassandra only custom indexes serve them.
Status RefuseIndexExpressions(const std::vector<Condition>& where, const TableSchema& table) {
  const Condition* first = nullptr;
  for (const Condition& condition : where) {
    if (!std::holds_alternative<IndexExpression>(condition.node)) continue;
    if (first != nullptr) {
      return InvalidAt(condition.range, "Multiple custom index expressions in a single query are not supported");
    }
    first = &condition;
  }
  if (first == nullptr) return OkStatus();
  const std::string& name = std::get<IndexExpression>(first->node).index.text;
  const IndexSchema* const index = table.FindIndex(name);
  if (index == nullptr) {
    return InvalidAt(first->range,
                     "Invalid index expression, index " + name + " not found for " + table.keyspace + "." + table.name);
  }
  if (index->kind == IndexKind::kComposites) {
    return InvalidAt(first->range,
                     "Only CUSTOM indexes may be used in custom index expressions, " + name + " is not valid");
  }
  return InvalidAt(first->range, "Index " + name + " does not support custom expressions",
                   "restrict " + table.FindId(index->column)->name + " itself");
}

size_t CountRelations(const Condition& condition) {
  const auto count = [](const std::vector<Condition>& terms) {
    size_t all = 0;
    for (const Condition& term : terms) all += CountRelations(term);
    return all;
  };
  return std::visit(Overloaded{
                        [&](const OrCondition& any) { return count(any.terms); },
                        [&](const AndCondition& all) { return count(all.terms); },
                        [&](const NotCondition& negated) { return count(negated.operand); },
                        [](const auto&) { return size_t{1}; },
                    },
                    condition.node);
}

Status CheckCount(const std::vector<Condition>& where) {
  size_t relations = 0;
  for (const Condition& condition : where) {
    relations += CountRelations(condition);
    if (relations <= kRelationsMax) continue;
    return InvalidAt(condition.range, StrCat("WHERE has too many relations: the maximum is ", kRelationsMax),
                     "use IN for many values of one column");
  }
  return OkStatus();
}

// Returns the error for a column with a LIKE and another restriction. `first` is the restriction that comes first, or
// null if the LIKE comes first.
Error BesideLike(const std::string& name, const ColumnRestriction* first, SourceRange range) {
  const bool many = first != nullptr && first->op == CompareOp::kIn &&
                    (first->values.list_valued || first->values.values.size() != 1);
  const bool slice = first != nullptr && first->op != CompareOp::kEq && first->op != CompareOp::kIn;
  if (slice) {
    return InvalidAt(range,
                     "Column \"" + name + "\" cannot be restricted by both an equality and an inequality relation");
  }
  return InvalidAt(range, name + " cannot be restricted by more than one relation if it includes " +
                              (first == nullptr ? "a LIKE"
                               : many           ? "a IN"
                                                : "an Equal"));
}

// Refuses other conditions on a column that has a LIKE.
Status CheckLikes(const Restrictions& restrictions, const TableSchema& table) {
  // The first restriction of each column; null if it is a LIKE.
  absl::flat_hash_map<uint32_t, const ColumnRestriction*> seen;
  for (const Restriction& restriction : restrictions) {
    const auto* filter = std::get_if<FilterRestriction>(&restriction);
    const auto* column = std::get_if<ColumnRestriction>(&restriction);
    const bool like = filter != nullptr && filter->kind == FilterRestriction::Kind::kLike;
    if (!like && column == nullptr) continue;
    const uint32_t at = like ? filter->columns[0] : column->column;
    const auto [first, is_first] = seen.try_emplace(at, like ? nullptr : column);
    if (is_first || (first->second != nullptr && !like)) continue;
    return BesideLike(table.columns[at].name, first->second, like ? filter->range : column->range);
  }
  return OkStatus();
}

}  // namespace

Result<std::vector<Restriction>> ResolveWhere(const std::vector<Condition>& where, AfterSlice after,
                                              Planning& planning) {
  WR_RETURN_IF_ERROR(CheckCount(where));
  Restrictions restrictions;
  for (const Condition& condition : where) {
    Status resolved = ResolveCondition(condition, planning, restrictions);
    if (resolved.ok()) continue;
    // As in Cassandra, if earlier relations do not fit together, the error about them is returned instead of this one.
    WR_RETURN_IF_ERROR(CheckLikes(restrictions, *planning.table));
    const auto grouped = GroupRestrictions(std::move(restrictions), *planning.table, after);
    if (!grouped.ok()) return grouped.error();
    return std::move(resolved).error();
  }
  WR_RETURN_IF_ERROR(RefuseIndexExpressions(where, *planning.table));
  WR_RETURN_IF_ERROR(CheckLikes(restrictions, *planning.table));
  return restrictions;
}

Predicate ToPredicate(const Restriction& restriction, const TableSchema& table) {
  return std::visit(
      Overloaded{
          [&](const ColumnRestriction& r) {
            Comparison comparison{ColumnOf(table, r.column, r.range), r.op, r.values.values, r.values.list_valued};
            if (r.op == CompareOp::kEq) Analyze(AnalysisOf(table, r.column), comparison);
            return Predicate{std::move(comparison)};
          },
          [&](const TupleRestriction& r) { return TuplePredicate(r, table); },
          [&](const TokenRestriction& r) {
            Expression token{RowTokenExpression{}, ScalarType(TypeKind::kBigint), r.range};
            return Predicate{Comparison{std::move(token), r.op, {r.value}, false}};
          },
          [&](const FilterRestriction& r) { return r.predicate; },
      },
      restriction);
}

}  // namespace widerow
