// A transaction that reads a row and applies the writes that follow from it. It writes nothing if somebody else, such
// as a CQL statement, has changed what it has read. Used by one thread at a time.
#pragma once

#include <memory>
#include <span>

#include "exec/engine/engine.h"
#include "exec/engine/optimistic_transaction.h"

namespace widerow::hbase {

class RowTransaction {
 public:
  static Result<std::unique_ptr<RowTransaction>> Begin(Engine& engine);
  ~RowTransaction();
  RowTransaction(const RowTransaction&) = delete;
  RowTransaction& operator=(const RowTransaction&) = delete;

  // Runs a SELECT, or adds a write.
  Result<Outcome> Execute(PreparedPtr statement, const RequestParameters& parameters);
  // Applies the writes of `client` as one atomic write. Returns false, and writes nothing, if something that was read
  // has changed.
  Result<bool> Write(std::span<const BatchEntry> entries, const std::shared_ptr<const ConnectionFacts>& client);
  // True if the engine has refused a statement because it reads or writes too much for a transaction.
  bool refused() const { return refused_; }

 private:
  RowTransaction(Engine& engine, SnapshotPtr snapshot)
      : engine_(engine), snapshot_(std::move(snapshot)), transaction_(engine.BeginTransaction(snapshot_)) {}

  Engine& engine_;
  const SnapshotPtr snapshot_;
  const std::unique_ptr<OptimisticTransaction> transaction_;
  bool refused_ = false;
};

}  // namespace widerow::hbase
