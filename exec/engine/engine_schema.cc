// Engine's schema changes: statements, and what the server's own threads do.
#include "exec/access/access_control.h"
#include "exec/access/schema_grants.h"
#include "exec/balance/partition_middle.h"
#include "exec/engine/engine_internal.h"
#include "exec/guardrails/guard_statement.h"
#include "exec/heat/heat_map.h"
#include "exec/load/load_recorder.h"
#include "exec/virtual/virtual_tables.h"
#include "planner/ddl/edit/apply_ddl.h"

namespace widerow {

namespace {

// Views that are changed with their table, by columns that it got or that have another name: drivers are told of each.
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

// Rows may come back with columns, and indexes and views are built again for them.
bool BringsColumnsBack(const Outcome& outcome, const SchemaSnapshot& before, const SchemaSnapshot& after) {
  const auto* const changed = std::get_if<SchemaChangeOutcome>(&outcome.result);
  if (changed == nullptr || changed->change.target != SchemaChange::Target::kTable) return false;
  const TablePtr was = before.FindTable(changed->change.keyspace, changed->change.name);
  const TablePtr is = after.FindTable(changed->change.keyspace, changed->change.name);
  return was != nullptr && is != nullptr && is->has_derived() && ColumnsCameBack(*was, *is);
}

// What an index or view is made of takes a moment where the table is small: then it can be used at once.
constexpr auto kBuildWait = std::chrono::milliseconds(1'000);

}  // namespace

Result<Outcome> Engine::RunDdl(const DdlPlan& plan, const RequestParameters& parameters) {
  const SchemaPtr before = schema();
  Result<Outcome> outcome = ChangeSchema(plan, parameters);
  if (!outcome.ok() || schema() == before) return outcome;
  const bool makes_derived = std::holds_alternative<CreateIndexStatement>(plan.statement->node) ||
                             std::holds_alternative<CreateMaterializedViewStatement>(plan.statement->node) ||
                             BringsColumnsBack(*outcome, *before, *schema());
  const auto* const alter = std::get_if<AlterTableStatement>(&plan.statement->node);
  const bool changes_partitions =
      alter != nullptr && std::holds_alternative<AlterTableStatement::AlterPartitions>(alter->action);
  if (makes_derived || changes_partitions) builder_.Look();
  if (makes_derived) builder_.WaitUntilBuilt(kBuildWait);
  return outcome;
}

Result<Outcome> Engine::ChangeSchema(const DdlPlan& plan, const RequestParameters& parameters) {
  Actor actor;
  if (access_ != nullptr) { WR_ASSIGN_OR_RETURN(actor, access_->ActorOf(parameters)); }
  MutexLock lock(ddl_mutex_);
  const SchemaPtr before = schema();
  DdlContext context{.current_keyspace = plan.current_keyspace,
                     .new_storage_id = [this] { return storage_->NewStorageId(); },
                     .now_micros = storage_->NextTimestampMicros(),
                     .extended = language_.dialect == Dialect::kWiderow};
  context.middle_of = [&](const TableSchema& table, size_t index) { return FindMiddle(*storage_, table, index); };
  WR_ASSIGN_OR_RETURN(DdlResult result, ApplyDdl(*plan.statement, before, context));
  Outcome outcome{.warnings = std::move(result.warnings)};
  if (result.schema != before) {
    result.schema = WithSchemaGrants(*before, result.schema, actor.role());
    WR_RETURN_IF_ERROR(throughput_.CheckReserved(*result.schema));
    WR_RETURN_IF_ERROR(GuardSchema(*before, *result.schema, guardrails_, outcome.warnings));
    WR_RETURN_IF_ERROR(storage_->CommitSchema(VirtualTables::RemoveFrom(result.schema)));
    if (access_ != nullptr) access_->NoteDropped(*before, *result.schema);
    schema_.Store(result.schema);
    load_->heat().ForgetDropped(*before, *result.schema);
    throughput_.SetSchema(*result.schema);
  }
  if (result.schema != before) balancer_.Look();
  if (result.change) {
    for (const SchemaListener& listener : listeners_) {
      listener(*result.change);
      for (const SchemaChange& of_view : ChangesOfViews(*result.change, *before, *result.schema)) listener(of_view);
    }
    outcome.result = SchemaChangeOutcome{std::move(*result.change)};
  }
  return outcome;
}

Result<Outcome> Engine::RunTruncate(const TruncatePlan& plan) {
  MutexLock lock(ddl_mutex_);
  const SchemaPtr before = schema();
  const TablePtr table = before->FindTable(plan.table->keyspace, plan.table->name);
  if (table == nullptr) return InvalidError("table " + plan.table->name + " does not exist");
  if (IsVirtual(*table)) return ReadOnly(*table);
  const SchemaPtr next = ApplyTruncate(before, *table, [this] { return storage_->NewStorageId(); });
  WR_RETURN_IF_ERROR(storage_->CommitSchema(VirtualTables::RemoveFrom(next)));
  schema_.Store(next);
  return Outcome{};
}

Result<bool> Engine::ChangePartitions(const TablePtr& before, TableSchema after) {
  MutexLock lock(ddl_mutex_);
  const SchemaPtr now = schema();
  if (now->FindTable(before->keyspace, before->name) != before) return false;
  WR_RETURN_IF_ERROR(ReplaceTable(now, std::move(after)));
  return true;
}

Status Engine::ReplaceTable(const SchemaPtr& now, TableSchema after) {
  auto next = std::make_shared<SchemaSnapshot>(*now);
  const std::string keyspace_name = after.keyspace, name = after.name;
  KeyspaceSchema keyspace = *now->FindKeyspace(keyspace_name);
  keyspace.tables[name] = std::make_shared<const TableSchema>(std::move(after));
  next->keyspaces[keyspace_name] = std::make_shared<const KeyspaceSchema>(std::move(keyspace));
  WR_RETURN_IF_ERROR(storage_->CommitSchema(VirtualTables::RemoveFrom(next)));
  schema_.Store(next);
  return OkStatus();
}

Result<bool> Engine::PublishBuilt(const TablePtr& base, const TableDerivation& built) {
  MutexLock lock(ddl_mutex_);
  const SchemaPtr now = schema();
  const TablePtr table = now->FindTable(base->keyspace, base->name);
  // After a TRUNCATE all of it is built again: of nothing. After one of a partition, too: rows that went have been
  // brought in. And after columns have come back: rows that came with them have not.
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

}  // namespace widerow
