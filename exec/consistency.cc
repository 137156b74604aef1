#include "exec/consistency.h"

#include "planner/plan.h"

namespace widerow {

Status RefuseNodeLocal(ConsistencyLevel level) {
  if (level != ConsistencyLevel::kNodeLocal) return OkStatus();
  return InvalidError(
      "NODE_LOCAL consistency level is highly dangerous and should be used only for debugging purposes");
}

Status CheckConsistency(const Plan& plan, ConsistencyLevel level) {
  WR_RETURN_IF_ERROR(RefuseNodeLocal(level));
  if (std::holds_alternative<SelectPlan>(plan.node) && level == ConsistencyLevel::kAny) {
    return InvalidError("ANY ConsistencyLevel is only supported for writes");
  }
  const bool serial = level == ConsistencyLevel::kSerial || level == ConsistencyLevel::kLocalSerial;
  if (std::holds_alternative<ModifyPlan>(plan.node) && serial) {
    return InvalidError("You must use conditional updates for serializable writes");
  }
  return OkStatus();
}

}  // namespace widerow
