// Reads and writes that take effect together or not at all. Reads are answered from a snapshot and kept with their
// answers; at commit the storage's writer, where nothing comes between question and write, asks them again and compares
// the answers, byte for byte. Equal answers mean that the transaction could have run whole at that moment:
// serializable, whatever else happened to the rows in between. Ways not taken are in docs/guide/transactions.md.
#pragma once

#include "exec/engine/engine.h"
#include "exec/scan/row_scan.h"
#include "exec/write/modify.h"

namespace widerow {

// One thread at a time.
class OptimisticTransaction {
 public:
  static constexpr size_t kAnswerBytesMax = 4u
                                            << 20;  // Of all reads: they hold up the writer when they are asked again.
  static constexpr size_t kStatementsMax = 1'000;

  OptimisticTransaction(Engine& engine, SnapshotPtr snapshot) : engine_(engine), snapshot_(std::move(snapshot)) {}

  // A SELECT's rows; nothing, of a write that is kept. kInvalid says what a transaction does not do.
  Result<Outcome> Execute(PreparedPtr statement, const RequestParameters& parameters);
  // False: there was a conflict, nothing is applied.
  Result<bool> Commit();

 private:
  struct Read {
    PreparedPtr statement;
    std::vector<BoundValue> values;
    int64_t now_micros = 0;
    RowsPage answer;
  };
  struct KeptWrite {
    PreparedPtr statement;
    std::vector<BoundValue> values;
  };

  Result<Outcome> Answer(const PreparedPtr& statement, const SelectPlan& plan, std::vector<BoundValue> values);
  // `snapshot`: what the views show; null: the writer's view.
  Result<RowsPage> Run(const Read& read, const ViewOpener& open_view, Snapshot* snapshot) const;
  Result<BuiltWrite> Build(int64_t timestamp, int64_t now_micros) const;
  // Of the writer's view.
  Result<Mutation> Decide(ReadView& now, int64_t now_micros, bool& conflict) const;
  bool HasWritten(const TableSchema& table) const;
  bool SchemaHasChanged() const;

  Engine& engine_;
  const SnapshotPtr snapshot_;
  std::vector<Read> reads_;
  std::vector<KeptWrite> writes_;
  size_t answer_bytes_ = 0;
};

}  // namespace widerow
