#include "base/overloaded.h"
#include "parser/print.h"
#include "parser/print_parts.h"

namespace widerow {
namespace {

std::string PrintRelation(const Relation& relation) {
  const std::string start = Print(relation.target) + " " + OperatorText(relation.op);
  if (relation.op == CompareOp::kIsNotNull) return start;
  if (relation.in_list) return start + " (" + PrintTerms(relation.values) + ")";
  return start + " " + PrintTerms(relation.values);
}

// Prints a condition inside another one: AND and OR get parentheses.
std::string PrintNested(const Condition& condition) {
  const bool group =
      std::holds_alternative<OrCondition>(condition.node) || std::holds_alternative<AndCondition>(condition.node);
  return group ? "(" + Print(condition) + ")" : Print(condition);
}

}  // namespace

std::string Print(const RelationTarget& target) {
  switch (target.kind) {
    case RelationTarget::Kind::kColumn: return PrintNames(target.columns);
    case RelationTarget::Kind::kTuple: return "(" + PrintNames(target.columns) + ")";
    case RelationTarget::Kind::kToken: return "token(" + PrintNames(target.columns) + ")";
    case RelationTarget::Kind::kElement: return PrintNames(target.columns) + "[" + Print(target.element[0]) + "]";
    case RelationTarget::Kind::kField: return PrintNames(target.columns) + "." + PrintName(*target.field);
  }
  return "";
}

const char* OperatorText(CompareOp op) {
  switch (op) {
    case CompareOp::kEq: return "=";
    case CompareOp::kNotEq: return "!=";
    case CompareOp::kLt: return "<";
    case CompareOp::kLe: return "<=";
    case CompareOp::kGt: return ">";
    case CompareOp::kGe: return ">=";
    case CompareOp::kIn: return "IN";
    case CompareOp::kNotIn: return "NOT IN";
    case CompareOp::kContains: return "CONTAINS";
    case CompareOp::kNotContains: return "NOT CONTAINS";
    case CompareOp::kContainsKey: return "CONTAINS KEY";
    case CompareOp::kNotContainsKey: return "NOT CONTAINS KEY";
    case CompareOp::kLike: return "LIKE";
    case CompareOp::kMatches: return ":";
    case CompareOp::kIsNotNull: return "IS NOT NULL";
  }
  return "";
}

std::string Print(const Condition& condition) {
  return std::visit(
      Overloaded{
          [](const Relation& c) { return PrintRelation(c); },
          [](const ChainedRelation& c) {
            std::string text = Print(c.low) + " " + OperatorText(c.low_op) + " " + Print(c.target);
            if (c.high_op) text += std::string(" ") + OperatorText(*c.high_op) + " " + PrintTerms(c.high);
            return text;
          },
          [](const BetweenRelation& c) {
            return Print(c.target) + " BETWEEN " + Print(c.low) + " AND " + Print(c.high);
          },
          [](const IndexExpression& c) { return "expr(" + PrintName(c.index) + ", " + Print(c.value) + ")"; },
          [](const OrCondition& c) { return Join(c.terms, " OR ", PrintNested); },
          [](const AndCondition& c) { return Join(c.terms, " AND ", PrintNested); },
          [](const NotCondition& c) { return "NOT " + PrintNested(c.operand[0]); },
      },
      condition.node);
}

std::string PrintWhere(const char* word, const std::vector<Condition>& conditions) {
  if (conditions.empty()) return "";
  if (conditions.size() == 1) return word + Print(conditions[0]);
  return word + Join(conditions, " AND ", PrintNested);
}

}  // namespace widerow
