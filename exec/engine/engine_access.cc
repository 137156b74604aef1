// The engine's roles: who may do what, and the statements that change that.
#include "exec/access/access_control.h"
#include "exec/access/authorize.h"
#include "exec/access/password_hash.h"
#include "exec/access/role_statements.h"
#include "exec/engine/engine.h"
#include "exec/virtual/virtual_tables.h"

namespace widerow {

Status Engine::CheckAccess(const Plan& plan, const RequestParameters& parameters) const {
  return access_->Check(plan, parameters);
}

Logins* Engine::logins() { return access_ != nullptr && access_->logins_required() ? &access_->logins() : nullptr; }

Status Engine::MayRead(std::string_view keyspace, std::string_view table, const RequestParameters& parameters) const {
  if (access_ == nullptr) return OkStatus();
  WR_ASSIGN_OR_RETURN(const Actor actor, access_->ActorOf(parameters));
  const TablePtr found = schema()->FindTable(keyspace, table);
  return actor.trusted() || found == nullptr ? OkStatus() : AuthorizeRead(*found, *actor.rights);
}

Status Engine::MayAdvise(const AdviseStatement& statement, const std::string& current_keyspace,
                         const RequestParameters& parameters) const {
  if (access_ == nullptr) return OkStatus();
  WR_ASSIGN_OR_RETURN(const Actor actor, access_->ActorOf(parameters));
  return actor.trusted() ? OkStatus() : AuthorizeAdvice(statement, current_keyspace, *actor.rights, *schema());
}

Status Engine::CommitAccess(const SchemaPtr& before, AccessPtr access) {
  auto next = std::make_shared<SchemaSnapshot>(*before);
  next->access = std::move(access);
  WR_RETURN_IF_ERROR(storage_->CommitSchema(VirtualTables::RemoveFrom(next)));
  schema_.Store(std::move(next));
  return OkStatus();
}

Status Engine::EnsureSuperuser(const std::string& password) {
  MutexLock lock(ddl_mutex_);
  const SchemaPtr before = schema();
  if (before->access != nullptr && !before->access->roles.empty()) return OkStatus();
  RoleSchema superuser{.name = kDefaultSuperuser,
                       .id = Uuid::Random(),
                       .superuser = true,
                       .can_login = true,
                       .default_password = password.empty()};
  WR_ASSIGN_OR_RETURN(superuser.salted_hash, HashPassword(password.empty() ? kDefaultPassword : password));
  return CommitAccess(before, access::With({}, std::move(superuser)));
}

Result<Outcome> Engine::RunRole(const RolePlan& plan, const RequestParameters& parameters) {
  if (access_ == nullptr) return RefuseWithoutRoles(*plan.statement);
  WR_ASSIGN_OR_RETURN(Actor actor, access_->ActorOf(parameters));
  const auto apply = [&](const SchemaSnapshot& schema, std::string hash, const std::string& generated) {
    return ApplyRoleStatement({.statement = *plan.statement,
                               .schema = schema,
                               .current_keyspace = plan.current_keyspace,
                               .actor = actor,
                               .salted_hash = std::move(hash),
                               .generated_password = generated});
  };
  // Once to see whether it may be done: only then is a password hashed, and not while schema changes wait.
  const SchemaPtr seen = schema();
  WR_ASSIGN_OR_RETURN(RoleEffect effect, apply(*seen, "", ""));
  std::string hash, generated;
  if (effect.access != seen->access) {
    std::optional<std::string> password = PasswordToHash(*plan.statement);
    if (WantsGeneratedPassword(*plan.statement)) {
      WR_ASSIGN_OR_RETURN(generated, GeneratePassword());
      password = generated;
    }
    if (password) { WR_ASSIGN_OR_RETURN(hash, HashPassword(*password)); }
    MutexLock lock(ddl_mutex_);
    const SchemaPtr before = schema();
    WR_ASSIGN_OR_RETURN(actor, access_->ActorOf(parameters));
    WR_ASSIGN_OR_RETURN(effect, apply(*before, hash, generated));
    if (effect.access != before->access) WR_RETURN_IF_ERROR(CommitAccess(before, effect.access));
  }
  Outcome outcome{.warnings = std::move(effect.warnings)};
  if (effect.rows) outcome.result = std::move(*effect.rows);
  return outcome;
}

}  // namespace widerow
