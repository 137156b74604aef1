// The engine's SELECTs: a page, one row by its key, rows shown where they lie.
#include "exec/access/access_control.h"
#include "exec/derived/view_reads.h"
#include "exec/engine/engine.h"
#include "exec/engine/engine_internal.h"
#include "exec/guardrails/guard_statement.h"
#include "exec/load/load_recorder.h"
#include "exec/rows/paging.h"
#include "exec/rows/rows_writer.h"
#include "exec/select/point_read.h"
#include "exec/select/show_rows.h"
#include "exec/virtual/virtual_tables.h"

namespace widerow {

namespace {

// Values as one string, for the paging fingerprint.
Bytes JoinValues(std::span<const BoundValue> values) {
  Bytes joined;
  for (const BoundValue& value : values) {
    joined.push_back(static_cast<char>(value.kind));
    AppendVarint(joined, value.bytes.size());
    joined += value.bytes;
  }
  return joined;
}

// What a read of one row by its key is made with.
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

}  // namespace

// Keeps the view that a page was read from, so that the next pages can use it.
struct KeptMoment {
  std::unique_ptr<HeldSnapshot> held;  // Null: nothing stored has been read yet.
  std::chrono::steady_clock::time_point since;
};

// Whether the short way may be taken, as far as the request goes.
bool Engine::MayReadPoint(const PreparedStatement& statement, const RequestParameters& parameters) const {
  const bool plain = statement.point != nullptr && statement.plan->warnings.empty() && !parameters.trace &&
                     parameters.names.empty() && parameters.paging_state.empty() && parameters.snapshot == nullptr;
  return plain && StillValid(statement);
}

Result<bool> Engine::ReadPoint(const PreparedStatement& statement, const RequestParameters& parameters,
                               RowsPage& page) {
  if (!MayReadPoint(statement, parameters)) return false;
  WR_RETURN_IF_ERROR(Authorize(*statement.plan, parameters));
  WR_RETURN_IF_ERROR(CheckConsistency(*statement.plan, parameters.consistency));
  std::vector<BoundValue> named;
  WR_ASSIGN_OR_RETURN(const auto values, BindMarkers(statement.plan->markers, parameters.values, parameters.names,
                                                     HowSent(statement), named));
  return RunPoint(statement, values, parameters, load_->Begin(statement.record.get()), page);
}

Result<bool> Engine::RunPoint(const PreparedStatement& statement, std::span<const BoundValue> values,
                              const RequestParameters& parameters, uint32_t stands_for, RowsPage& page) {
  constexpr size_t kRowBytes = 256;
  const TableSchema& table = *statement.plan->tables[0];
  const bool metered = throughput_.Meters(table);
  if (metered) [[unlikely]]
    WR_RETURN_IF_ERROR(throughput_.Admit(table, Access::kRead));
  const PointContext point(*statement.point, values, parameters, storage_->clock());
  const size_t held = page.body.size();
  RowsWriter rows(std::move(page.body), kRowBytes);
  std::optional<ScanMeter> meter;
  if (stands_for != 0) [[unlikely]]
    meter.emplace(statement.plan->tables[0]);
  WR_ASSIGN_OR_RETURN(const bool fits, statement.point->Run(point.context, point.now_seconds, *storage_,
                                                            meter ? &*meter : nullptr, rows));
  page = std::move(rows).Finish(statement.columns);
  if (metered && fits) [[unlikely]]
    throughput_.Charge(table, Access::kRead, UnitsOf(page.row_count, page.body.size() - held));
  if (!fits) {
    page.body.resize(held);
  } else if (meter) [[unlikely]] {
    load_->EndRead(*statement.record, stands_for, *meter, page.row_count, page.body.size() - held);
  }
  return fits;
}

// Calls `use` with what the SELECT is run with: a SelectRequest and a ViewOpener. The view, if it is of a stored table,
// is of `*kept`, unless that is null.
template <typename Use>
auto Engine::WithSelect(const PreparedStatement& statement, const SelectPlan& plan, std::span<const BoundValue> values,
                        const RequestParameters& parameters, KeptMoment* kept, const Use& use) {
  const int64_t now_micros = storage_->clock().NowMicros();
  SelectRequest request;
  request.context = {.function = {.now_micros = now_micros}, .markers = values};
  request.columns = statement.columns;
  request.projection = statement.projection.get();
  request.now_seconds = parameters.now_seconds.value_or(now_micros / 1'000'000);
  request.index_rows = parameters.index_rows;
  request.one_view = parameters.snapshot != nullptr;
  request.limits = read_limits_;
  // Tables that show the server's own state are not part of a snapshot.
  request.snapshot = IsVirtual(*plan.table) ? nullptr : parameters.snapshot.get();
  request.page_rows = parameters.page_rows;
  request.paging_state = parameters.paging_state;
  const auto fingerprint = [&] {
    return PagingFingerprint(statement.text, statement.keyspace,
                             statement.constants_in_text ? Bytes() : JoinValues(values));
  };
  request.fingerprint = std::ref(fingerprint);  // By reference: a std::function of so many captures would allocate.
  const auto open = [&]() -> Result<std::unique_ptr<ReadView>> {
    if (!IsVirtual(*plan.table)) {
      if (kept != nullptr) {
        WR_ASSIGN_OR_RETURN(kept->held, storage_->HoldSnapshot());
        kept->since = std::chrono::steady_clock::now();
        return ViewOfPlan(*statement.plan, kept->held->OpenView(), request.now_seconds);
      }
      WR_ASSIGN_OR_RETURN(auto view, parameters.snapshot ? parameters.snapshot->OpenView() : storage_->OpenView());
      return ViewOfPlan(*statement.plan, std::move(view), request.now_seconds);
    }
    return virtual_tables_->OpenView(*plan.table, {.schema = schema(),
                                                   .storage = *storage_,
                                                   .statements = load_->statements(),
                                                   .heat = load_->heat(),
                                                   .throughput = throughput_,
                                                   .guardrails = guardrails_,
                                                   .traces = traces_,
                                                   .connections = connections_,
                                                   .builds = builder_,
                                                   .logins_required = access_ != nullptr && access_->logins_required(),
                                                   .connection = parameters.connection.get()});
  };
  const ViewOpener open_view = std::ref(open);
  return use(request, open_view);
}

Result<Outcome> Engine::RunRows(const PreparedStatement& statement, const SelectPlan& plan,
                                const RequestParameters& parameters) {
  std::vector<BoundValue> named;
  WR_ASSIGN_OR_RETURN(const auto values, BindMarkers(statement.plan->markers, parameters.values, parameters.names,
                                                     HowSent(statement), named));
  const uint32_t stands_for = load_->Begin(statement.record.get());
  if (statement.point != nullptr && parameters.paging_state.empty() && parameters.snapshot == nullptr) {
    RowsPage page;
    WR_ASSIGN_OR_RETURN(const bool done, RunPoint(statement, values, parameters, stands_for, page));
    if (done) return Outcome{.result = std::move(page)};
  }
  Outcome outcome;
  WR_RETURN_IF_ERROR(GuardSelect(plan, values, guardrails_, outcome.warnings));
  const bool metered = throughput_.Meters(*plan.table) && !IsVirtual(*plan.table);
  if (metered) WR_RETURN_IF_ERROR(throughput_.Admit(*plan.table, Access::kRead));
  const bool filters = guardrails_.on() && std::holds_alternative<FilteredScan>(plan.access) && !IsVirtual(*plan.table);
  std::optional<ScanMeter> meter;
  if (stands_for != 0 || metered || filters) meter.emplace(plan.table);
  const auto run = [&](SelectRequest& request, const ViewOpener& open_view) {
    if (meter) request.meter = &*meter;
    return RunSelect(plan, request, *storage_, open_view);
  };
  // An aggregate has one page, and reads it in several threads, from views that are no snapshot's.
  const bool keeps = parameters.keep_moment && parameters.snapshot == nullptr && (!plan.aggregated || plan.group_by);
  KeptMoment kept;
  WR_ASSIGN_OR_RETURN(RowsPage page, WithSelect(statement, plan, values, parameters, keeps ? &kept : nullptr, run));
  if (kept.held != nullptr && !page.paging_state.empty()) {
    const SnapshotLimits limits{
        .age_max = read_limits_.age_max, .pinned_bytes_max = read_limits_.pinned_bytes_max, .of_answer = true};
    WR_ASSIGN_OR_RETURN(outcome.moment, snapshots_.Open(statement.schema, std::move(kept.held), limits, kept.since));
  }
  if (stands_for != 0) load_->EndRead(*statement.record, stands_for, *meter, page.row_count, page.body.size());
  if (filters) {
    WR_RETURN_IF_ERROR(GuardFiltering(plan, meter->touched().rows(), page.row_count, guardrails_, outcome.warnings));
  }
  if (metered) {
    throughput_.Charge(*plan.table, Access::kRead, UnitsOf(meter->touched().rows(), meter->touched().bytes()));
  }
  outcome.result = std::move(page);
  return outcome;
}

Result<RowsPage> Engine::SelectMetered(const PreparedStatement& statement, const SelectPlan& plan,
                                       std::span<const BoundValue> values, const RequestParameters& parameters,
                                       ScanMeter& meter) {
  return WithSelect(statement, plan, values, parameters, nullptr,
                    [&](SelectRequest& request, const ViewOpener& open_view) {
                      request.meter = &meter;
                      return RunSelect(plan, request, *storage_, open_view);
                    });
}

Status Engine::ShowRows(const PreparedStatement& statement, const RequestParameters& parameters, RowViewer& viewer) {
  if (parameters.snapshot != nullptr) {
    if (!IsPlannedFor(statement, *parameters.snapshot->schema())) {
      WR_ASSIGN_OR_RETURN(const PreparedPtr again, PlanAgainOn(*parameters.snapshot, statement));
      return ShowRows(*again, parameters, viewer);
    }
  } else if (!StillValid(statement)) {
    WR_ASSIGN_OR_RETURN(const PreparedPtr again, PlanAgain(statement));
    return ShowRows(*again, parameters, viewer);
  }
  const auto* const plan = std::get_if<SelectPlan>(&statement.plan->node);
  if (plan == nullptr)
    return InvalidError("Only the rows of a SELECT can be shown one by one", "Execute runs any statement");
  WR_RETURN_IF_ERROR(Authorize(*statement.plan, parameters));
  WR_RETURN_IF_ERROR(CheckConsistency(*statement.plan, parameters.consistency));
  std::vector<BoundValue> named;
  WR_ASSIGN_OR_RETURN(const auto values, BindMarkers(statement.plan->markers, parameters.values, parameters.names,
                                                     HowSent(statement), named));
  const bool metered = throughput_.Meters(*plan->table) && !IsVirtual(*plan->table);
  if (metered) [[unlikely]]
    WR_RETURN_IF_ERROR(throughput_.Admit(*plan->table, Access::kRead));
  const uint32_t stands_for = load_->Begin(statement.record.get());
  std::optional<ScanMeter> meter;
  if (stands_for != 0 || metered) [[unlikely]]
    meter.emplace(plan->table);
  ScanMeter* const or_null = meter ? &*meter : nullptr;
  std::optional<Snapshot::Turn> turn;
  if (parameters.snapshot != nullptr) {
    WR_ASSIGN_OR_RETURN(Snapshot::Turn taken, parameters.snapshot->TakeTurn());
    turn.emplace(std::move(taken));
  }
  if (statement.point != nullptr && parameters.snapshot == nullptr) {
    viewer.Begin(statement.columns);
    const PointContext point(*statement.point, values, parameters, storage_->clock());
    WR_RETURN_IF_ERROR(statement.point->Show(point.context, point.now_seconds, *storage_, or_null, viewer));
  } else {
    WR_RETURN_IF_ERROR(
        WithSelect(statement, *plan, values, parameters, nullptr, [&](auto& request, const auto& open_view) {
          request.meter = or_null;
          return widerow::ShowRows(*plan, request, *storage_, open_view, viewer);
        }));
  }
  if (!meter) [[likely]]
    return OkStatus();
  const TouchedPartitions& touched = meter->touched();
  if (stands_for != 0) load_->EndRead(*statement.record, stands_for, *meter, meter->rows_accepted, touched.bytes());
  if (metered) throughput_.Charge(*plan->table, Access::kRead, UnitsOf(touched.rows(), touched.bytes()));
  return OkStatus();
}

}  // namespace widerow
