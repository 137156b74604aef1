// Database is a thin layer over Engine: it binds parameters, keeps the keyspace of the last USE, and turns outcomes
// into ResultSets and errors into Failures. State::Run tries Engine::ReadPoint, the short way for one row, before
// ExecutePrepared.
#include "widerow/database.h"

#include "base/mutex.h"
#include "embedded/failure.h"
#include "embedded/parameters.h"
#include "embedded/prepared_query_state.h"
#include "embedded/result_set_state.h"
#include "embedded/shower.h"
#include "exec/engine/statement_planner.h"
#include "parser/parse.h"

namespace widerow {

namespace {

class FunctionClock final : public Clock {
 public:
  explicit FunctionClock(std::function<int64_t()> now_micros) : now_micros_(std::move(now_micros)) {}
  int64_t NowMicros() override { return now_micros_(); }

 private:
  const std::function<int64_t()> now_micros_;
};

}  // namespace

struct Database::State {
  State(std::unique_ptr<StorageEngine> storage, LanguageOptions language, EngineOptions options, uint32_t rows)
      : engine(std::move(storage), language, options), page_rows(rows) {}

  std::string keyspace() WR_EXCLUDES(mutex) {
    MutexLock lock(mutex);
    return current_keyspace;
  }

  Result<ResultSet> Execute(std::string_view cql, const std::vector<Parameter>& parameters);
  Result<ResultSet> Run(const PreparedPtr& prepared, const std::vector<Parameter>& parameters);
  Result<size_t> Show(const PreparedPtr& prepared, const std::vector<Parameter>& parameters,
                      const std::function<bool(const Row&)>& visit);
  // Makes a ResultSet of the first page; `text` and `prepared` are kept only if there are more pages.
  ResultSet ToResultSet(std::unique_ptr<ResultSetState> state, Outcome outcome, std::string_view text,
                        const PreparedPtr& prepared);

  Engine engine;
  const uint32_t page_rows;
  Mutex mutex;
  std::string current_keyspace WR_GUARDED_BY(mutex);
};

ResultSet Database::State::ToResultSet(std::unique_ptr<ResultSetState> state, Outcome outcome, std::string_view text,
                                       const PreparedPtr& prepared) {
  if (auto* use = std::get_if<UseOutcome>(&outcome.result)) {
    MutexLock lock(mutex);
    current_keyspace = use->keyspace;
  }
  state->TakeOutcome(std::move(outcome));
  if (!state->page.paging_state.empty()) {
    ResultSetState::Rare& rare = state->rare();
    rare.engine = &engine;
    rare.text = text;
    rare.prepared = prepared;
  }
  return ResultSet(std::move(state));
}

Result<ResultSet> Database::State::Run(const PreparedPtr& prepared, const std::vector<Parameter>& parameters) {
  if (!engine.planner().StillValid(*prepared)) [[unlikely]] {  // The markers may have other types now.
    WR_ASSIGN_OR_RETURN(const PreparedPtr again, engine.Prepare(prepared->text, prepared->keyspace));
    return Run(again, parameters);
  }
  std::unique_ptr<ResultSetState> state = ResultSetState::Take();
  state->parameters.page_rows = page_rows;
  state->parameters.whole_if_sorted = true;
  state->parameters.index_rows = true;
  WR_RETURN_IF_ERROR(BindParameters(parameters, prepared->plan->markers, state->parameters.values));
  WR_ASSIGN_OR_RETURN(const bool read, engine.ReadPoint(*prepared, state->parameters, state->page));
  if (read) {
    state->BeginPage();
    return ResultSet(std::move(state));
  }
  Result<Outcome> outcome = engine.ExecutePrepared(*prepared, state->parameters);
  if (outcome.ok()) return ToResultSet(std::move(state), std::move(*outcome), prepared->text, prepared);
  // kUnprepared means that the schema has changed since the values were bound.
  if (outcome.error().code == ErrorCode::kUnprepared) return Run(prepared, parameters);
  return std::move(outcome).error();
}

Result<size_t> Database::State::Show(const PreparedPtr& prepared, const std::vector<Parameter>& parameters,
                                     const std::function<bool(const Row&)>& visit) {
  if (!engine.planner().StillValid(*prepared)) [[unlikely]] {
    WR_ASSIGN_OR_RETURN(const PreparedPtr again, engine.Prepare(prepared->text, prepared->keyspace));
    return Show(again, parameters, visit);
  }
  std::unique_ptr<ResultSetState> state = ResultSetState::Take();
  WR_RETURN_IF_ERROR(BindParameters(parameters, prepared->plan->markers, state->parameters.values));
  Shower shower(*state, visit);
  if (const Status ran = engine.ShowRows(*prepared, state->parameters, shower); !ran.ok()) {
    if (ran.error().code == ErrorCode::kUnprepared) return Show(prepared, parameters, visit);
    return ran.error();
  }
  ResultSetState::GiveBack(std::move(state));
  return shower.shown();
}

Result<ResultSet> Database::State::Execute(std::string_view cql, const std::vector<Parameter>& parameters) {
  if (!parameters.empty()) {
    WR_ASSIGN_OR_RETURN(const PreparedPtr prepared, engine.Prepare(cql, keyspace()));
    return Run(prepared, parameters);
  }
  std::unique_ptr<ResultSetState> state = ResultSetState::Take();
  state->parameters.values.clear();
  state->parameters.keyspace = keyspace();
  state->parameters.page_rows = page_rows;
  state->parameters.whole_if_sorted = true;
  state->parameters.index_rows = true;
  WR_ASSIGN_OR_RETURN(Outcome outcome, engine.Execute(cql, state->parameters));
  return ToResultSet(std::move(state), std::move(outcome), cql, nullptr);
}

Expected<std::unique_ptr<Database>> Database::Open(DatabaseOptions options) {
  if (options.page_rows == 0) return ToFailure(InvalidError("page_rows must be at least 1"), {});
  const std::optional<Dialect> dialect = DialectFromName(options.profile);
  if (!dialect) return ToFailure(InvalidError("profile " + NoSuchDialect(options.profile)), {});
  const Result<Guardrails> guardrails = MakeGuardrails(options.guardrails, options.guardrail_settings);
  if (!guardrails.ok()) return ToFailure(guardrails.error(), {});
  const std::optional<Durability> durability = DurabilityNamed(options.durability);
  if (!durability) {
    return ToFailure(InvalidError("durability must be sync, periodic or none, not \"" + options.durability + "\""), {});
  }
  StorageOptions storage{.directory = std::move(options.directory),
                         .map_bytes = options.map_bytes,
                         .durability = *durability,
                         .memtable_bytes = options.memtable_bytes,
                         .accept_lost_log = options.accept_lost_log,
                         .keep_log_as_before = true};
  if (options.clock) storage.clock = std::make_shared<FunctionClock>(std::move(options.clock));
  Result<std::unique_ptr<StorageEngine>> opened = OpenLmdbEngine(std::move(storage));
  if (!opened.ok()) return ToFailure(opened.error(), {});
  const LanguageOptions language{*dialect, options.extension_warnings};
  EngineOptions engine{.guardrails = *guardrails, .capacity = {options.read_capacity, options.write_capacity}};
  engine.reads = DefaultReadLimits(options.memtable_bytes);
  engine.reads.age_max = options.read_time_max;
  if (options.read_pinned_bytes_max > 0) engine.reads.pinned_bytes_max = options.read_pinned_bytes_max;
  if (options.roles) engine.access.mode = AccessMode::kProcess;
  if (options.datacenter.empty()) return ToFailure(InvalidError("datacenter needs a name"), {});
  engine.datacenter = options.datacenter;
  auto state = std::make_unique<State>(std::move(*opened), language, engine, options.page_rows);
  if (options.roles) {
    if (const Status made = state->engine.EnsureSuperuser({}); !made.ok()) return ToFailure(made.error(), {});
  }
  return std::unique_ptr<Database>(new Database(std::move(state)));
}

Database::Database(std::unique_ptr<State> state) : state_(std::move(state)) {}
Database::~Database() = default;
std::string Database::keyspace() const { return state_->keyspace(); }
uint32_t Database::page_rows() const { return state_->page_rows; }
Engine& Database::engine() { return state_->engine; }

Expected<ResultSet> Database::Execute(std::string_view cql, const std::vector<Parameter>& parameters) {
  Result<ResultSet> result = state_->Execute(cql, parameters);
  if (!result.ok()) return ToFailure(result.error(), cql);
  return std::move(*result);
}

Expected<PreparedQuery> Database::Prepare(std::string_view cql) {
  Result<PreparedPtr> prepared = state_->engine.Prepare(cql, state_->keyspace());
  if (!prepared.ok()) return ToFailure(prepared.error(), cql);
  PreparedQuery query;
  query.state_ = std::make_shared<const PreparedQuery::State>(PreparedQuery::State{std::move(*prepared)});
  return query;
}

Expected<ResultSet> Database::Execute(const PreparedQuery& query, const std::vector<Parameter>& parameters) {
  if (!query.state_) return ToFailure(InvalidError("the PreparedQuery is empty: it does not come from Prepare"), {});
  Result<ResultSet> result = state_->Run(query.state_->statement, parameters);
  if (!result.ok()) return ToFailure(result.error(), query.state_->statement->text);
  return std::move(*result);
}

Expected<size_t> Database::ForEachRow(const PreparedQuery& query, const std::vector<Parameter>& parameters,
                                      const std::function<bool(const Row&)>& visit) {
  if (!query.state_) return ToFailure(InvalidError("the PreparedQuery is empty: it does not come from Prepare"), {});
  Result<size_t> shown = state_->Show(query.state_->statement, parameters, visit);
  if (!shown.ok()) return ToFailure(shown.error(), query.state_->statement->text);
  return *shown;
}

Expected<size_t> Database::ExecuteScript(std::string_view cql) {
  size_t count = 0;
  for (const StatementSpan& span : SplitStatements(cql)) {
    const std::string_view text = cql.substr(span.range.begin, span.range.end - span.range.begin);
    Result<ResultSet> result = state_->Execute(text, {});
    if (!result.ok()) {
      Error error = std::move(result).error();
      if (error.range) error.range = {error.range->begin + span.range.begin, error.range->end + span.range.begin};
      return ToFailure(error, cql);
    }
    ++count;
  }
  return count;
}

const std::string& PreparedQuery::text() const {
  static const std::string kNone;
  return state_ ? state_->statement->text : kNone;
}

std::vector<Column> PreparedQuery::markers() const {
  std::vector<Column> markers;
  if (!state_) return markers;
  for (const MarkerSpec& marker : state_->statement->plan->markers) {
    markers.push_back({marker.keyspace, marker.table, marker.name, TypeText(*marker.type)});
  }
  return markers;
}

}  // namespace widerow
