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

void VisitColumns(const Expression& expression, const std::function<void(uint32_t)>& visit) {
  std::visit(Overloaded{
                 [](const ConstantExpression&) {},
                 [](const MarkerExpression&) {},
                 [](const ChoiceExpression&) {},
                 [](const RowTokenExpression&) {},
                 [&](const ColumnExpression& column) { visit(column.column); },
                 [&](const CellTimeExpression& time) { visit(time.column); },
                 [&](const CallExpression& call) { VisitAll(call.arguments, visit); },
                 [&](const CompositeExpression& composite) { VisitAll(composite.parts, visit); },
                 [&](const FieldExpression& field) { VisitAll(field.base, visit); },
                 [&](const ElementExpression& element) {
                   VisitAll(element.base, visit);
                   VisitAll(element.index, visit);
                 },
                 [&](const SliceExpression& slice) {
                   VisitAll(slice.base, visit);
                   VisitAll(slice.from, visit);
                   VisitAll(slice.to, visit);
                 },
             },
             expression.node);
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
