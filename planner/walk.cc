#include "planner/walk.h"

#include "base/overloaded.h"

namespace widerow {
namespace {

void VisitAll(const std::vector<Expression>& expressions, const std::function<void(uint32_t)>& visit) {
  for (const Expression& expression : expressions) VisitColumns(expression, visit);
}

void VisitAll(const std::vector<Predicate>& predicates, const std::function<void(uint32_t)>& visit) {
  for (const Predicate& predicate : predicates) VisitColumns(predicate, visit);
}

}  // namespace

void VisitExpressions(const Expression& expression, const std::function<void(const Expression&)>& visit) {
  visit(expression);
  const auto all = [&](const std::vector<Expression>& parts) {
    for (const Expression& part : parts) VisitExpressions(part, visit);
  };
  std::visit(Overloaded{
                 [](const ConstantExpression&) {},
                 [](const MarkerExpression&) {},
                 [](const ChoiceExpression&) {},
                 [](const RowTokenExpression&) {},
                 [](const ColumnExpression&) {},
                 [](const GroupValueExpression&) {},
                 [](const JsonMemberExpression&) {},
                 [&](const JsonObjectExpression& object) { all(object.values); },
                 [&](const CellTimeExpression& time) {
                   all(time.from);
                   all(time.to);
                 },
                 [&](const CallExpression& call) { all(call.arguments); },
                 [&](const CompositeExpression& composite) { all(composite.parts); },
                 [&](const FieldExpression& field) { all(field.base); },
                 [&](const ElementExpression& element) {
                   all(element.base);
                   all(element.index);
                 },
                 [&](const SliceExpression& slice) {
                   all(slice.base);
                   all(slice.from);
                   all(slice.to);
                 },
             },
             expression.node);
}

void VisitColumns(const Expression& expression, const std::function<void(uint32_t)>& visit) {
  VisitExpressions(expression, [&](const Expression& part) {
    if (const auto* column = std::get_if<ColumnExpression>(&part.node)) visit(column->column);
    if (const auto* time = std::get_if<CellTimeExpression>(&part.node)) visit(time->column);
  });
}

void VisitColumns(const Predicate& predicate, const std::function<void(uint32_t)>& visit) {
  std::visit(Overloaded{
                 [&](const Comparison& comparison) {
                   VisitColumns(comparison.left, visit);
                   VisitAll(comparison.right, visit);
                 },
                 [&](const OrPredicate& any) { VisitAll(any.terms, visit); },
                 [&](const AndPredicate& all) { VisitAll(all.terms, visit); },
                 [&](const NotPredicate& negated) { VisitAll(negated.operand, visit); },
             },
             predicate.node);
}

}  // namespace widerow
