#include "exec/engine/statement_planner.h"
#include "net/native/running_request.h"
#include "net/protocol/batch.h"

namespace widerow {
namespace {

// The entries of a BATCH message in the form that the engine takes.
class EntriesOfBatch {
 public:
  EntriesOfBatch(RunningRequest& running, BatchMessage& message)
      : running_(running), message_(message), keyspace_(message.parameters.request.keyspace) {}

  // Builds the entries. False if the request has been answered already, with an error.
  bool Make() {
    for (BatchMessage::Entry& entry : message_.entries) {
      if (!entry.is_prepared && MakeByShape(entry)) continue;
      PreparedPtr statement = entry.is_prepared ? Find(entry) : Plan(entry);
      if (statement == nullptr) {
        // If an earlier entry that uses another text's plan has an error too, the client gets that error instead.
        if (!entry.is_prepared) PlanShaped();
        return false;
      }
      entries_.push_back(
          {.statement = std::move(statement), .values = std::move(entry.values), .names = std::move(entry.names)});
    }
    return true;
  }
  // True if some entries came as text and use a plan that was made for another text of the same shape
  // (docs/internals/unprepared.md).
  bool has_shaped() const { return !by_shape_.empty(); }
  // For the entries that use another text's plan, makes plans from their own texts. False if the request has been
  // answered already, with an error.
  bool PlanShaped() {
    for (const size_t i : by_shape_) {
      PreparedPtr statement = Plan(message_.entries[i]);
      if (statement == nullptr) return false;
      entries_[i] = {.statement = std::move(statement), .values = message_.entries[i].values, .names = {}};
    }
    return true;
  }
  const std::vector<BatchEntry>& entries() const { return entries_; }
  // Returns the id of a statement that was replaced in the cache or removed from it after Make() found it. If there is
  // none, returns the id of the first prepared statement.
  ByteView ChangedId() const {
    ByteView id;
    for (const BatchEntry& entry : entries_) {
      if (entry.statement->id.empty()) continue;
      if (id.empty() || running_.engine.planner().Find(entry.statement->id) != entry.statement)
        id = entry.statement->id;
    }
    return id;
  }

 private:
  bool MakeByShape(const BatchMessage::Entry& entry) {
    if (message_.parameters.request.trace || !entry.names.empty()) return false;
    std::optional<BatchEntry> found = running_.engine.planner().FindShaped(entry.text_or_id, entry.values, keyspace_);
    if (!found) return false;
    found->text = entry.text_or_id;
    by_shape_.push_back(entries_.size());
    entries_.push_back(std::move(*found));
    return true;
  }
  PreparedPtr Find(const BatchMessage::Entry& entry) {
    PreparedPtr statement = FindPrepared(running_, entry.text_or_id, true);
    if (statement == nullptr) running_.FailUnprepared(entry.text_or_id);
    return statement;
  }
  PreparedPtr Plan(const BatchMessage::Entry& entry) {
    Result<PreparedPtr> planned = running_.engine.planner().PlanShape(entry.text_or_id, keyspace_);
    if (planned.ok()) return std::move(*planned);
    StatementWatch(*running_.engine.statement_log(), entry.text_or_id, message_.parameters.request)
        .EndWith(&planned.error(), 0);
    running_.Fail(planned.error(), entry.text_or_id, {});
    return nullptr;
  }

  RunningRequest& running_;
  BatchMessage& message_;
  const std::string& keyspace_;
  std::vector<BatchEntry> entries_;
  std::vector<size_t> by_shape_;  // Indexes into entries_ of the entries that use another text's plan.
};

}  // namespace

void RunBatch(RunningRequest& running) {
  Result<BatchMessage> message = DecodeBatch(running.message, running.to().version);
  if (!message.ok()) return running.Fail(message.error());
  Complete(message->parameters, running);
  EntriesOfBatch batch(running, *message);
  if (!batch.Make()) return;
  const std::vector<BatchEntry>& entries = batch.entries();
  message->parameters.request.text_follows = batch.has_shaped();
  Result<Outcome> outcome = running.engine.ExecuteBatch(message->kind, entries, message->parameters.request);
  if (!outcome.ok() && batch.has_shaped() && IsAboutText(outcome.error())) {
    message->parameters.request.text_follows = false;
    if (!batch.PlanShaped()) return;
    outcome = running.engine.ExecuteBatch(message->kind, entries, message->parameters.request);
  }
  if (outcome.ok()) return Succeed(running, *outcome, {});
  if (outcome.error().code == ErrorCode::kUnprepared) return running.FailUnprepared(batch.ChangedId());
  // With several statements, a byte range would not say which of them it refers to.
  if (entries.size() != 1) outcome.error().range.reset();
  running.Fail(outcome.error(), entries.size() == 1 ? entries[0].statement->text : std::string_view(),
               {.consistency = message->parameters.request.consistency, .is_batch = true});
}

}  // namespace widerow
