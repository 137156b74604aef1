#include "exec/prepared/prepared_statement.h"

#include "exec/rows/projection.h"
#include "exec/select/point_read.h"
#include "planner/plan_bytes.h"

namespace widerow {

void PreparedStatement::SetPlan(Plan made) {
  plan = std::make_shared<const Plan>(std::move(made));
  const auto* select = std::get_if<SelectPlan>(&plan->node);
  projection = select == nullptr ? nullptr : Projection::Of(*select);
  point = PointRead::Of(*plan, projection);
}

size_t PreparedStatement::HeldBytes() const {
  // DDL keeps its syntax tree, which is larger than the text.
  constexpr size_t kTreeBytesPerTextByte = 16;
  const bool has_tree = plan->tables.empty();
  size_t bytes = sizeof *this + text.size() * (has_tree ? kTreeBytesPerTextByte : 1) + PlanBytes(*plan);
  if (columns == nullptr) return bytes;
  for (const ResultColumn& column : *columns)
    bytes += sizeof column + column.keyspace.size() + column.table.size() + column.name.size();
  return bytes;
}

}  // namespace widerow
