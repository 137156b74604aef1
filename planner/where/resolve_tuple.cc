#include <algorithm>

#include "base/text.h"
#include "parser/print.h"
#include "planner/terms/assignable.h"
#include "planner/terms/prepare_term.h"
#include "planner/where/resolve_relation.h"

namespace widerow {
namespace {

// Finds adjacent clustering columns in key order. Errors: Cassandra's sentences.
Status ResolveColumns(const Relation& relation, SourceRange range, const Planning& planning,
                      TupleRestriction& restriction) {
  const TableSchema& table = *planning.table;
  std::vector<uint32_t> seen;
  for (const Identifier& name : relation.target.columns) {
    WR_ASSIGN_OR_RETURN(const uint32_t index, FindColumn(table, name));
    const ColumnSchema& column = table.columns[index];
    if (column.kind != ColumnKind::kClustering) {
      return InvalidAt(
          name.range,
          "Multi-column relations can only be applied to clustering columns but was applied to: " + column.name);
    }
    if (std::find(seen.begin(), seen.end(), index) != seen.end()) {
      return InvalidAt(name.range, "Column \"" + column.name +
                                       "\" appeared twice in a relation: " + RelationText(relation, planning));
    }
    if (!seen.empty() && index != seen.back() + 1) {
      return InvalidAt(range, "Clustering columns must appear in the PRIMARY KEY order in multi-column relations: " +
                                  RelationText(relation, planning));
    }
    seen.push_back(index);
  }
  restriction.first = seen.front();
  restriction.width = static_cast<uint32_t>(seen.size());
  return OkStatus();
}

std::vector<std::string> ColumnNames(const TupleRestriction& restriction, const TableSchema& table) {
  std::vector<std::string> names;
  for (uint32_t i = 0; i < restriction.width; ++i) names.push_back(table.columns[restriction.first + i].name);
  return names;
}

TypePtr TupleOf(const TupleRestriction& restriction, const TableSchema& table) {
  std::vector<TypePtr> types;
  for (uint32_t i = 0; i < restriction.width; ++i) types.push_back(table.columns[restriction.first + i].type);
  return TupleType(std::move(types));
}

// Prepares (1, 2), or a marker for the whole tuple.
Result<std::vector<Expression>> PrepareTupleValue(const Term& term, TupleRestriction& restriction, Planning& planning) {
  const TableSchema& table = *planning.table;
  std::vector<Expression> values;
  if (const auto* marker = std::get_if<BindMarker>(&term.node)) {
    const Receiver receiver{"(" + JoinNames(ColumnNames(restriction, table), ",") + ")", TupleOf(restriction, table)};
    values.push_back(MakeMarker(*marker, term.range, receiver, planning));
    if (restriction.width == 1) {  // Compare the one field itself: no tuple is needed.
      values[0] = {FieldExpression{{values[0]}, 0}, table.columns[restriction.first].type, term.range};
    } else {
      restriction.tuple_valued = true;
    }
    return values;
  }
  const auto* tuple = std::get_if<TupleTerm>(&term.node);
  // (c) = 5 compares one column, with or without parentheses around 5.
  const std::vector<Term> single{term};
  const std::vector<Term>& elements = tuple != nullptr ? tuple->elements : single;
  if (elements.size() != restriction.width) {
    const std::string text = tuple != nullptr ? TermText(term, planning) : "(" + TermText(term, planning) + ")";
    return InvalidAt(term.range, "Expected " + std::to_string(restriction.width) +
                                     " elements in value tuple, but got " + std::to_string(elements.size()) + ": " +
                                     text);
  }
  for (uint32_t i = 0; i < restriction.width; ++i) {
    WR_ASSIGN_OR_RETURN(values.emplace_back(),
                        PrepareTerm(elements[i], ReceiverOf(table.columns[restriction.first + i]), planning));
  }
  return values;
}

// Turns a tuple of one column into a restriction on that column.
Restriction Simplified(TupleRestriction tuple) {
  if (tuple.width != 1 || tuple.list_valued) return tuple;
  ColumnRestriction column{tuple.first, tuple.op, {}, tuple.range, true};
  column.values.is_in = tuple.op == CompareOp::kIn;
  column.values.tuple_field = 0;
  for (std::vector<Expression>& value : tuple.tuples) column.values.values.push_back(std::move(value[0]));
  return column;
}

Result<Restriction> NotEqual(TupleRestriction tuple, const Relation& relation, Planning& planning) {
  FilterRestriction filter;
  for (uint32_t i = 0; i < tuple.width; ++i) filter.columns.push_back(tuple.first + i);
  filter.operator_text = OperatorText(relation.op);
  planning.UseExtension(filter.operator_text);
  if (relation.op == CompareOp::kNotEq)
    filter.refusal = "Unsupported \"!=\" relation: " + RelationText(relation, planning);
  filter.range = tuple.range;
  filter.predicate = ToPredicate(Restriction(std::move(tuple)), *planning.table);
  return Restriction(std::move(filter));
}

}  // namespace

Result<Restriction> ResolveTupleRelation(const Relation& relation, SourceRange range, Planning& planning) {
  TupleRestriction restriction;
  restriction.op = relation.op;
  restriction.range = range;
  WR_RETURN_IF_ERROR(ResolveColumns(relation, range, planning, restriction));
  const bool negated = relation.op == CompareOp::kNotEq || relation.op == CompareOp::kNotIn;
  if (!IsKeyOperator(relation.op) && !negated) {
    return InvalidAt(range, std::string(OperatorText(relation.op)) + " cannot be used for multi-column relations");
  }
  const bool in = relation.op == CompareOp::kIn || relation.op == CompareOp::kNotIn;
  if (in && !relation.in_list) {
    const auto* marker = std::get_if<BindMarker>(&relation.values[0].node);
    if (marker == nullptr)
      return InvalidAt(relation.values[0].range, "IN takes tuples in parentheses or a bind marker");
    const Receiver receiver{"in(" + JoinNames(ColumnNames(restriction, *planning.table), ",") + ")",
                            ListType(TupleOf(restriction, *planning.table))};
    restriction.list_valued = true;
    restriction.tuples.push_back({MakeMarker(*marker, relation.values[0].range, receiver, planning)});
  } else {
    // IN with one tuple is an equality.
    if (restriction.op == CompareOp::kIn && relation.values.size() == 1) restriction.op = CompareOp::kEq;
    for (const Term& term : relation.values) {
      WR_ASSIGN_OR_RETURN(restriction.tuples.emplace_back(), PrepareTupleValue(term, restriction, planning));
    }
  }
  if (negated) return NotEqual(std::move(restriction), relation, planning);
  return Simplified(std::move(restriction));
}

}  // namespace widerow
