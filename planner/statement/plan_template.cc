// Templater replaces the constants of a plan by markers. It finds a constant of the plan by its range in the text, and
// checks that the text's constant has the same bytes. The planner may have copied a constant into the expressions of
// generated columns and of derived keys; the copies get the marker of the original. The result is a template if all
// constants of the text were found and none is left in the plan.
#include "planner/statement/plan_template.h"

#include <algorithm>

#include "base/overloaded.h"
#include "planner/terms/prepare_term.h"
#include "planner/walk.h"

namespace widerow {
namespace {

Value ConstantBytes(const TypePtr& type, const TextConstant& constant, std::string_view text) {
  Result<Expression> made = PrepareLiteral(LiteralOf(constant, text), constant.range, {.name = {}, .type = type});
  if (!made.ok()) return std::nullopt;
  return std::move(std::get<ConstantExpression>(made->node).value);
}

// Puts markers in place of the text's constants.
class Templater {
 public:
  Templater(const StatementShape& shape, std::string_view text)
      : shape_(shape), text_(text), markers_(shape.constants.size()) {}

  void Replace(Expression& expression) {
    const auto* constant = std::get_if<ConstantExpression>(&expression.node);
    if (constant == nullptr || !constant->value) return;
    for (size_t i = 0; i < shape_.constants.size(); ++i) {
      if (shape_.constants[i].range != expression.range) continue;
      if (ConstantBytes(expression.type, shape_.constants[i], text_) != constant->value) return;
      TypePtr& type = markers_[i].type;
      if (type == nullptr) {
        ++found_;
        type = expression.type;
      } else if (type->kind != expression.type->kind) {
        return;
      }
      expression.node = MarkerExpression{static_cast<uint32_t>(i)};
      return;
    }
  }
  void Replace(std::optional<Expression>& expression) {
    if (expression) Replace(*expression);
  }
  void Replace(KeyValues& values) {
    if (!values.is_in && !values.list_valued && values.values.size() == 1) Replace(values.values[0]);
  }
  void Replace(std::vector<KeyValues>& key) {
    for (KeyValues& values : key) Replace(values);
  }
  void Replace(ClusteringSelection& selection) {
    for (auto& part : selection.prefix) {
      if (auto* values = std::get_if<KeyValues>(&part)) Replace(*values);
    }
    for (std::optional<ClusteringBound>* bound : {&selection.lower, &selection.upper}) {
      if (!*bound || (*bound)->tuple_valued) continue;
      for (Expression& value : (*bound)->values) Replace(value);
    }
  }

  // Replaces the copies of constants in derived keys. Call it after the originals have been replaced.
  void ReplaceDerived(std::vector<KeyValues>& key) {
    for (KeyValues& values : key) ReplaceDerived(values);
  }
  void ReplaceDerived(KeyValues& values) {
    for (Expression& value : values.values) ReplaceDerived(value);
  }
  void ReplaceDerived(ClusteringSelection& selection) {
    for (auto& part : selection.prefix) {
      if (auto* values = std::get_if<KeyValues>(&part)) ReplaceDerived(*values);
    }
    for (std::optional<ClusteringBound>* bound : {&selection.lower, &selection.upper}) {
      if (!*bound) continue;
      for (Expression& value : (*bound)->values) ReplaceDerived(value);
    }
  }
  void ReplaceDerived(Expression& expression) {
    auto* call = std::get_if<CallExpression>(&expression.node);
    if (call == nullptr) return;
    for (Expression& argument : call->arguments) {
      ReplaceDerived(argument);
      const auto* constant = std::get_if<ConstantExpression>(&argument.node);
      if (constant == nullptr || !constant->value) continue;
      for (size_t i = 0; i < shape_.constants.size(); ++i) {
        if (shape_.constants[i].range != argument.range) continue;
        const TypePtr& type = markers_[i].type;
        if (type != nullptr && type->kind == argument.type->kind) {
          argument.node = MarkerExpression{static_cast<uint32_t>(i)};
        }
      }
    }
  }

  // True if the expression is a constant of the text. Such a constant would be wrong for other texts of the same shape.
  bool IsOfText(const Expression& expression) const {
    return std::holds_alternative<ConstantExpression>(expression.node) &&
           std::ranges::any_of(shape_.constants,
                               [&](const TextConstant& constant) { return constant.range == expression.range; });
  }
  bool found_all() const { return found_ == shape_.constants.size(); }
  std::vector<MarkerSpec> TakeMarkers() { return std::move(markers_); }

 private:
  const StatementShape& shape_;
  const std::string_view text_;
  std::vector<MarkerSpec> markers_;
  size_t found_ = 0;
};

bool TakesConstant(CellOperation::Kind kind) {
  return kind == CellOperation::Kind::kAssign || kind == CellOperation::Kind::kIncrement ||
         kind == CellOperation::Kind::kDecrement || kind == CellOperation::Kind::kAdd;
}

void ReplaceIn(ModifyPlan& plan, Templater& templater) {
  templater.Replace(plan.partition_key);
  templater.Replace(plan.clustering);
  for (CellOperation& operation : plan.operations) {
    if (TakesConstant(operation.kind)) templater.Replace(operation.value);
  }
  for (ColumnCondition& condition : plan.conditions) {
    if (condition.op != CompareOp::kIn && !condition.element) templater.Replace(condition.values[0]);
  }
  templater.Replace(plan.timestamp);
  templater.Replace(plan.ttl);
  templater.ReplaceDerived(plan.partition_key);
  templater.ReplaceDerived(plan.clustering);
  for (Expression& check : plan.checks) templater.ReplaceDerived(check);
}

void ReplaceIn(SelectPlan& plan, Templater& templater) {
  if (auto* point = std::get_if<PointLookup>(&plan.access)) {
    templater.Replace(point->partition_key);
    templater.Replace(point->clustering);
    templater.ReplaceDerived(point->partition_key);
    templater.ReplaceDerived(point->clustering);
  } else if (auto* slice = std::get_if<PartitionSlice>(&plan.access)) {
    templater.Replace(slice->partition_key);
    templater.Replace(slice->clustering);
    templater.ReplaceDerived(slice->partition_key);
    templater.ReplaceDerived(slice->clustering);
  }
  templater.Replace(plan.limit);
  templater.Replace(plan.per_partition_limit);
}

// Replaces the constants of a plan by markers. False if this is not possible.
template <typename OnePlan>
bool MakeTemplate(OnePlan& plan, Templater& templater) {
  ReplaceIn(plan, templater);
  bool left = false;
  VisitExpressions(plan, [&](const Expression& part) { left = left || templater.IsOfText(part); });
  return !left && templater.found_all();
}

}  // namespace

std::optional<Plan> MakePlanTemplate(const Plan& plan, const StatementShape& shape, std::string_view text) {
  // A plan with warnings has no template, because a warning may depend on a constant.
  if (shape.constants.empty() || !plan.markers.empty() || !plan.warnings.empty()) return std::nullopt;
  Plan made = plan;
  Templater templater(shape, text);
  const bool complete = std::visit(
      Overloaded{[&](SelectPlan& node) { return MakeTemplate(node, templater); },
                 [&](ModifyPlan& node) { return MakeTemplate(node, templater); }, [](const auto&) { return false; }},
      made.node);
  if (!complete) return std::nullopt;
  made.markers = templater.TakeMarkers();
  return made;
}

Value ConstantFor(const Plan& plan_template, size_t marker, const TextConstant& constant, std::string_view text) {
  return ConstantBytes(plan_template.markers[marker].type, constant, text);
}

}  // namespace widerow
