// Reads and writes that take effect together or not at all. Reads are answered from a snapshot and kept with their
// answers. At commit, the storage's writer runs the reads again and compares the answers byte for byte; no other write
// can come between these reads and the transaction's writes. Equal answers mean that the whole transaction could have
// run at that moment. So transactions are serializable, even if rows were changed and changed back in between.
// docs/internals/decisions/0011-transactions.md lists the alternatives.
#pragma once

#include "exec/engine/engine_state.h"
#include "exec/engine/statement_planner.h"
#include "exec/select/select.h"
#include "exec/write/modify.h"

namespace widerow {

// Used by one thread at a time.
class OptimisticTransaction {
 public:
  // The greatest size of the answers of all reads together. The storage's writer waits while a commit runs the reads
  // again, so they must be short.
  static constexpr size_t kAnswerBytesMax = 4u << 20;
  static constexpr size_t kStatementsMax = 1'000;

  // Engine::BeginTransaction calls it. `state` and `planner` must outlive the transaction.
  OptimisticTransaction(EngineState& state, StatementPlanner& planner, SnapshotPtr snapshot)
      : state_(state), planner_(planner), snapshot_(std::move(snapshot)) {}

  // Runs a SELECT and returns its rows, or keeps a write and returns nothing. kInvalid if the statement is not allowed
  // in a transaction.
  Result<Outcome> Execute(PreparedPtr statement, const RequestParameters& parameters);
  // Applies the writes. Returns false, and applies nothing, if there was a conflict.
  Result<bool> Commit();

 private:
  // An admitted statement. `statement` owns the permit's plan.
  struct Kept {
    PreparedPtr statement;
    Permit permit;
    std::vector<BoundValue> values;
  };
  struct Read : Kept {
    RowsPage answer;
  };

  Result<Outcome> Answer(Kept kept);
  // Runs the read, for the first time or again. TTLs end by `now_micros`: the moment of the snapshot, or that of the
  // commit. `snapshot`: the snapshot to read; null: the read is repeated on the writer's thread, in the writer's view.
  Result<RowsPage> Run(const Read& read, const ViewOpener& open_view, Snapshot* snapshot, int64_t now_micros) const;
  Result<BuiltWrite> Build(int64_t timestamp, int64_t now_micros) const;
  // Runs the reads again in the writer's view. Returns the writes; sets `conflict` if an answer differs.
  Result<Mutation> Decide(ReadView& now, int64_t now_micros, bool& conflict) const;
  bool HasWritten(const TableSchema& table) const;
  bool SchemaHasChanged() const;

  EngineState& state_;
  StatementPlanner& planner_;
  const SnapshotPtr snapshot_;
  std::vector<Read> reads_;
  std::vector<Kept> writes_;
  size_t answer_bytes_ = 0;
};

}  // namespace widerow
