#include "exec/engine/select_runner.h"

#include "base/text.h"
#include "exec/derived/view_reads.h"
#include "exec/guardrails/guard_statement.h"
#include "exec/nearest/bind_nearest.h"
#include "exec/rows/rows_writer.h"
#include "exec/select/point_read.h"
#include "exec/select/show_rows.h"

namespace widerow {

namespace {

// The context of a read of one row by its key.
struct PointContext {
  EvaluationContext context;
  int64_t now_seconds = 0;

  PointContext(const PointRead& point, std::span<const BoundValue> values, const RequestParameters& parameters,
               Clock& clock)
      : context{.function = {}, .markers = values} {
    if (point.needs_time()) context.function.now_micros = clock.NowMicros();
    now_seconds = parameters.now_seconds ? *parameters.now_seconds : clock.NowSeconds();
  }
};

// Counts the bytes that the shown rows would have in a page.
class CountingViewer final : public RowViewer {
 public:
  explicit CountingViewer(RowViewer& viewer) : viewer_(viewer) {}
  Mode mode() const override { return viewer_.mode(); }
  void Begin(const ResultColumnsPtr& columns) override { viewer_.Begin(columns); }
  bool Show(std::span<const ByteView> values) override {
    for (const ByteView value : values) bytes_ += sizeof(uint32_t) + value.size();
    return viewer_.Show(values);
  }
  bool SkipsAlike() const override { return viewer_.SkipsAlike(); }
  void EndEarly() override { viewer_.EndEarly(); }
  uint64_t bytes() const { return bytes_; }

 private:
  RowViewer& viewer_;
  uint64_t bytes_ = 0;
};

}  // namespace

Result<bool> SelectRunner::Point(AdmittedRequest& request, RowsPage& page) const {
  WR_ASSIGN_OR_RETURN(const Values values, request.Bind());
  ReadAccount account(state_, request.statement().record.get(), request.statement().plan->tables[0]);
  return AppendPoint(request, values, account, page);
}

Result<bool> SelectRunner::AppendPoint(const AdmittedRequest& request, Values values, ReadAccount& account,
                                       RowsPage& page) const {
  WR_RETURN_IF_ERROR(account.Admit());
  const PointRead& read = *request.statement().point;
  const PointContext point(read, values, request.parameters(), state_.storage->clock());
  const size_t held = page.body.size();
  RowsWriter rows(std::move(page.body), kRowBytes);
  rows.SetLimits(request.parameters().answer);
  WR_ASSIGN_OR_RETURN(const bool fits, read.Run(request.permit(), point.context, point.now_seconds, *state_.storage,
                                                account.meter(), rows));
  page = std::move(rows).Finish(request.statement().columns);
  if (fits) {
    if (request.examined() != nullptr) request.examined()->fetch_add(1, std::memory_order_relaxed);
    account.EndPoint(page.row_count, page.body.size() - held);
  } else {
    page.body.resize(held);
    account.Restart();
  }
  return fits;
}

template <typename Use>
auto SelectRunner::WithSelect(const AdmittedRequest& admitted, Values values, KeptMoment* kept, const Use& use) const {
  const PreparedStatement& statement = admitted.statement();
  const RequestParameters& parameters = admitted.parameters();
  const auto& plan = admitted.plan_as<SelectPlan>();
  const TableSchema& table = *plan.table;
  // TTLs end by the time of the snapshot. now() is the time of the statement, which is that of its first page if
  // further pages read the same snapshot.
  const int64_t clock_micros = state_.storage->clock().NowMicros();
  const Snapshot* const snapshot = parameters.snapshot.get();
  const int64_t moment_micros = snapshot != nullptr ? snapshot->micros() : clock_micros;
  const bool continued = snapshot != nullptr && snapshot->of_answer();
  SelectRequest request;
  request.context = {.function = {.now_micros = continued ? moment_micros : clock_micros}, .markers = values};
  request.columns = statement.columns;
  request.projection = statement.projection.get();
  request.now_seconds = parameters.now_seconds.value_or(moment_micros / 1'000'000);
  request.index_rows = parameters.index_rows;
  request.one_view = snapshot != nullptr;
  request.limits = state_.read_limits;
  request.limits.ran_long = parameters.ran_long;
  request.limits.examined = admitted.examined();
  request.answer = parameters.answer;
  // Tables that show the server's own state are not part of a snapshot.
  request.snapshot = IsVirtual(table) ? nullptr : parameters.snapshot.get();
  const bool whole = (parameters.whole_if_sorted && plan.sorts_partitions()) || IsTopK(plan);
  request.page_rows = whole ? 0 : parameters.page_rows;
  request.paging_state = parameters.paging_state;
  const auto open = [&]() -> Result<std::unique_ptr<ReadView>> {
    if (!IsVirtual(table)) {
      if (kept != nullptr) {
        WR_ASSIGN_OR_RETURN(kept->held, state_.storage->HoldSnapshot());
        kept->since = std::chrono::steady_clock::now();
        kept->micros = clock_micros;
        return ViewOfPlan(admitted.plan(), kept->held->OpenView(), request.now_seconds);
      }
      WR_ASSIGN_OR_RETURN(auto view,
                          parameters.snapshot ? parameters.snapshot->OpenView() : state_.storage->OpenView());
      return ViewOfPlan(admitted.plan(), std::move(view), request.now_seconds);
    }
    Actor actor;
    if (state_.access != nullptr) { WR_ASSIGN_OR_RETURN(actor, state_.access->ActorOf(parameters)); }
    return state_.virtual_tables.OpenView(table, {.schema = state_.Schema(),
                                                  .storage = *state_.storage,
                                                  .statements = state_.load.statements(),
                                                  .heat = state_.load.heat(),
                                                  .throughput = state_.throughput,
                                                  .guardrails = state_.guardrails,
                                                  .traces = state_.traces,
                                                  .connections = state_.connections,
                                                  .builds = builds_,
                                                  .backups = state_.backups,
                                                  .datacenter = state_.datacenter,
                                                  .logins_required = state_.logins_required(),
                                                  .connection = parameters.connection.get(),
                                                  .actor = std::move(actor)});
  };
  const ViewOpener open_view = std::ref(open);
  return use(request, open_view);
}

Result<Outcome> SelectRunner::Page(AdmittedRequest& request) const {
  const PreparedStatement& statement = request.statement();
  const RequestParameters& parameters = request.parameters();
  const auto& plan = request.plan_as<SelectPlan>();
  WR_ASSIGN_OR_RETURN(const Values values, request.Bind());
  ReadAccount account(state_, statement.record.get(), plan.table);
  if (AnswersPoint(statement, parameters)) {
    RowsPage page;
    WR_ASSIGN_OR_RETURN(const bool done, AppendPoint(request, values, account, page));
    if (done) return Outcome{.result = std::move(page)};
  }
  Outcome outcome;
  WR_RETURN_IF_ERROR(GuardSelect(plan, values, state_.guardrails, outcome.warnings));
  WR_RETURN_IF_ERROR(account.Admit());
  account.MeasureIfLimited();
  const bool filters =
      state_.guardrails.on() && std::holds_alternative<FilteredScan>(plan.access) && !IsVirtual(*plan.table);
  if (filters) account.Measure();
  const auto run = [&](SelectRequest& select, const ViewOpener& open_view) {
    select.meter = account.meter();
    return RunSelect(request.permit(), select, *state_.storage, open_view);
  };
  // An aggregate without GROUP BY has one page, so it needs no snapshot for further pages. The threads that compute it
  // open views of their own.
  const bool keeps = parameters.keep_moment && parameters.snapshot == nullptr && (!plan.aggregated || plan.group_by);
  KeptMoment kept;
  WR_ASSIGN_OR_RETURN(RowsPage page, WithSelect(request, values, keeps ? &kept : nullptr, run));
  if (kept.held != nullptr && !page.paging_state.empty()) {
    const SnapshotLimits limits{.age_max = state_.read_limits.age_max,
                                .pinned_bytes_max = state_.read_limits.pinned_bytes_max,
                                .of_answer = true};
    WR_ASSIGN_OR_RETURN(outcome.moment, state_.snapshots.Open(statement.schema, std::move(kept), limits));
  }
  account.End(page.row_count, page.body.size());
  if (filters) {
    WR_RETURN_IF_ERROR(
        GuardFiltering(plan, account.meter()->touched().rows(), page.row_count, state_.guardrails, outcome.warnings));
  }
  if (std::string warning = TopKPageWarning(plan, parameters.page_rows, {.function = {}, .markers = values});
      !warning.empty())
    outcome.warnings.push_back(std::move(warning));
  outcome.result = std::move(page);
  return outcome;
}

Result<RowsPage> SelectRunner::MeasuredPage(AdmittedRequest& request, ScanMeter& meter) const {
  WR_ASSIGN_OR_RETURN(const Values values, request.Bind());
  return WithSelect(request, values, nullptr, [&](SelectRequest& select, const ViewOpener& open_view) {
    select.meter = &meter;
    return RunSelect(request.permit(), select, *state_.storage, open_view);
  });
}

Result<uint64_t> SelectRunner::Show(AdmittedRequest& request, RowViewer& viewer) const {
  const PreparedStatement& statement = request.statement();
  const RequestParameters& parameters = request.parameters();
  WR_ASSIGN_OR_RETURN(const Values values, request.Bind());
  ReadAccount account(state_, statement.record.get(), request.plan_as<SelectPlan>().table);
  WR_RETURN_IF_ERROR(account.Admit());
  account.MeasureIfLimited();
  CountingViewer counting(viewer);
  RowViewer& used = account.meter() != nullptr ? counting : viewer;
  uint64_t shown = 0;
  std::optional<Snapshot::Turn> turn;
  if (parameters.snapshot != nullptr) {
    WR_ASSIGN_OR_RETURN(Snapshot::Turn taken, parameters.snapshot->TakeTurn());
    turn.emplace(std::move(taken));
  }
  if (statement.point != nullptr && parameters.snapshot == nullptr) {
    used.Begin(statement.columns);
    const PointContext point(*statement.point, values, parameters, state_.storage->clock());
    WR_ASSIGN_OR_RETURN(shown, statement.point->Show(request.permit(), point.context, point.now_seconds,
                                                     *state_.storage, account.meter(), used));
  } else {
    std::vector<std::string> warnings;  // Viewers do not show them.
    WR_RETURN_IF_ERROR(GuardSelect(request.plan_as<SelectPlan>(), values, state_.guardrails, warnings));
    const auto show = [&](SelectRequest& select, const ViewOpener& open_view) {
      select.meter = account.meter();
      return ShowRows(request.permit(), select, *state_.storage, open_view, used);
    };
    WR_ASSIGN_OR_RETURN(shown, WithSelect(request, values, nullptr, show));
  }
  if (account.meter() != nullptr) account.End(shown, counting.bytes());
  return shown;
}

Result<std::unique_ptr<BlobRead>> SelectRunner::OpenBlob(AdmittedRequest& request) const {
  if (const TableSchema& table = *request.plan_as<SelectPlan>().table; table.view != nullptr) {
    return InvalidError(
        StrCat("A value of the materialized view ", table.keyspace, ".", table.name, " cannot be read in parts"),
        StrCat("read it from the base table ", table.keyspace, ".", table.view->base_table));
  }
  const PreparedStatement& statement = request.statement();
  const PointRead* const point = statement.point.get();
  if (point == nullptr || statement.columns->size() != 1 || statement.columns->front().type->kind != TypeKind::kBlob) {
    return InvalidError("A value is read in parts with a SELECT of one blob column of one row",
                        "SELECT v FROM t WHERE k = ?, with the whole primary key, and without an expression");
  }
  WR_ASSIGN_OR_RETURN(const Values values, request.Bind());
  ReadAccount account(state_, statement.record.get(), request.plan_as<SelectPlan>().table);
  WR_RETURN_IF_ERROR(account.Admit());
  const PointContext context(*point, values, request.parameters(), state_.storage->clock());
  // After the reference was read and before the object is opened, the row may get another value, and the sweeper
  // (storage/fold/purge.h) may remove the object. Then the new reference is read.
  for (int tries = 0; tries < 100; ++tries) {
    std::unique_ptr<BlobRead> blob;
    const auto use = [&](const CellView& cell, ByteView key) -> Status {
      WR_ASSIGN_OR_RETURN(blob, BlobRead::OfCell(cell, key, request.parameters().answer.room));
      return OkStatus();
    };
    WR_RETURN_IF_ERROR(
        point->ReadCell(request.permit(), context.context, context.now_seconds, *state_.storage, account.meter(), use));
    if (blob == nullptr) return blob;
    WR_ASSIGN_OR_RETURN(const bool opened, blob->Open(*state_.storage, point->table()));
    if (!opened) continue;
    account.EndPoint(1, blob->bytes());
    return blob;
  }
  return Error{.code = ErrorCode::kReadFailure,
               .message = "Operation failed",
               .hint = "the value was overwritten again and again while it was being opened"};
}

}  // namespace widerow
