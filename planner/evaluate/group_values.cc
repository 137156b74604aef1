#include "planner/evaluate/group_values.h"

#include "base/overloaded.h"
#include "planner/function.h"

namespace widerow {
namespace {

class Gatherer {
 public:
  explicit Gatherer(std::vector<Expression>& values) : values_(values) {}

  void Gather(Expression& expression) {
    std::visit(
        Overloaded{
            [](const ConstantExpression&) {},
            [](const MarkerExpression&) {},
            [](const ChoiceExpression&) {},
            [](const GroupValueExpression&) {},
            [](const JsonMemberExpression&) {},
            [&](const ColumnExpression&) { Take(expression); },
            [&](const RowTokenExpression&) { Take(expression); },
            [&](const CellTimeExpression&) { Take(expression); },
            [&](CallExpression& call) { call.function->is_aggregate() ? Take(expression) : GatherAll(call.arguments); },
            [&](CompositeExpression& composite) { GatherAll(composite.parts); },
            [&](FieldExpression& field) { GatherAll(field.base); },
            [&](ElementExpression& element) {
              GatherAll(element.base);
              GatherAll(element.index);
            },
            [&](SliceExpression& slice) {
              GatherAll(slice.base);
              GatherAll(slice.from);
              GatherAll(slice.to);
            },
            [&](JsonObjectExpression& object) { GatherAll(object.values); },
        },
        expression.node);
  }

 private:
  void GatherAll(std::vector<Expression>& expressions) {
    for (Expression& expression : expressions) Gather(expression);
  }

  void Take(Expression& expression) {
    Expression reference{GroupValueExpression{static_cast<uint32_t>(values_.size())}, expression.type,
                         expression.range};
    if (const auto* column = std::get_if<ColumnExpression>(&expression.node)) {
      for (uint32_t i = 0; i < values_.size(); ++i) {
        const auto* known = std::get_if<ColumnExpression>(&values_[i].node);
        if (known == nullptr || known->column != column->column) continue;
        reference.node = GroupValueExpression{i};
        expression = std::move(reference);
        return;
      }
    }
    values_.push_back(std::move(expression));
    expression = std::move(reference);
  }

  std::vector<Expression>& values_;
};

}  // namespace

void GatherGroupValues(std::vector<OutputColumn>& output, std::vector<Expression>& group_values) {
  Gatherer gatherer(group_values);
  for (OutputColumn& column : output) gatherer.Gather(column.expression);
}

}  // namespace widerow
