// Runs one INSERT for a large number of rows without the commit log (storage/engine.h, BulkLoad). Rows are collected
// first and then stored together. Each row is what the INSERT would have written at its timestamp.
//
// Threads: each lane belongs to one thread at a time; different lanes run in parallel. Store runs on one thread while
// no lane is in use.
#pragma once

#include "exec/engine/engine.h"

namespace widerow {

class BulkInsert {
 public:
  // Opens a bulk insert. `engine` must outlive it. kInvalid unless `insert` is a prepared INSERT into a writable table.
  static Result<std::unique_ptr<BulkInsert>> Open(Engine& engine, PreparedPtr insert, const BulkLimits& limits);

  // Returns a timestamp for the next row: of two rows with one key, the row with the later timestamp stays. Any thread.
  int64_t NextTimestamp() { return engine_.storage().NextTimestampMicros(); }
  // Adds one row; `values` has one entry per marker. Errors: those of the INSERT for this row, or kServerError if the
  // row cannot be collected.
  Status Add(size_t lane, const std::vector<BoundValue>& values, int64_t timestamp);

  // True if the collected rows should be stored before more are added.
  bool full() const { return load_->full(); }
  // Stores the collected rows; on return they are in the table and durable. After an error the rows stay collected, and
  // some of them may be in the table. `progress` may be empty; it gets the stored part, 0 to 1.
  // The markers of the INSERT, in the order of Add's values.
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
