// Makes every change of the schema, one at a time. Changes come from statements, including those about roles and
// permissions, and from two threads of SchemaChanges: one splits and merges partitions, one builds indexes and views.
// Thread-safe.
#pragma once

#include <functional>

#include "base/mutex.h"
#include "exec/balance/partition_balancer.h"
#include "exec/derived/derived_builder.h"
#include "exec/engine/admitted_request.h"
#include "exec/engine/engine_state.h"

namespace widerow {

using SchemaListener = std::function<void(const SchemaChange&)>;

class SchemaChanges {
 public:
  SchemaChanges(EngineState& state, const EngineOptions& options);

  // RunDdl, RunTruncate and RunRole run a request whose plan is a DdlPlan, a TruncatePlan or a RolePlan.
  Result<Outcome> RunDdl(const AdmittedRequest& request) WR_EXCLUDES(mutex_);
  Result<Outcome> RunTruncate(const AdmittedRequest& request) WR_EXCLUDES(mutex_);
  Result<Outcome> RunRole(const AdmittedRequest& request) WR_EXCLUDES(mutex_);

  // Creates the superuser `cassandra` if there are no roles. If `password` is empty, the role gets Cassandra's default
  // password `cassandra`, and can then log in from this machine only. An engine with roles calls this function before
  // anybody can log in.
  Status EnsureSuperuser(const std::string& password) WR_EXCLUDES(mutex_);
  // Opens a snapshot in which rows and schema are of one moment.
  Result<SnapshotPtr> OpenSnapshot(const SnapshotLimits& limits) WR_EXCLUDES(mutex_);
  // Adds a listener that is called after each schema change, in order, on the thread that made the change.
  void AddListener(SchemaListener listener) WR_EXCLUDES(mutex_);

  // Continues building the indexes and views that are not complete. The constructor of Engine calls it.
  void ContinueBuilds() { builder_.Look(); }
  void StaleRowsLeft() { builder_.StaleRowsLeft(); }
  const DerivedBuilder& builder() const { return builder_; }

 private:
  struct Changed {
    Outcome outcome;
    SchemaPtr before, after;
  };
  Result<Changed> ChangeSchema(const DdlPlan& plan, const RequestParameters& parameters) WR_EXCLUDES(mutex_);
  // Waits for the build of a unique index that the statement has made. Fails if rows have equal values.
  Status AwaitUnique(const TableSchema& table, const IndexSchema& index, std::vector<std::string>& warnings);
  Status CommitAccess(const SchemaPtr& before, std::shared_ptr<const AccessCatalog> access) WR_REQUIRES(mutex_);
  // Replaces the table, for the balancer. Drivers are not told. False if the table is no longer `before`.
  Result<bool> ChangePartitions(const TablePtr& before, TableSchema after) WR_EXCLUDES(mutex_);
  Status ReplaceTable(const SchemaPtr& now, TableSchema after) WR_REQUIRES(mutex_);
  // Marks an index or view as complete, for the builder. False if the table has changed.
  Result<bool> PublishBuilt(const TablePtr& base, const TableDerivation& built) WR_EXCLUDES(mutex_);
  // Drops an index that cannot be built, for the builder. False if the table has changed.
  Result<bool> DropRefused(const TablePtr& base, const TableDerivation& refused) WR_EXCLUDES(mutex_);

  EngineState& state_;
  Mutex mutex_;
  std::vector<SchemaListener> listeners_ WR_GUARDED_BY(mutex_);
  // The threads of these two members use the members above. The two come last, so that they are destroyed first.
  PartitionBalancer balancer_;
  DerivedBuilder builder_;
};

}  // namespace widerow
