#include "planner/plan_bytes.h"

#include "planner/walk.h"

namespace widerow {
namespace {

size_t OwnBytes(const Expression& expression) {
  size_t bytes = sizeof expression;
  if (const auto* constant = std::get_if<ConstantExpression>(&expression.node)) {
    bytes += constant->value.has_value() ? constant->value->size() : 0;
  } else if (const auto* object = std::get_if<JsonObjectExpression>(&expression.node)) {
    for (const std::string& name : object->names) bytes += sizeof name + name.size();
  }
  return bytes;
}

template <typename Node>  // SelectPlan, ModifyPlan
size_t BytesOfNode(const Node& node) {
  size_t bytes = sizeof node;
  VisitExpressions(node, [&](const Expression& expression) { bytes += OwnBytes(expression); });
  return bytes;
}

}  // namespace

size_t PlanBytes(const Plan& plan) {
  size_t bytes = sizeof plan + plan.markers.size() * sizeof(MarkerSpec);
  for (const std::string& warning : plan.warnings) bytes += sizeof warning + warning.size();
  if (const auto* select = std::get_if<SelectPlan>(&plan.node)) return bytes + BytesOfNode(*select);
  if (const auto* modify = std::get_if<ModifyPlan>(&plan.node)) return bytes + BytesOfNode(*modify);
  if (const auto* explain = std::get_if<ExplainPlan>(&plan.node)) return bytes + PlanBytes(*explain->plan);
  if (const auto* batch = std::get_if<BatchPlan>(&plan.node)) {
    for (const ModifyPlan& statement : batch->statements) bytes += BytesOfNode(statement);
  }
  return bytes;
}

}  // namespace widerow
