#include "exec/access/access_control.h"

#include "exec/access/authorize.h"

namespace widerow {

Result<Actor> AccessControl::ActorOf(const RequestParameters& parameters) const {
  if (mode_ == AccessMode::kProcess && parameters.connection == nullptr) return Actor{};
  if (parameters.connection == nullptr || parameters.connection->user == nullptr) {
    return UnauthorizedError("You have not logged in", "this server asks for a role and its password");
  }
  return Actor{parameters.connection->user->RightsAt(version_(), schema_)};
}

Status AccessControl::Check(const Plan& plan, const RequestParameters& parameters) const {
  WR_ASSIGN_OR_RETURN(const Actor actor, ActorOf(parameters));
  if (actor.trusted()) return OkStatus();
  // Reading needs no schema for this.
  if (const auto* select = std::get_if<SelectPlan>(&plan.node)) return AuthorizeRead(*select->table, *actor.rights);
  return Authorize(plan, *actor.rights, *schema_());
}

}  // namespace widerow
