// The one door between front ends and the database: text or a prepared statement and values in, Outcome out. Native
// protocol, HTTP, shell, embedded API and test scripts differ in encoding alone.
//
// Thread-safe. Execute and Prepare run on the caller's thread; writes wait for their commit. A slow request blocks only
// its own thread. Errors are Error values; their byte ranges refer to the statement's text.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/mutex.h"
#include "base/published.h"
#include "exec/balance/partition_balancer.h"
#include "exec/derived/derived_builder.h"
#include "exec/engine/engine_options.h"
#include "exec/prepared/prepared_statement.h"
#include "exec/rows/outcome.h"
#include "exec/session/connection_registry.h"
#include "exec/session/snapshot.h"
#include "exec/session/tracing.h"
#include "storage/engine.h"

namespace widerow {

class AccessControl;
class HeatMap;
class Logins;
class LoadRecorder;
class PreparedCache;
class RowViewer;
class ShapeCache;
class StatementRecord;
class StatementLoad;

class VirtualTables;
namespace advise {
struct Finding;
}
class RequestTrace;
using SchemaListener = std::function<void(const SchemaChange&)>;

class Engine {
 public:
  explicit Engine(std::unique_ptr<StorageEngine> storage, LanguageOptions language = {}, EngineOptions options = {});
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  Result<Outcome> Execute(std::string_view text, const RequestParameters& parameters);

  Result<PreparedPtr> Prepare(std::string_view text, std::string_view keyspace);
  // The same as a client's request, traced if `parameters` say so; of them keyspace and connection count, too.
  Result<TracedStatement> Prepare(std::string_view text, const RequestParameters& parameters);
  // Returns the statement that Prepare gave `id` to. It may be planned against an older schema. Null if no statement
  // with this id was prepared after the start, if the cache has dropped it, or if its tables have changed so that
  // clients must prepare it again (MustBePreparedAgain, exec/prepared/prepared_description.h). They then get the same
  // id.
  PreparedPtr FindPrepared(ByteView id) const;
  // As Prepare, for one use: without an id, not kept.
  Result<PreparedPtr> PlanText(std::string_view text, std::string_view keyspace) const;
  // For an entry of a batch that came as text: as PlanText, and what it gives is kept for FindShaped.
  Result<PreparedPtr> PlanEntry(std::string_view text, std::string_view keyspace);
  // An entry by the plan of another text of its shape (docs/internals/unprepared.md); nullopt: PlanEntry has to be
  // asked. If a batch with such entries is refused as invalid, nothing has been changed, and PlanEntry must be asked
  // after all: the error is then in the text's own words.
  std::optional<BatchEntry> FindShaped(std::string_view text, std::vector<BoundValue> values,
                                       std::string_view keyspace);
  // True if the statement is planned for the current schema. If it is not, callers that have not bound values yet
  // prepare its text again and bind the values for the new statement.
  bool StillValid(const PreparedStatement& statement) const;
  // Fails with kUnprepared, as the functions below do, if the schema has changed and the markers no longer have the
  // types that the values were bound for.
  Result<Outcome> ExecutePrepared(const PreparedStatement& statement, const RequestParameters& parameters);
  // ExecutePrepared for a SELECT of one row by its key: the row, if there is one, goes straight to `page`, behind what
  // its body holds already; once the body has room, nothing is allocated, unless the read is one of those that are
  // looked at closely (exec/load/operation_sampler.h). False, and nothing has been done: the statement is another, is
  // to be planned again, or the request wants more of it (a trace, values by name, a later page).
  Result<bool> ReadPoint(const PreparedStatement& statement, const RequestParameters& parameters, RowsPage& page);
  // The rows of a SELECT shown where they lie (exec/select/show_rows.h), untraced; the request's page size and paging
  // state do not count. The viewer may use the engine.
  Status ShowRows(const PreparedStatement& statement, const RequestParameters& parameters, RowViewer& viewer);
  // As ExecutePrepared for an INSERT, UPDATE or DELETE, without waiting for the disk: `done` gets the outcome on the
  // storage's thread, where it must be quick, or here if there is nothing to wait for. False, and nothing has been
  // done: the statement is another, or is traced. What `parameters` refer to is not needed after the call.
  bool SubmitPrepared(const PreparedPtr& statement, const RequestParameters& parameters,
                      std::function<void(Result<Outcome>)> done);
  // SubmitPrepared for a text, by what FindShaped gave: the values of `parameters` are the entry's. Also false where
  // the request is to be refused: the text itself has to be executed then, for an error in its own words.
  bool SubmitShaped(const PreparedPtr& statement, const RequestParameters& parameters,
                    std::function<void(Result<Outcome>)> done);
  // All statements with it in their parameters see what is there now, rows and schema. Only SELECTs are run on it.
  Result<SnapshotPtr> OpenSnapshot(const SnapshotLimits& limits = {});
  SnapshotRegistry& snapshots() { return snapshots_; }
  // As Prepare, for statements on the snapshot.
  Result<PreparedPtr> PrepareOn(const Snapshot& snapshot, std::string_view text, std::string_view keyspace);
  // The same for a prepared one whose values have been bound: kUnprepared if it takes others on the snapshot.
  Result<PreparedPtr> PlanAgainOn(const Snapshot& snapshot, const PreparedStatement& statement);
  // Whether the statement's tables are those of `schema`.
  static bool IsPlannedFor(const PreparedStatement& statement, const SchemaSnapshot& schema);
  // One atomic write of INSERT, UPDATE and DELETE statements, each with its own values; those of `parameters` are not
  // used.
  Result<Outcome> ExecuteBatch(BatchStatement::Kind kind, std::span<const BatchEntry> entries,
                               const RequestParameters& parameters);

  // Logging in, where that is required; null: it is not, and everybody may do everything.
  Logins* logins();
  // Makes the superuser `cassandra` if there are no roles yet; without a password (empty) the one that everybody knows,
  // which is good on this machine alone. For where roles are kept; before that, nobody can log in.
  Status EnsureSuperuser(const std::string& password);
  // kUnauthorized unless whoever asks may read the table, or may have the advice.
  Status MayRead(std::string_view keyspace, std::string_view table, const RequestParameters& parameters) const;
  Status MayAdvise(const AdviseStatement& statement, const std::string& current_keyspace,
                   const RequestParameters& parameters) const;

  // A statement in the engine's language.
  Result<Statement> ParseText(std::string_view text) const;
  // ADVISE, also where the language has no such statement.
  Result<std::vector<advise::Finding>> Advise(const AdviseStatement& statement, const std::string& current_keyspace);

  SchemaPtr schema() const { return schema_.Load(); }
  StorageEngine& storage() { return *storage_; }
  // For a server to enter its connections in: system_views.clients lists them.
  ConnectionRegistry& connections() { return connections_; }
  // Which statements have been run, and what that took: system_views.statements.
  const StatementLoad& statements() const;
  // Which keys are read and written: system_views.heat.
  HeatMap& heat();
  // What tables have used of their limits: system_views.table_throughput.
  const Throughput& throughput() const { return throughput_; }
  // Called after each schema change, in order, on the thread that made it.
  void AddSchemaListener(SchemaListener listener);

 private:
  Result<PreparedPtr> PlanAgain(const PreparedStatement& statement);
  Result<PreparedPtr> PlanFor(std::string_view text, std::string_view keyspace, SchemaPtr schema) const;
  Result<Outcome> RunOnSnapshot(const PreparedStatement& statement, const RequestParameters& parameters,
                                RequestTrace& trace);
  std::optional<Result<Outcome>> RunShaped(std::string_view text, const RequestParameters& parameters,
                                           RequestTrace& trace);
  Result<Outcome> Run(const PreparedStatement& statement, const RequestParameters& parameters, RequestTrace& trace);
  Result<Outcome> RunBatch(BatchStatement::Kind kind, std::span<const BatchEntry> entries,
                           const RequestParameters& parameters, RequestTrace& trace);
  Result<Outcome> RunPlan(const PreparedStatement& statement, const RequestParameters& parameters);
  Result<Outcome> RunAnalyze(const PreparedStatement& statement, const ExplainPlan& plan,
                             const RequestParameters& parameters);
  void TimePlanning(const PreparedStatement& statement, class StepTimes& times) const;
  Status AnalyzeRead(const PreparedStatement& statement, const SelectPlan& plan, const RequestParameters& parameters,
                     struct Analysis& analysis);
  Status AnalyzeWrite(const PreparedStatement& statement, const RequestParameters& parameters,
                      struct Analysis& analysis);
  Result<RowsPage> SelectMetered(const PreparedStatement& statement, const SelectPlan& plan,
                                 std::span<const BoundValue> values, const RequestParameters& parameters,
                                 class ScanMeter& meter);
  Result<Outcome> RunDescription(const PreparedStatement& statement, const DescribePlan& plan,
                                 const RequestParameters& parameters) const;
  bool MayReadPoint(const PreparedStatement& statement, const RequestParameters& parameters) const;
  Result<bool> RunPoint(const PreparedStatement& statement, std::span<const BoundValue> values,
                        const RequestParameters& parameters, uint32_t stands_for, RowsPage& page);
  template <typename Use>
  auto WithSelect(const PreparedStatement& statement, const SelectPlan& plan, std::span<const BoundValue> values,
                  const RequestParameters& parameters, struct KeptMoment* kept, const Use& use);
  Result<Outcome> RunRows(const PreparedStatement& statement, const SelectPlan& plan,
                          const RequestParameters& parameters);
  struct WriteRequest MakeWriteRequest(const RequestParameters& parameters);
  // Guardrails and table limits of a write that has been built, before it is applied.
  Status AdmitWrite(const struct BuiltWrite& built, std::vector<std::string>& warnings);
  Status ApplyWrite(struct BuiltWrite& built);
  Status ApplyMetered(StatementRecord* record, struct BuiltWrite& built, std::vector<std::string>& warnings);
  Status ApplyBatch(const std::vector<PreparedPtr>& statements, struct BuiltWrite& built,
                    std::vector<std::string>& warnings);
  void SubmitBuilt(const PreparedPtr& statement, struct BuiltWrite built, std::vector<std::string> warnings,
                   std::function<void(Result<Outcome>)> done);
  // One that is looked at closely: the same `done`, noting how it went before.
  std::function<void(Result<Outcome>)> Metered(const PreparedPtr& statement, const struct BuiltWrite& built,
                                               uint32_t stands_for, std::function<void(Result<Outcome>)> done);
  Result<struct BuiltWrite> BindWrite(const PreparedStatement& statement, const ModifyPlan& plan,
                                      const RequestParameters& parameters);
  template <typename WritePlan>
  Result<Outcome> RunWrite(const PreparedStatement& statement, const WritePlan& plan,
                           const RequestParameters& parameters);
  // kUnauthorized, where logging in is required, if whoever asks may not do what the plan does.
  Status Authorize(const Plan& plan, const RequestParameters& parameters) const {
    return access_ == nullptr ? OkStatus() : CheckAccess(plan, parameters);
  }
  Status CheckAccess(const Plan& plan, const RequestParameters& parameters) const;
  Result<Outcome> RunDdl(const DdlPlan& plan, const RequestParameters& parameters);
  Result<Outcome> ChangeSchema(const DdlPlan& plan, const RequestParameters& parameters);
  Result<Outcome> RunRole(const RolePlan& plan, const RequestParameters& parameters);
  Status CommitAccess(const SchemaPtr& before, std::shared_ptr<const AccessCatalog> access) WR_REQUIRES(ddl_mutex_);
  Result<Outcome> RunTruncate(const TruncatePlan& plan);
  // The balancer's: drivers are told nothing, as they see nothing of it. False: the table is not `before` any more.
  Result<bool> ChangePartitions(const TablePtr& before, TableSchema after);
  Status ReplaceTable(const SchemaPtr& now, TableSchema after) WR_REQUIRES(ddl_mutex_);
  // The builder's: what is derived of the table is complete.
  Result<bool> PublishBuilt(const TablePtr& base, const TableDerivation& built);

  const std::unique_ptr<StorageEngine> storage_;
  const LanguageOptions language_;
  const Guardrails guardrails_;
  const ReadLimits read_limits_;
  Throughput throughput_;
  const std::unique_ptr<LoadRecorder> load_;
  const std::unique_ptr<const VirtualTables> virtual_tables_;
  ConnectionRegistry connections_;
  Published<SchemaSnapshot> schema_;
  TraceStore traces_;
  SnapshotRegistry snapshots_;
  const std::unique_ptr<AccessControl> access_;  // Null: nobody has to log in.
  Mutex ddl_mutex_;                              // One schema change at a time.
  std::vector<SchemaListener> listeners_ WR_GUARDED_BY(ddl_mutex_);

  const std::unique_ptr<PreparedCache> cache_;
  const std::unique_ptr<ShapeCache> shapes_;
  PartitionBalancer balancer_;  // Last, with the next one: their threads use the others.
  DerivedBuilder builder_;
};

}  // namespace widerow
