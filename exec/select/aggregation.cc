#include "exec/select/aggregation.h"

#include <algorithm>

namespace widerow {

Aggregation::Aggregation(const SelectPlan& plan) : plan_(plan), values_(plan.group_values.size()) { MakeStates(); }

const CallExpression* Aggregation::Aggregate(size_t i) const {
  const auto* call = std::get_if<CallExpression>(&plan_.group_values[i].node);
  return call != nullptr && call->function->is_aggregate() ? call : nullptr;
}

void Aggregation::MakeStates() {
  states_.clear();
  for (size_t i = 0; i < values_.size(); ++i) {
    const CallExpression* const call = Aggregate(i);
    states_.push_back(call != nullptr ? call->function->make_aggregate() : nullptr);
  }
}

Status Aggregation::Add(const EvaluationContext& context) {
  for (size_t i = 0; i < states_.size(); ++i) {
    if (states_[i] == nullptr) {
      if (any_) continue;
      WR_ASSIGN_OR_RETURN(values_[i], Evaluate(plan_.group_values[i], context));
      continue;
    }
    const std::vector<Expression>& expressions = std::get<CallExpression>(plan_.group_values[i].node).arguments;
    if (scratch_.size() < expressions.size()) scratch_.resize(expressions.size());
    arguments_.assign(expressions.size(), std::nullopt);
    for (size_t n = 0; n < expressions.size(); ++n) {
      WR_ASSIGN_OR_RETURN(arguments_[n], EvaluateView(expressions[n], context, scratch_[n]));
    }
    WR_RETURN_IF_ERROR(states_[i]->Add(arguments_));
  }
  any_ = true;
  return OkStatus();
}

bool Aggregation::merges() const {
  return std::all_of(states_.begin(), states_.end(),
                     [](const auto& state) { return state == nullptr || state->merges(); });
}

void Aggregation::Merge(Aggregation later) {
  for (size_t i = 0; i < states_.size(); ++i) {
    if (states_[i] != nullptr) states_[i]->Merge(*later.states_[i]);
  }
  if (!any_) values_ = std::move(later.values_);
  any_ = any_ || later.any_;
}

Status Aggregation::Finish(EvaluationContext context, RowsWriter& rows) {
  for (size_t i = 0; i < states_.size(); ++i) {
    if (states_[i] == nullptr) continue;
    WR_ASSIGN_OR_RETURN(values_[i], states_[i]->Finish());
  }
  context.row = nullptr;
  context.group_values = values_;
  for (const OutputColumn& output : plan_.output) {
    Bytes scratch;
    WR_ASSIGN_OR_RETURN(const ValueView value, EvaluateView(output.expression, context, scratch));
    rows.Append(value);
  }
  rows.EndRow();
  std::fill(values_.begin(), values_.end(), Value());
  MakeStates();
  any_ = false;
  return OkStatus();
}

}  // namespace widerow
