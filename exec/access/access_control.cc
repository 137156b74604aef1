#include "exec/access/access_control.h"

#include "exec/access/authorize.h"
#include "exec/session/snapshot.h"

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
  // Checking a SELECT does not need the schema, so it is not loaded.
  if (const auto* select = std::get_if<SelectPlan>(&plan.node)) {
    WR_RETURN_IF_ERROR(AuthorizeRead(*select->table, *actor.rights));
    return parameters.snapshot == nullptr ? OkStatus() : CheckOnSnapshot(*select->table, *actor.rights);
  }
  return Authorize(plan, *actor.rights, *schema_());
}

Status AccessControl::CheckOnSnapshot(const TableSchema& table, const Rights& rights) const {
  if (rights.superuser()) return OkStatus();
  MutexLock lock(mutex_);
  const auto found = dropped_.find({table.keyspace, table.name});
  if (found == dropped_.end() || found->second.storage_id < table.storage_id) return OkStatus();
  return UnauthorizedError(
      "Table " + table.keyspace + "." + table.name + " has been dropped since the snapshot was opened",
      "its permissions went with it: a superuser may still read it on the snapshot");
}

void AccessControl::NoteDropped(const SchemaSnapshot& before, const SchemaSnapshot& after) {
  const auto now = std::chrono::steady_clock::now();
  MutexLock lock(mutex_);
  // An entry is kept for twice the greatest age of a snapshot, because a statement on a snapshot may wait for its turn.
  std::erase_if(dropped_, [&](const auto& entry) { return now - entry.second.at > 2 * SnapshotLimits::kAgeMax; });
  for (const auto& [keyspace, was] : before.keyspaces) {
    const KeyspaceSchema* const is = after.FindKeyspace(keyspace);
    if (is == was.get()) continue;
    for (const auto& [name, table] : was->tables) {
      if (is == nullptr || !is->tables.contains(name)) dropped_[{keyspace, name}] = {table->storage_id, now};
    }
  }
}

}  // namespace widerow
