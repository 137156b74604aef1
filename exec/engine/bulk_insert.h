// One INSERT for very many rows, past the commit log (storage/engine.h, BulkLoad): rows are gathered and then stored all
// together. Each row is what the INSERT would have written at its timestamp.
//
// Thread-safe between lanes: each belongs to one thread at a time. Store: one thread, while no lane is in use.
#pragma once

#include "exec/engine/engine.h"

namespace widerow {

class BulkInsert {
 public:
  // `engine` outlives it. kInvalid unless `insert` is a prepared INSERT into a table that can be written.
  static Result<std::unique_ptr<BulkInsert>> Open(Engine& engine, PreparedPtr insert, const BulkLimits& limits);

  // Of rows in the order they are taken: of two rows with one key, the later one stays. Any thread.
  int64_t NextTimestamp() { return engine_.storage().NextTimestampMicros(); }
  // One value a marker. Errors are about this row, as INSERT's, or kServerError if gathering fails.
  Status Add(size_t lane, const std::vector<BoundValue>& values, int64_t timestamp);

  // So much has been gathered that it should be stored before more is added.
  bool full() const { return load_->full(); }
  // What has been gathered is in the table and durable on return. After an error it stays gathered, and some may be in.
  // `progress` (may be empty): which part is stored, 0 to 1.
  Status Store(const std::function<void(double)>& progress);

  const std::vector<MarkerSpec>& markers() const { return insert_->plan->markers; }

 private:
  BulkInsert(Engine& engine, PreparedPtr insert, const ModifyPlan& plan, std::unique_ptr<BulkLoad> load)
      : engine_(engine), insert_(std::move(insert)), plan_(plan), load_(std::move(load)) {}

  Engine& engine_;
  const PreparedPtr insert_;
  const ModifyPlan& plan_;
  const std::unique_ptr<BulkLoad> load_;
};

}  // namespace widerow
