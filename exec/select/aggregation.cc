#include "exec/select/aggregation.h"

#include <algorithm>

namespace widerow {

Status KeptRoom::Add(size_t bytes) {
  MutexLock lock(mutex_);
  WR_RETURN_IF_ERROR(rows_.MakeRoomBeside(kept_ + bytes));
  kept_ += bytes;
  return OkStatus();
}

void KeptRoom::Remove(size_t bytes) {
  MutexLock lock(mutex_);
  kept_ -= bytes;
}

Status KeptRoom::Ask(size_t bytes) {
  MutexLock lock(mutex_);
  return rows_.AskForRoom(kept_ + bytes);
}

Aggregation::Aggregation(const SelectPlan& plan, KeptRoom& room)
    : plan_(plan), room_(room), values_(plan.group_values.size()) {
  MakeStates();
}

Status Aggregation::CountKept() {
  const size_t more = held_ - counted_;
  WR_RETURN_IF_ERROR(room_.Add(more));
  counted_ += more;
  return OkStatus();
}

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
      if (values_[i]) WR_RETURN_IF_ERROR(Keep(values_[i]->size()));
      continue;
    }
    const std::vector<Expression>& expressions = std::get<CallExpression>(plan_.group_values[i].node).arguments;
    if (scratch_.size() < expressions.size()) scratch_.resize(expressions.size());
    arguments_.assign(expressions.size(), std::nullopt);
    for (size_t n = 0; n < expressions.size(); ++n) {
      WR_ASSIGN_OR_RETURN(arguments_[n], EvaluateView(expressions[n], context, scratch_[n]));
    }
    const size_t held = states_[i]->held_bytes();
    WR_RETURN_IF_ERROR(states_[i]->Add(arguments_));
    WR_RETURN_IF_ERROR(Keep(states_[i]->held_bytes() - held));
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
    WR_RETURN_IF_ERROR(rows.MakeRoomForValue(value.value_or(ByteView()).size()));
    rows.Append(value);
  }
  rows.EndRow();
  std::fill(values_.begin(), values_.end(), Value());
  MakeStates();
  any_ = false;
  held_ = 0;
  if (counted_ > kSmallBytes) room_.Remove(std::exchange(counted_, kSmallBytes) - kSmallBytes);
  return OkStatus();
}

}  // namespace widerow
