// WHERE and IF clauses.
#pragma once

#include "parser/ast_term.h"

namespace widerow {

enum class CompareOp : uint8_t {
  kEq,
  kNotEq,
  kLt,
  kLe,
  kGt,
  kGe,
  kIn,
  kNotIn,
  kContains,
  kNotContains,
  kContainsKey,
  kNotContainsKey,
  kLike,
  kMatches,  // body : 'words', an extension of CQL.
  kIsNotNull,
};

// The part of a relation that names columns: c, (a, b), token(k), m['x'] or u.f.
struct RelationTarget {
  enum class Kind : uint8_t { kColumn, kTuple, kToken, kElement, kField };
  Kind kind = Kind::kColumn;
  std::vector<Identifier> columns;  // kColumn, kElement, kField: one; kTuple, kToken: one or more.
  std::vector<Term> element;        // kElement: the key or index, exactly one term.
  std::optional<Identifier> field;  // kField: the field.
  SourceRange range;

  friend bool operator==(const RelationTarget& a, const RelationTarget& b) {
    return a.kind == b.kind && a.columns == b.columns && a.element == b.element && a.field == b.field;
  }
};

// c = 1, c IN (1, 2), c IN ?, (a, b) > (1, 2), (a, b) IN ((1, 2), (3, 4)), token(k) > 5, m['x'] = 1, c LIKE 'a%', c :
// 'a'.
struct Relation {
  RelationTarget target;
  CompareOp op = CompareOp::kEq;
  // IN and NOT IN with a list in parentheses: the terms of the list, and in_list is true. IS NOT NULL: none. Others:
  // one term.
  std::vector<Term> values;
  bool in_list = false;
  SourceRange op_range;
  friend bool operator==(const Relation& a, const Relation& b) {
    return a.target == b.target && a.op == b.op && a.values == b.values && a.in_list == b.in_list;
  }
};
// A comparison with the value first (123 < orderid), or with values on both sides (123 < orderid < 456). Without the
// second value, high_op is absent. An extension of CQL.
struct ChainedRelation {
  Term low;
  CompareOp low_op = CompareOp::kLt;  // The operator between low and target: kLt, kLe, kGt, kGe or kEq.
  RelationTarget target;
  std::optional<CompareOp> high_op;
  std::vector<Term> high;  // One term if high_op is set.
  friend bool operator==(const ChainedRelation& a, const ChainedRelation& b) {
    return a.low == b.low && a.low_op == b.low_op && a.target == b.target && a.high_op == b.high_op && a.high == b.high;
  }
};
// target BETWEEN low AND high; both ends are included.
struct BetweenRelation {
  RelationTarget target;
  Term low, high;
  friend bool operator==(const BetweenRelation& a, const BetweenRelation& b) {
    return a.target == b.target && a.low == b.low && a.high == b.high;
  }
};

// expr(index, value): a condition that only a custom index understands.
struct IndexExpression {
  Identifier index;
  Term value;
  friend bool operator==(const IndexExpression&, const IndexExpression&) = default;
};

struct Condition;
// OrCondition, AndCondition and NotCondition are extensions of CQL. OR and AND have two or more terms, NOT has one
// operand. Only an AND under OR or NOT is an AndCondition. The terms of any other AND are in the statement's list of
// conditions.
struct OrCondition {
  std::vector<Condition> terms;
};
struct AndCondition {
  std::vector<Condition> terms;
};
struct NotCondition {
  std::vector<Condition> operand;
};
bool operator==(const OrCondition& a, const OrCondition& b);
bool operator==(const AndCondition& a, const AndCondition& b);
bool operator==(const NotCondition& a, const NotCondition& b);

struct Condition {
  std::variant<Relation, ChainedRelation, BetweenRelation, IndexExpression, OrCondition, AndCondition, NotCondition>
      node;
  SourceRange range;
};
inline bool operator==(const Condition& a, const Condition& b) { return a.node == b.node; }

}  // namespace widerow
