#include "exec/engine/optimistic_transaction.h"

#include <algorithm>

#include "exec/bind/bind.h"
#include "exec/derived/view_reads.h"
#include "planner/function.h"
#include "planner/walk.h"

namespace widerow {
namespace {

Error NotInTransaction(const std::string& what, const std::string& hint) {
  return InvalidError("A transaction " + what, hint);
}

// A ReadView that only borrows the writer's view. A read destroys its ReadView at the end, but the writer's view must
// live on.
class BorrowedView final : public ReadView {
 public:
  explicit BorrowedView(ReadView& view) : view_(view) {}
  Result<std::unique_ptr<RowCursor>> OpenSlice(const Slice& slice) override { return view_.OpenSlice(slice); }
  Result<bool> GetRow(const TableSchema& table, ByteView partition_key, ByteView clustering, RowView& row) override {
    return view_.GetRow(table, partition_key, clustering, row);
  }
  Result<bool> GetStaticRow(const TableSchema& table, ByteView partition_key, RowView& row) override {
    return view_.GetStaticRow(table, partition_key, row);
  }
  Result<int64_t> NewestTimestamp(const TableSchema& table, ByteView partition_key, bool is_static,
                                  ByteView clustering) override {
    return view_.NewestTimestamp(table, partition_key, is_static, clustering);
  }

 private:
  ReadView& view_;
};

Status CheckPure(const SelectPlan& plan) {
  const Function* impure = nullptr;
  VisitExpressions(plan, [&](const Expression& part) {
    const auto* call = std::get_if<CallExpression>(&part.node);
    if (call != nullptr && !call->function->pure) impure = call->function.get();
  });
  if (impure == nullptr) return OkStatus();
  return NotInTransaction("reads without " + impure->name + "(), which is another value each time",
                          "call it in the program and give its value");
}

// Fails for a read that the commit could not repeat on the writer's thread. The commit can repeat short reads whose
// answer depends on the rows alone.
Status CheckRead(const SelectPlan& plan) {
  const bool by_keys = std::holds_alternative<PointLookup>(plan.access) ||
                       std::holds_alternative<PartitionSlice>(plan.access) ||
                       std::holds_alternative<MultiPartition>(plan.access);
  if (!by_keys) {
    return NotInTransaction("reads partitions by their keys",
                            "give the whole partition key of " + plan.table->name + " by = or IN");
  }
  if (!plan.filter.empty() || plan.aggregated || plan.distinct) {
    return NotInTransaction("reads rows as they are, without filter, aggregate or DISTINCT",
                            "read the rows and do it in the program; or read a snapshot");
  }
  return CheckPure(plan);
}

Status CheckWrite(const ModifyPlan& plan) {
  if (plan.condition == RowCondition::kNone) return OkStatus();
  return NotInTransaction("has no statements with IF",
                          "read the row in the transaction, and write what follows from it");
}

}  // namespace

Result<Outcome> OptimisticTransaction::Execute(PreparedPtr statement, const RequestParameters& parameters) {
  if (!StatementPlanner::IsPlannedFor(*statement, *snapshot_->schema())) {
    WR_ASSIGN_OR_RETURN(statement, planner_.PlanAgainOn(*snapshot_, *statement));
  }
  WR_ASSIGN_OR_RETURN(const Permit permit, state_.gate.Admit(*statement->plan, parameters));
  for (const TablePtr& table : statement->plan->tables) {
    if (IsVirtual(*table))
      return NotInTransaction("uses tables that are stored, not " + table->name, "read it outside");
  }
  if (reads_.size() + writes_.size() >= kStatementsMax) {
    return NotInTransaction("has at most " + std::to_string(kStatementsMax) + " statements",
                            "commit, and begin another");
  }
  std::vector<BoundValue> named;
  const SentAs sent_as = statement->id.empty() ? SentAs::kQuery : SentAs::kPrepared;
  WR_ASSIGN_OR_RETURN(const auto values,
                      BindMarkers(statement->plan->markers, parameters.values, parameters.names, sent_as, named));
  Kept kept{.statement = statement, .permit = permit, .values = {values.begin(), values.end()}};
  if (std::holds_alternative<SelectPlan>(statement->plan->node)) return Answer(std::move(kept));
  const auto* write = std::get_if<ModifyPlan>(&statement->plan->node);
  if (write == nullptr)
    return NotInTransaction("has SELECT, INSERT, UPDATE and DELETE alone", "run other statements outside");
  WR_RETURN_IF_ERROR(CheckWrite(*write));
  writes_.push_back(std::move(kept));
  // Errors in the statement's values are reported here, not at the commit.
  if (Result<BuiltWrite> built = Build(0, state_.storage->clock().NowMicros()); !built.ok()) {
    writes_.pop_back();
    return std::move(built).error();
  }
  return Outcome{.warnings = statement->plan->warnings};
}

Result<Outcome> OptimisticTransaction::Answer(Kept kept) {
  const PreparedPtr statement = kept.statement;
  const auto& plan = std::get<SelectPlan>(kept.permit.plan().node);
  WR_RETURN_IF_ERROR(CheckRead(plan));
  if (std::ranges::any_of(statement->plan->tables, [&](const TablePtr& table) { return HasWritten(*table); })) {
    return NotInTransaction("reads a table before it writes to it: " + plan.table->name + " has been written to",
                            "put the SELECT before the writes");
  }
  Read read{{std::move(kept)}, {}};
  const ViewOpener open = [&] { return snapshot_->OpenView(); };
  {
    WR_ASSIGN_OR_RETURN(const Snapshot::Turn turn, snapshot_->TakeTurn());
    WR_ASSIGN_OR_RETURN(read.answer, Run(read, open, snapshot_.get(), snapshot_->micros()));
  }
  if (answer_bytes_ + read.answer.body.size() > kAnswerBytesMax) {
    return NotInTransaction("reads at most " + std::to_string(kAnswerBytesMax) + " bytes",
                            "read less, or read a snapshot");
  }
  answer_bytes_ += read.answer.body.size();
  Outcome outcome{.result = read.answer, .warnings = statement->plan->warnings};
  reads_.push_back(std::move(read));
  return outcome;
}

Result<RowsPage> OptimisticTransaction::Run(const Read& read, const ViewOpener& open_view, Snapshot* snapshot,
                                            int64_t now_micros) const {
  SelectRequest request;
  request.context = {.function = {.now_micros = now_micros}, .markers = read.values};
  request.columns = read.statement->columns;
  request.projection = read.statement->projection.get();
  request.now_seconds = now_micros / 1'000'000;
  request.one_view = true;
  request.snapshot = snapshot;
  const ViewOpener open = [&]() -> Result<std::unique_ptr<ReadView>> {
    WR_ASSIGN_OR_RETURN(auto stored, open_view());
    return ViewOfPlan(*read.statement->plan, std::move(stored), request.now_seconds);
  };
  return RunSelect(read.permit, request, *state_.storage, open);
}

Result<BuiltWrite> OptimisticTransaction::Build(int64_t timestamp, int64_t now_micros) const {
  std::vector<BoundStatement> statements;
  for (const Kept& write : writes_) {
    WriteRequest request{.context = {.function = {.now_micros = now_micros}, .markers = write.values},
                         .timestamp = timestamp,
                         .now_seconds = now_micros / 1'000'000,
                         .storage = state_.storage.get()};
    statements.push_back({.permit = write.permit, .request = std::move(request)});
  }
  return BuildWrite(statements);
}

Result<Mutation> OptimisticTransaction::Decide(ReadView& now, int64_t now_micros, bool& conflict) const {
  const ViewOpener open = [&]() -> Result<std::unique_ptr<ReadView>> {
    return std::unique_ptr<ReadView>(std::make_unique<BorrowedView>(now));
  };
  for (const Read& read : reads_) {
    WR_ASSIGN_OR_RETURN(const RowsPage answer, Run(read, open, nullptr, now_micros));
    conflict = answer.row_count != read.answer.row_count || answer.body != read.answer.body;
    if (conflict) return Mutation();
  }
  WR_ASSIGN_OR_RETURN(BuiltWrite built, Build(state_.storage->NextTimestampMicros(), now_micros));
  if (built.write.decide) {
    WR_ASSIGN_OR_RETURN(Mutation decided, built.write.decide(now));
    std::move(decided.begin(), decided.end(), std::back_inserter(built.write.mutation));
  }
  return std::move(built.write.mutation);
}

Result<bool> OptimisticTransaction::Commit() {
  if (SchemaHasChanged()) return false;
  if (writes_.empty()) return true;  // Nothing to compare: one snapshot has answered all reads.
  bool conflict = false;
  const int64_t now_micros = state_.storage->clock().NowMicros();
  WR_RETURN_IF_ERROR(state_.storage->Apply(
      {.mutation = {}, .decide = [&](ReadView& now) { return Decide(now, now_micros, conflict); }}));
  if (conflict) return false;
  // Decide has consumed the mutation that it built. The writes are built once more, to count their rows.
  if (const Result<BuiltWrite> built = Build(0, now_micros); built.ok()) state_.load.CountWrites(built->named());
  return true;
}

bool OptimisticTransaction::HasWritten(const TableSchema& table) const {
  return std::any_of(writes_.begin(), writes_.end(), [&](const Kept& write) {
    return std::get<ModifyPlan>(write.statement->plan->node).table->id == table.id;
  });
}

bool OptimisticTransaction::SchemaHasChanged() const {
  const SchemaPtr now = state_.Schema();
  const auto changed = [&](const auto& part) { return !StatementPlanner::IsPlannedFor(*part.statement, *now); };
  return std::any_of(reads_.begin(), reads_.end(), changed) || std::any_of(writes_.begin(), writes_.end(), changed);
}

}  // namespace widerow
