#include "exec/rows/projection.h"

namespace widerow {

std::shared_ptr<const Projection> Projection::Of(const SelectPlan& plan) {
  if (plan.output.size() > kOutputsMax) return nullptr;
  Projection projection;
  projection.output_count_ = plan.output.size();
  for (uint32_t i = 0; i < plan.output.size(); ++i) {
    const auto* column = std::get_if<ColumnExpression>(&plan.output[i].expression.node);
    if (column == nullptr) return nullptr;
    const ColumnSchema& schema = plan.table->columns[column->column];
    if (schema.is_key()) {
      projection.keys_.push_back({i, column->column});
      continue;
    }
    if (schema.kind != ColumnKind::kRegular || schema.type->is_multi_cell() || schema.is_generated()) return nullptr;
    std::vector<uint8_t>& outputs = projection.outputs_;
    if (outputs.size() <= schema.id) outputs.resize(schema.id + 1, kNone);
    if (outputs[schema.id] != kNone) return nullptr;
    outputs[schema.id] = static_cast<uint8_t>(i);
    projection.regulars_.push_back(static_cast<uint8_t>(i));
  }
  return std::make_shared<const Projection>(std::move(projection));
}

}  // namespace widerow
