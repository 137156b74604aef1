#include "net/hbase/store/row_transaction.h"

namespace widerow::hbase {

Result<std::unique_ptr<RowTransaction>> RowTransaction::Begin(Engine& engine) {
  WR_ASSIGN_OR_RETURN(SnapshotPtr snapshot, engine.OpenSnapshot());
  return std::unique_ptr<RowTransaction>(new RowTransaction(engine, std::move(snapshot)));
}

RowTransaction::~RowTransaction() { engine_.snapshots().Close(snapshot_->id()); }

Result<Outcome> RowTransaction::Execute(PreparedPtr statement, const RequestParameters& parameters) {
  Result<Outcome> outcome = transaction_->Execute(std::move(statement), parameters);
  refused_ = refused_ || (!outcome.ok() && outcome.error().code == ErrorCode::kInvalid);
  return outcome;
}

Result<bool> RowTransaction::Write(std::span<const BatchEntry> entries,
                                   const std::shared_ptr<const ConnectionFacts>& client) {
  for (const BatchEntry& entry : entries) {
    RequestParameters parameters;
    parameters.values = entry.values;
    parameters.connection = client;
    WR_ASSIGN_OR_RETURN(const Outcome outcome, Execute(entry.statement, parameters));
  }
  return transaction_->Commit();
}

}  // namespace widerow::hbase
