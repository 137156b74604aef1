#include "widerow/transaction.h"

#include "embedded/failure.h"
#include "embedded/parameters.h"
#include "embedded/prepared_query_state.h"
#include "embedded/shower.h"
#include "exec/engine/optimistic_transaction.h"
#include "exec/engine/statement_planner.h"

namespace widerow {
namespace {

SnapshotLimits LimitsOf(const SnapshotOptions& options) {
  return {.age_max = options.age_max, .pinned_bytes_max = options.pinned_bytes_max};
}

Error Over() { return InvalidError("The transaction is over", "begin another"); }
// Plans the statement for the snapshot's schema, in which markers may have other types. Call it before values are
// bound.
Status PlanOnSnapshot(Engine& engine, const Snapshot& snapshot, PreparedPtr& statement) {
  if (StatementPlanner::IsPlannedFor(*statement, *snapshot.schema())) return OkStatus();
  WR_ASSIGN_OR_RETURN(statement, engine.planner().PrepareOn(snapshot, statement->text, statement->keyspace));
  return OkStatus();
}

Error EmptyQuery() { return InvalidError("the PreparedQuery is empty: it does not come from Prepare"); }

}  // namespace

struct ReadSnapshot::State {
  Database& database;
  const SnapshotPtr snapshot;

  Result<std::unique_ptr<ResultSetState>> Run(PreparedPtr statement, const std::vector<Parameter>& parameters) const {
    WR_RETURN_IF_ERROR(PlanOnSnapshot(database.engine(), *snapshot, statement));
    std::unique_ptr<ResultSetState> set = ResultSetState::Take();
    set->parameters.snapshot = snapshot;
    set->parameters.page_rows = database.page_rows();
    set->parameters.whole_if_sorted = true;
    set->parameters.index_rows = true;
    WR_RETURN_IF_ERROR(BindParameters(parameters, statement->plan->markers, set->parameters.values));
    WR_ASSIGN_OR_RETURN(Outcome outcome, database.engine().ExecutePrepared(*statement, set->parameters));
    set->TakeOutcome(std::move(outcome));
    if (!set->page.paging_state.empty()) {
      ResultSetState::Rare& rare = set->rare();
      rare.engine = &database.engine();
      rare.text = statement->text;
      rare.prepared = statement;
    }
    return set;
  }

  Result<size_t> Show(PreparedPtr statement, const std::vector<Parameter>& parameters,
                      const std::function<bool(const Row&)>& visit) const {
    WR_RETURN_IF_ERROR(PlanOnSnapshot(database.engine(), *snapshot, statement));
    std::unique_ptr<ResultSetState> set = ResultSetState::Take();
    set->parameters.snapshot = snapshot;
    WR_RETURN_IF_ERROR(BindParameters(parameters, statement->plan->markers, set->parameters.values));
    Shower shower(*set, visit);
    WR_RETURN_IF_ERROR(database.engine().ShowRows(*statement, set->parameters, shower));
    ResultSetState::GiveBack(std::move(set));
    return shower.shown();
  }
};

Expected<std::unique_ptr<ReadSnapshot>> ReadSnapshot::Open(Database& database, SnapshotOptions options) {
  Result<SnapshotPtr> snapshot = database.engine().OpenSnapshot(LimitsOf(options));
  if (!snapshot.ok()) return ToFailure(snapshot.error(), {});
  return std::unique_ptr<ReadSnapshot>(
      new ReadSnapshot(std::make_unique<State>(State{database, std::move(*snapshot)})));
}

ReadSnapshot::ReadSnapshot(std::unique_ptr<State> state) : state_(std::move(state)) {}
ReadSnapshot::~ReadSnapshot() { state_->database.engine().snapshots().Close(state_->snapshot->id()); }

Expected<ResultSet> ReadSnapshot::Execute(std::string_view cql, const std::vector<Parameter>& parameters) {
  Result<PreparedPtr> statement =
      state_->database.engine().planner().PrepareOn(*state_->snapshot, cql, state_->database.keyspace());
  if (!statement.ok()) return ToFailure(statement.error(), cql);
  Result<std::unique_ptr<ResultSetState>> set = state_->Run(*statement, parameters);
  if (!set.ok()) return ToFailure(set.error(), cql);
  return ResultSet(std::move(*set));
}

Expected<ResultSet> ReadSnapshot::Execute(const PreparedQuery& query, const std::vector<Parameter>& parameters) {
  if (!query.state_) return ToFailure(EmptyQuery(), {});
  Result<std::unique_ptr<ResultSetState>> set = state_->Run(query.state_->statement, parameters);
  if (!set.ok()) return ToFailure(set.error(), query.text());
  return ResultSet(std::move(*set));
}

Expected<size_t> ReadSnapshot::ForEachRow(const PreparedQuery& query, const std::vector<Parameter>& parameters,
                                          const std::function<bool(const Row&)>& visit) {
  if (!query.state_) return ToFailure(EmptyQuery(), {});
  Result<size_t> shown = state_->Show(query.state_->statement, parameters, visit);
  if (!shown.ok()) return ToFailure(shown.error(), query.text());
  return *shown;
}

struct Transaction::State {
  State(Database& of, SnapshotPtr opened)
      : database(of), snapshot(opened), transaction(of.engine().BeginTransaction(std::move(opened))) {}

  Result<std::unique_ptr<ResultSetState>> Run(PreparedPtr statement, const std::vector<Parameter>& parameters) {
    if (over) return Over();
    WR_RETURN_IF_ERROR(PlanOnSnapshot(database.engine(), *snapshot, statement));
    std::unique_ptr<ResultSetState> set = ResultSetState::Take();
    WR_RETURN_IF_ERROR(BindParameters(parameters, statement->plan->markers, set->parameters.values));
    WR_ASSIGN_OR_RETURN(Outcome outcome, transaction->Execute(statement, set->parameters));
    set->TakeOutcome(std::move(outcome));
    return set;
  }

  Database& database;
  const SnapshotPtr snapshot;
  const std::unique_ptr<OptimisticTransaction> transaction;
  bool over = false;
};

Expected<std::unique_ptr<Transaction>> Transaction::Begin(Database& database, SnapshotOptions options) {
  Result<SnapshotPtr> snapshot = database.engine().OpenSnapshot(LimitsOf(options));
  if (!snapshot.ok()) return ToFailure(snapshot.error(), {});
  return std::unique_ptr<Transaction>(new Transaction(std::make_unique<State>(database, std::move(*snapshot))));
}

Transaction::Transaction(std::unique_ptr<State> state) : state_(std::move(state)) {}
Transaction::~Transaction() { state_->database.engine().snapshots().Close(state_->snapshot->id()); }

Expected<ResultSet> Transaction::Execute(std::string_view cql, const std::vector<Parameter>& parameters) {
  Result<PreparedPtr> statement =
      state_->database.engine().planner().PrepareOn(*state_->snapshot, cql, state_->database.keyspace());
  if (!statement.ok()) return ToFailure(statement.error(), cql);
  Result<std::unique_ptr<ResultSetState>> set = state_->Run(*statement, parameters);
  if (!set.ok()) return ToFailure(set.error(), cql);
  return ResultSet(std::move(*set));
}

Expected<ResultSet> Transaction::Execute(const PreparedQuery& query, const std::vector<Parameter>& parameters) {
  if (!query.state_) return ToFailure(EmptyQuery(), {});
  Result<std::unique_ptr<ResultSetState>> set = state_->Run(query.state_->statement, parameters);
  if (!set.ok()) return ToFailure(set.error(), query.text());
  return ResultSet(std::move(*set));
}

Expected<bool> Transaction::Commit() {
  if (state_->over) return ToFailure(Over(), {});
  Result<bool> committed = state_->transaction->Commit();
  if (!committed.ok()) return ToFailure(committed.error(), {});
  state_->over = true;
  state_->database.engine().snapshots().Close(state_->snapshot->id());
  return *committed;
}

}  // namespace widerow
