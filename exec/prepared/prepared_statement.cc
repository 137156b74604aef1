#include "exec/prepared/prepared_statement.h"

#include "exec/rows/projection.h"
#include "exec/select/point_read.h"

namespace widerow {

void PreparedStatement::SetPlan(Plan made) {
  plan = std::make_shared<const Plan>(std::move(made));
  const auto* select = std::get_if<SelectPlan>(&plan->node);
  projection = select == nullptr ? nullptr : Projection::Of(*select);
  point = PointRead::Of(*plan, projection);
}

}  // namespace widerow
