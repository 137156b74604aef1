#include "exec/engine/bulk_insert.h"

#include "exec/bind/bind.h"
#include "exec/derived/logged_load.h"
#include "exec/write/modify.h"

namespace widerow {

Result<std::unique_ptr<BulkInsert>> BulkInsert::Open(EngineState& state, const Permit& permit, PreparedPtr insert,
                                                     const BulkLimits& limits) {
  const auto* plan = std::get_if<ModifyPlan>(&permit.plan().node);
  if (plan == nullptr || plan->kind != ModifyPlan::Kind::kInsert || plan->condition != RowCondition::kNone) {
    return InvalidError("A bulk load takes an INSERT statement without conditions only");
  }
  if (IsVirtual(*plan->table)) return ReadOnly(*plan->table);
  std::unique_ptr<BulkLoad> load;
  if (plan->table->has_derived()) {
    load = std::make_unique<LoggedLoad>(*state.storage, limits.lanes);
  } else {
    load = state.storage->OpenBulk(plan->table, limits);
  }
  return std::unique_ptr<BulkInsert>(new BulkInsert(state, permit, std::move(insert), std::move(load)));
}

Status BulkInsert::Add(size_t lane, const std::vector<BoundValue>& values, int64_t timestamp) {
  std::vector<BoundValue> named;
  const int64_t now_micros = state_.storage->clock().NowMicros();
  WriteRequest request{.timestamp = timestamp, .now_seconds = now_micros / 1'000'000};
  request.context.function.now_micros = now_micros;
  WR_ASSIGN_OR_RETURN(request.context.markers, BindMarkers(markers(), values, {}, SentAs::kPrepared, named));
  WR_ASSIGN_OR_RETURN(const BuiltWrite built, BuildWrite(permit_, request));
  WR_CHECK(!built.write.decide);  // An INSERT without conditions reads nothing.
  for (const PartitionMutation& partition : built.write.mutation) WR_RETURN_IF_ERROR(load_->Add(lane, partition));
  state_.load.CountWrites(built.write.mutation);
  return OkStatus();
}

Status BulkInsert::Store(const std::function<void(double)>& progress) {
  const double all = static_cast<double>(std::max<uint64_t>(load_->entries(), 1));
  return load_->Store([&](uint64_t stored) {
    if (progress) progress(static_cast<double>(stored) / all);
  });
}

}  // namespace widerow
