// A change computes the next schema from the newest one (for example with ApplyDdl), has the storage commit it, and
// then publishes it. role_changes.cc has the changes of roles and permissions.
#include "exec/engine/schema_changes.h"

#include "exec/access/schema_grants.h"
#include "exec/balance/partition_middle.h"
#include "exec/guardrails/guard_statement.h"
#include "planner/ddl/edit/apply_ddl.h"
#include "types/index_words.h"

namespace widerow {

namespace {

// Returns the changes of views that follow from a change of their table: drivers are told of each changed view.
std::vector<SchemaChange> ChangesOfViews(const SchemaChange& change, const SchemaSnapshot& before,
                                         const SchemaSnapshot& after) {
  std::vector<SchemaChange> changes;
  if (change.kind != SchemaChange::Kind::kUpdated || change.target != SchemaChange::Target::kTable) return changes;
  const TablePtr table = after.FindTable(change.keyspace, change.name);
  if (table == nullptr) return changes;
  for (const std::string& view : table->views) {
    if (before.FindTable(change.keyspace, view) == after.FindTable(change.keyspace, view)) continue;
    changes.push_back({change.kind, change.target, change.keyspace, view});
  }
  return changes;
}

// Returns the table whose schema a statement has changed; null if the change is not one of a table.
TablePtr ChangedTable(const Outcome& outcome, const SchemaSnapshot& schema) {
  const auto* const changed = std::get_if<SchemaChangeOutcome>(&outcome.result);
  if (changed == nullptr || changed->change.target != SchemaChange::Target::kTable) return nullptr;
  return schema.FindTable(changed->change.keyspace, changed->change.name);
}

// True if dropped columns of a table with indexes or views have come back. Rows may come back with them, so the indexes
// and views must be built again.
bool BringsColumnsBack(const Outcome& outcome, const SchemaSnapshot& before, const SchemaSnapshot& after) {
  const TablePtr was = ChangedTable(outcome, before), is = ChangedTable(outcome, after);
  return was != nullptr && is != nullptr && is->has_derived() && ColumnsCameBack(*was, *is);
}

// Returns the unique index that `after` has and `before` has not; null if there is none.
const IndexSchema* AddedUnique(const TableSchema& before, const TableSchema& after) {
  for (const IndexSchema& index : after.indexes) {
    const IndexSchema* const was = before.FindIndex(index.name);
    if (IsUnique(index) && (was == nullptr || was->entries->id != index.entries->id)) return &index;
  }
  return nullptr;
}

// DDL waits this long for a new index or view to be built, so that on a small table it can be used at once.
constexpr auto kBuildWait = std::chrono::milliseconds(1'000);
// The statement that makes a unique index waits longer, because only the build shows whether the index can exist.
constexpr auto kUniqueBuildWait = std::chrono::milliseconds(30'000);

}  // namespace

SchemaChanges::SchemaChanges(EngineState& state, const EngineOptions& options)
    : state_(state),
      balancer_(
          *state.storage, [&state] { return state.Schema(); },
          [this](const TablePtr& before, TableSchema after) { return ChangePartitions(before, std::move(after)); },
          options.balance),
      builder_(
          *state.storage, [&state] { return state.Schema(); },
          [this](const TablePtr& base, const TableDerivation& built) { return PublishBuilt(base, built); },
          [this](const TablePtr& base, const TableDerivation& refused) { return DropRefused(base, refused); },
          options.log) {}

void SchemaChanges::AddListener(SchemaListener listener) {
  MutexLock lock(mutex_);
  listeners_.push_back(std::move(listener));
}

Result<SnapshotPtr> SchemaChanges::OpenSnapshot(const SnapshotLimits& limits) {
  if (limits.age_max.count() < 1 || limits.age_max > SnapshotLimits::kAgeMax) {
    return InvalidError("A snapshot lasts from 1 ms to " + std::to_string(SnapshotLimits::kAgeMax.count()) +
                        " ms, not " + std::to_string(limits.age_max.count()) + " ms");
  }
  MutexLock lock(mutex_);
  KeptMoment moment{.micros = state_.storage->clock().NowMicros()};
  WR_ASSIGN_OR_RETURN(moment.held, state_.storage->HoldSnapshot());
  return state_.snapshots.Open(state_.Schema(), std::move(moment), limits);
}

Result<Outcome> SchemaChanges::RunDdl(const AdmittedRequest& request) {
  const auto& plan = request.plan_as<DdlPlan>();
  WR_ASSIGN_OR_RETURN(Changed changed, ChangeSchema(plan, request.parameters()));
  const auto& [outcome, before, after] = changed;
  if (before == after) return std::move(changed.outcome);
  const bool makes_index = std::holds_alternative<CreateIndexStatement>(plan.statement->node);
  const bool makes_derived = makes_index ||
                             std::holds_alternative<CreateMaterializedViewStatement>(plan.statement->node) ||
                             BringsColumnsBack(outcome, *before, *after);
  const auto* const alter = std::get_if<AlterTableStatement>(&plan.statement->node);
  const bool changes_partitions =
      alter != nullptr && std::holds_alternative<AlterTableStatement::AlterPartitions>(alter->action);
  if (makes_derived || changes_partitions) builder_.Look();
  if (makes_index) {
    const TablePtr table = ChangedTable(outcome, *after);
    const IndexSchema* const unique = AddedUnique(*ChangedTable(outcome, *before), *table);
    if (unique != nullptr) WR_RETURN_IF_ERROR(AwaitUnique(*table, *unique, changed.outcome.warnings));
  }
  if (makes_derived) builder_.WaitUntilBuilt(kBuildWait);
  return std::move(changed.outcome);
}

Status SchemaChanges::AwaitUnique(const TableSchema& table, const IndexSchema& index,
                                  std::vector<std::string>& warnings) {
  builder_.WaitUntilBuilt(kUniqueBuildWait);
  if (std::optional<Error> refusal = builder_.TakeRefusal(*index.entries)) return std::move(*refusal);
  const TablePtr now = state_.Schema()->FindIndexedTable(table.keyspace, index.name);
  if (now != nullptr && !now->FindIndex(index.name)->built) {
    warnings.push_back("Unique index " + table.keyspace + "." + index.name +
                       " is still being built; if rows have equal values, it will be dropped, and the log says so");
  }
  return OkStatus();
}

Result<SchemaChanges::Changed> SchemaChanges::ChangeSchema(const DdlPlan& plan, const RequestParameters& parameters) {
  Actor actor;
  if (state_.access != nullptr) { WR_ASSIGN_OR_RETURN(actor, state_.access->ActorOf(parameters)); }
  MutexLock lock(mutex_);
  const SchemaPtr before = state_.Schema();
  DdlContext context{.current_keyspace = plan.current_keyspace,
                     .new_storage_id = [this] { return state_.storage->NewStorageId(); },
                     .now_micros = state_.storage->NextTimestampMicros(),
                     .extended = state_.language.dialect == Dialect::kWiderow,
                     .datacenter = state_.datacenter};
  context.middle_of = [&](const TableSchema& table, size_t index) { return FindMiddle(*state_.storage, table, index); };
  WR_ASSIGN_OR_RETURN(DdlResult result, ApplyDdl(*plan.statement, before, context));
  Outcome outcome{.warnings = std::move(result.warnings)};
  if (result.schema != before) {
    result.schema = WithSchemaGrants(*before, result.schema, actor.owner());
    WR_RETURN_IF_ERROR(state_.throughput.CheckReserved(*result.schema));
    WR_RETURN_IF_ERROR(GuardSchema(*before, *result.schema, state_.guardrails, outcome.warnings));
    WR_RETURN_IF_ERROR(state_.storage->CommitSchema(VirtualTables::RemoveFrom(result.schema)));
    if (state_.access != nullptr) state_.access->NoteDropped(*before, *result.schema);
    state_.schema.Store(result.schema);
    state_.load.heat().ForgetDropped(*before, *result.schema);
    state_.throughput.SetSchema(*result.schema);
  }
  if (result.schema != before) balancer_.Look();
  if (result.change) {
    for (const SchemaListener& listener : listeners_) {
      listener(*result.change);
      for (const SchemaChange& of_view : ChangesOfViews(*result.change, *before, *result.schema)) listener(of_view);
    }
    outcome.result = SchemaChangeOutcome{std::move(*result.change)};
  }
  return Changed{std::move(outcome), before, result.schema};
}

Result<Outcome> SchemaChanges::RunTruncate(const AdmittedRequest& request) {
  const auto& plan = request.plan_as<TruncatePlan>();
  MutexLock lock(mutex_);
  const SchemaPtr before = state_.Schema();
  const TablePtr table = before->FindTable(plan.table->keyspace, plan.table->name);
  if (table == nullptr) return InvalidError("table " + plan.table->name + " does not exist");
  if (IsVirtual(*table)) return ReadOnly(*table);
  const SchemaPtr next = ApplyTruncate(before, *table, [this] { return state_.storage->NewStorageId(); });
  WR_RETURN_IF_ERROR(state_.storage->CommitSchema(VirtualTables::RemoveFrom(next)));
  state_.schema.Store(next);
  return Outcome{};
}

Result<bool> SchemaChanges::ChangePartitions(const TablePtr& before, TableSchema after) {
  MutexLock lock(mutex_);
  const SchemaPtr now = state_.Schema();
  if (now->FindTable(before->keyspace, before->name) != before) return false;
  WR_RETURN_IF_ERROR(ReplaceTable(now, std::move(after)));
  return true;
}

Status SchemaChanges::ReplaceTable(const SchemaPtr& now, TableSchema after) {
  auto next = std::make_shared<SchemaSnapshot>(*now);
  const std::string keyspace_name = after.keyspace, name = after.name;
  KeyspaceSchema keyspace = *now->FindKeyspace(keyspace_name);
  keyspace.tables[name] = std::make_shared<const TableSchema>(std::move(after));
  next->keyspaces[keyspace_name] = std::make_shared<const KeyspaceSchema>(std::move(keyspace));
  WR_RETURN_IF_ERROR(state_.storage->CommitSchema(VirtualTables::RemoveFrom(next)));
  state_.schema.Store(next);
  return OkStatus();
}

Result<bool> SchemaChanges::PublishBuilt(const TablePtr& base, const TableDerivation& built) {
  MutexLock lock(mutex_);
  const SchemaPtr now = state_.Schema();
  const TablePtr table = now->FindTable(base->keyspace, base->name);
  // A TRUNCATE of the table or of a partition removes rows that the build has read. Columns that come back may bring
  // rows that the build has not read. In both cases the build begins again.
  if (table == nullptr || !HasSameRows(*base, *table)) return false;
  if (built.built()) return true;
  if (built.table()->view != nullptr) {
    const TablePtr view = now->FindTable(base->keyspace, built.name());
    if (view == nullptr || view->storage_id != built.table()->storage_id) return false;
    auto definition = std::make_shared<ViewSchema>(*view->view);
    definition->built = true;
    TableSchema after = *view;
    after.view = std::move(definition);
    WR_RETURN_IF_ERROR(ReplaceTable(now, std::move(after)));
    return true;
  }
  TableSchema after = *table;
  for (IndexSchema& index : after.indexes) {
    if (index.name != built.name() || index.entries->storage_id != built.table()->storage_id) continue;
    index.built = true;
    WR_RETURN_IF_ERROR(ReplaceTable(now, std::move(after)));
    return true;
  }
  return false;
}

Result<bool> SchemaChanges::DropRefused(const TablePtr& base, const TableDerivation& refused) {
  MutexLock lock(mutex_);
  const SchemaPtr now = state_.Schema();
  const TablePtr table = now->FindTable(base->keyspace, base->name);
  // After a TRUNCATE the table has other rows. Perhaps the index can be built for them, so it is not dropped.
  if (table == nullptr || !HasSameRows(*base, *table)) return false;
  TableSchema after = *table;
  const auto dropped = std::erase_if(after.indexes, [&](const IndexSchema& index) {
    return index.name == refused.name() && index.entries->storage_id == refused.table()->storage_id;
  });
  if (dropped == 0) return false;
  WR_RETURN_IF_ERROR(ReplaceTable(now, std::move(after)));
  const SchemaChange change{SchemaChange::Kind::kUpdated, SchemaChange::Target::kTable, base->keyspace, base->name};
  for (const SchemaListener& listener : listeners_) listener(change);
  return true;
}

}  // namespace widerow
