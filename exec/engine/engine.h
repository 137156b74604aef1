// The only interface between the front ends (native protocol, HTTP, shell, embedded API, test scripts) and the
// database. A request is a text or a prepared statement, with values; its result is an Outcome. Front ends differ in
// encoding alone.
//
// Every request passes a gate first (exec/access/permit.h). Thread-safe. A request runs on the caller's thread; writes
// wait for their commit, except with Submit. Errors are Error values; their byte ranges refer to the statement's text.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "exec/engine/engine_options.h"
#include "exec/prepared/prepared_statement.h"
#include "exec/rows/outcome.h"
#include "exec/session/backup_registry.h"
#include "exec/session/connection_registry.h"
#include "exec/session/snapshot.h"
#include "exec/watch/statement_watch.h"
#include "storage/storage_engine.h"

namespace widerow {

namespace advise {
struct Finding;
}
class AdmittedRequest;
class Analyzer;
class BlobRead;
class BlobWrite;
class BulkInsert;
class HeatMap;
class Logins;
class OptimisticTransaction;
class Permit;
class SelectRunner;
class RequestCounts;
class RequestTrace;
class RowViewer;
class SchemaChanges;
class StatementPlanner;
class StatementTimes;
class WriteRunner;
struct EngineState;

class Engine {
 public:
  explicit Engine(std::unique_ptr<StorageEngine> storage, LanguageOptions language = {}, EngineOptions options = {});
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  // Runs a text.
  Result<Outcome> Execute(std::string_view text, const RequestParameters& parameters);
  // Runs a prepared statement. Functions that run a prepared statement return kUnprepared if a schema change gave its
  // markers other types than the bound values have.
  Result<Outcome> ExecutePrepared(const PreparedStatement& statement, const RequestParameters& parameters);
  // Runs INSERT, UPDATE and DELETE statements as one atomic write, each with its own values. The values of `parameters`
  // are ignored.
  Result<Outcome> ExecuteBatch(BatchStatement::Kind kind, std::span<const BatchEntry> entries,
                               const RequestParameters& parameters);
  // Runs a SELECT of one row by its key and appends the row, if it exists, to `page`. Allocates nothing if the page's
  // body has room, unless the read is measured (exec/load/operation_sampler.h). Returns false, and leaves the page's
  // body as it was, in these cases: the statement is not such a SELECT, must be planned again or has warnings; the row
  // is too large for one page; the request has a trace, values by name, a page size of 1, a paging state or a snapshot.
  Result<bool> ReadPoint(const PreparedStatement& statement, const RequestParameters& parameters, RowsPage& page);
  // Fails with kUnauthorized if the role may not run the statement, which is a SELECT, a write, TRUNCATE or a schema
  // change. Does not run it. A client that makes a change in several steps calls CheckPermission first, so that no step
  // is refused after an earlier one was made.
  Status CheckPermission(const PreparedStatement& statement, const RequestParameters& parameters);
  // Shows the rows of a SELECT one by one (exec/select/show_rows.h), without a trace. Page size and paging state are
  // ignored. The viewer may call the engine.
  Status ShowRows(const PreparedStatement& statement, const RequestParameters& parameters, RowViewer& viewer);
  // Runs an INSERT, UPDATE or DELETE without waiting for the disk. `parameters` may be destroyed after the call. If the
  // result is true, `done` gets the outcome: on the storage's thread, where it must return quickly, or during the call
  // if there is nothing to write. Returns false, and does nothing, if the statement is of another kind, is traced or
  // must be planned again. Also returns false if the statement came as text (StatementPlanner::FindShaped) and reads
  // before it writes: its plan may have been made from another text, and errors would quote that text. An error means
  // that the request is refused. If it is kInvalid, and the plan was made from another text, execute the request's own
  // text to get an error that quotes it.
  Result<bool> Submit(const PreparedPtr& statement, const RequestParameters& parameters,
                      std::function<void(Result<Outcome>)> done);
  // Begins to write one value of a longblob column in parts. The statement is an INSERT or UPDATE, and the value
  // belongs to its only longblob marker (exec/engine/blob_write.h). `parameters` has an unused value for this marker.
  Result<std::unique_ptr<BlobWrite>> WriteBlob(const PreparedPtr& statement, const RequestParameters& parameters);
  // Opens the only value of a SELECT of one row and one blob column, to be read in parts (exec/engine/blob_read.h).
  // Null if there is no such row, or its value is null.
  Result<std::unique_ptr<BlobRead>> OpenBlob(const PreparedStatement& statement, const RequestParameters& parameters);
  // Returns advice, even if the engine's language has no ADVISE statement.
  Result<std::vector<advise::Finding>> Advise(const AdviseStatement& statement, const std::string& current_keyspace,
                                              const RequestParameters& parameters);
  // Returns the heat map. kUnauthorized unless the role may read system_views.heat.
  Result<HeatMap*> Heat(const RequestParameters& parameters);
  // Begins a backup, which a client reads in parts. kUnauthorized unless the role may read system_views.backups.
  Result<OpenBackupPtr> BeginBackup(const std::optional<BackupPlace>& since, const RequestParameters& parameters);
  // Returns a backup that the role has begun. kInvalid if there is none; kUnauthorized as for BeginBackup.
  Result<OpenBackupPtr> FindBackup(const Uuid& id, const RequestParameters& parameters);
  // Opens a bulk insert with a prepared INSERT (exec/engine/bulk_insert.h).
  Result<std::unique_ptr<BulkInsert>> OpenBulkInsert(const PreparedPtr& insert, const BulkLimits& limits,
                                                     const RequestParameters& parameters);
  // Begins a transaction on the snapshot (exec/engine/optimistic_transaction.h).
  std::unique_ptr<OptimisticTransaction> BeginTransaction(SnapshotPtr snapshot);

  // Prepares a text. The form with `parameters` is for a client's request: it fails if the client must log in first,
  // and uses the keyspace, the connection and the trace flag of `parameters`.
  Result<PreparedPtr> Prepare(std::string_view text, std::string_view keyspace);
  Result<TracedStatement> Prepare(std::string_view text, const RequestParameters& parameters);
  // Finds and makes prepared statements.
  StatementPlanner& planner() { return *planner_; }

  // Opens a snapshot. A statement whose parameters contain the snapshot must be a SELECT, and sees the rows and the
  // schema of this moment.
  Result<SnapshotPtr> OpenSnapshot(const SnapshotLimits& limits = {});
  // Returns the snapshot if a client opened it and `connection` may use it: as the same role or as a superuser, or
  // because nobody has to log in. Null otherwise, so that nobody learns of the snapshots of others.
  SnapshotPtr FindSnapshot(const Uuid& id, const std::shared_ptr<const ConnectionFacts>& connection) const;
  SnapshotRegistry& snapshots();
  BackupRegistry& backups();
  // Returns the logins; null: nobody has to log in, and everybody may do everything.
  Logins* logins();
  // Creates the superuser `cassandra` if there are no roles (SchemaChanges::EnsureSuperuser).
  Status EnsureSuperuser(const std::string& password);
  // Returns the log of statements. The servers also report logins to it.
  const std::shared_ptr<StatementLog>& statement_log() const;
  // Adds a listener that is called after each schema change, in order, on the thread that made the change.
  void AddSchemaListener(std::function<void(const SchemaChange&)> listener);
  // Returns the registry in which a server enters its connections, for system_views.clients.
  ConnectionRegistry& connections();
  // Returns the counts of requests, which the servers keep.
  RequestCounts& request_counts();
  const StatementTimes& statement_times() const;
  SchemaPtr schema() const;
  // Returns the storage, for measurements. Rows are read and written through the functions above.
  const StorageEngine& storage() const;
  Clock& clock();
  // Fails with the reason while the storage refuses writes (StorageEngine::TakesWrites).
  Status TakesWrites() const;
  // Brings all acknowledged writes into the data file.
  Status Flush();

 private:
  // Runs a text with the plan of an earlier text that differs only in constants. nullopt: the caller must plan the
  // text.
  std::optional<Result<Outcome>> RunShaped(std::string_view text, const RequestParameters& parameters,
                                           RequestTrace& trace, StatementWatch& watch);
  Result<Outcome> RunOnSnapshot(const PreparedStatement& statement, const RequestParameters& parameters,
                                RequestTrace& trace, StatementWatch& watch);
  Result<Outcome> Run(const PreparedStatement& statement, const RequestParameters& parameters, RequestTrace& trace,
                      StatementWatch& watch);
  Result<Outcome> RunAdmitted(AdmittedRequest& request);
  // Admits a statement that reads or writes a value in parts, and audits it.
  Result<Permit> AdmitWatched(const PreparedStatement& statement, const RequestParameters& parameters);
  Status AdmitBackup(const RequestParameters& parameters);
  Result<std::vector<advise::Finding>> RunAdvice(const Permit& permit);

  // Each member uses the members before it.
  const std::unique_ptr<EngineState> state_;
  const std::unique_ptr<SchemaChanges> changes_;
  const std::unique_ptr<StatementPlanner> planner_;
  const std::unique_ptr<const SelectRunner> reads_;
  const std::unique_ptr<const WriteRunner> writes_;
  const std::unique_ptr<const Analyzer> analyzer_;
};

}  // namespace widerow
