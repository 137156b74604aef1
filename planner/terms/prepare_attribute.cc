#include "planner/terms/prepare_attribute.h"

#include "planner/terms/prepare_term.h"
#include "types/value_bytes.h"

namespace widerow {
namespace {

Result<std::optional<Expression>> PrepareNumber(const std::optional<Term>& term, const char* name, TypeKind kind,
                                                Planning& planning) {
  if (!term) return std::optional<Expression>();
  WR_ASSIGN_OR_RETURN(Expression expression, PrepareTerm(*term, {name, ScalarType(kind)}, planning));
  if (IsNullConstant(expression)) return InvalidAt(term->range, std::string("Invalid null value of ") + name);
  return std::optional<Expression>(std::move(expression));
}

// Returns the number if it is a constant.
std::optional<int64_t> ConstantNumber(const std::optional<Expression>& expression) {
  if (!expression) return std::nullopt;
  const auto* constant = std::get_if<ConstantExpression>(&expression->node);
  if (constant == nullptr || !constant->value || constant->value->empty()) return std::nullopt;
  return DecodeInteger(*constant->value);
}

}  // namespace

Result<std::optional<Expression>> PrepareLimit(const std::optional<Term>& limit, const char* marker_name,
                                               Planning& planning) {
  WR_ASSIGN_OR_RETURN(std::optional<Expression> expression,
                      PrepareNumber(limit, marker_name, TypeKind::kInt, planning));
  const std::optional<int64_t> number = ConstantNumber(expression);
  if (number && *number <= 0) return InvalidAt(limit->range, "LIMIT must be strictly positive");
  return expression;
}

Result<std::optional<Expression>> PrepareTimestamp(const UsingClause& clause, Planning& planning) {
  return PrepareNumber(clause.timestamp, "[timestamp]", TypeKind::kBigint, planning);
}

Result<std::optional<Expression>> PrepareTtl(const UsingClause& clause, Planning& planning) {
  return PrepareNumber(clause.ttl, "[ttl]", TypeKind::kInt, planning);
}

}  // namespace widerow
