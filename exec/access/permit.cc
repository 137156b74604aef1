#include "exec/access/permit.h"

#include "exec/access/access_control.h"

namespace widerow {

Result<Permit> Gate::AdmitPart(const Plan& plan, const RequestParameters& parameters) const {
  if (access_ != nullptr) WR_RETURN_IF_ERROR(CheckAccess(plan, parameters));
  WR_RETURN_IF_ERROR(RefuseNodeLocal(parameters.consistency));
  return Permit(plan);
}

Status Gate::CheckAccess(const Plan& plan, const RequestParameters& parameters) const {
  return access_->Check(plan, parameters);
}

}  // namespace widerow
