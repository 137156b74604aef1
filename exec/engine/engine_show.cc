// Engine::ShowRows.
#include "exec/engine/admitted_request.h"
#include "exec/engine/engine.h"
#include "exec/engine/select_runner.h"
#include "exec/engine/statement_planner.h"

namespace widerow {

Status Engine::ShowRows(const PreparedStatement& statement, const RequestParameters& parameters, RowViewer& viewer) {
  if (parameters.snapshot != nullptr) {
    if (!StatementPlanner::IsPlannedFor(statement, *parameters.snapshot->schema())) {
      WR_ASSIGN_OR_RETURN(const PreparedPtr again, planner_->PlanAgainOn(*parameters.snapshot, statement));
      return ShowRows(*again, parameters, viewer);
    }
  } else if (!planner_->StillValid(statement)) {
    WR_ASSIGN_OR_RETURN(const PreparedPtr again, planner_->PlanAgain(statement));
    return ShowRows(*again, parameters, viewer);
  }
  if (!std::holds_alternative<SelectPlan>(statement.plan->node))
    return InvalidError("Only the rows of a SELECT can be shown one by one", "Execute runs any statement");
  StatementWatch watch(*state_->statements, statement.text, parameters);
  watch.Runs(statement.plan.get());
  const auto show = [&]() -> Result<uint64_t> {
    WR_ASSIGN_OR_RETURN(const Permit permit, state_->gate.Admit(*statement.plan, parameters));
    AdmittedRequest request(permit, statement, parameters, watch.examined());
    return reads_->Show(request, viewer);
  };
  const Result<uint64_t> shown = show();
  if (watch.on()) watch.EndWith(shown.ok() ? nullptr : &shown.error(), shown.ok() ? *shown : 0);
  if (!shown.ok()) return shown.error();
  return OkStatus();
}

}  // namespace widerow
