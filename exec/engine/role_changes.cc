// The changes of roles and permissions.
#include "exec/access/password_hash.h"
#include "exec/access/role_statements.h"
#include "exec/engine/schema_changes.h"

namespace widerow {

Status SchemaChanges::CommitAccess(const SchemaPtr& before, AccessPtr access) {
  auto next = std::make_shared<SchemaSnapshot>(*before);
  next->access = std::move(access);
  WR_RETURN_IF_ERROR(state_.storage->CommitSchema(VirtualTables::RemoveFrom(next)));
  state_.schema.Store(std::move(next));
  return OkStatus();
}

Status SchemaChanges::EnsureSuperuser(const std::string& password) {
  MutexLock lock(mutex_);
  const SchemaPtr before = state_.Schema();
  if (before->access != nullptr && !before->access->roles.empty()) return OkStatus();
  RoleSchema superuser{.name = kDefaultSuperuser,
                       .id = Uuid::Random(),
                       .superuser = true,
                       .can_login = true,
                       .default_password = password.empty()};
  WR_ASSIGN_OR_RETURN(superuser.salted_hash, HashPassword(password.empty() ? kDefaultPassword : password));
  return CommitAccess(before, access::With({}, std::move(superuser)));
}

Result<Outcome> SchemaChanges::RunRole(const AdmittedRequest& request) {
  const auto& plan = request.plan_as<RolePlan>();
  const RequestParameters& parameters = request.parameters();
  if (state_.access == nullptr) return RefuseWithoutRoles(*plan.statement);
  WR_ASSIGN_OR_RETURN(Actor actor, state_.access->ActorOf(parameters));
  const auto apply = [&](const SchemaSnapshot& schema, std::string hash, const std::string& generated) {
    return ApplyRoleStatement({.statement = *plan.statement,
                               .schema = schema,
                               .current_keyspace = plan.current_keyspace,
                               .actor = actor,
                               .datacenter = state_.datacenter,
                               .salted_hash = std::move(hash),
                               .generated_password = generated});
  };
  // The first call of `apply` shows whether the statement is allowed. Only then is the statement's password hashed,
  // without the lock, so that schema changes do not wait for the hashing.
  const SchemaPtr seen = state_.Schema();
  WR_ASSIGN_OR_RETURN(RoleEffect effect, apply(*seen, "", ""));
  std::string hash, generated;
  if (effect.access != seen->access) {
    std::optional<std::string> password = PasswordToHash(*plan.statement);
    if (WantsGeneratedPassword(*plan.statement)) {
      WR_ASSIGN_OR_RETURN(generated, GeneratePassword());
      password = generated;
    }
    if (password) { WR_ASSIGN_OR_RETURN(hash, HashPassword(*password)); }
    MutexLock lock(mutex_);
    const SchemaPtr before = state_.Schema();
    WR_ASSIGN_OR_RETURN(actor, state_.access->ActorOf(parameters));
    WR_ASSIGN_OR_RETURN(effect, apply(*before, hash, generated));
    if (effect.access != before->access) WR_RETURN_IF_ERROR(CommitAccess(before, effect.access));
  }
  Outcome outcome{.warnings = std::move(effect.warnings)};
  if (effect.rows) outcome.result = std::move(*effect.rows);
  return outcome;
}

}  // namespace widerow
