// Runs one INSERT for a large number of rows without the commit log (storage/storage_engine.h, BulkLoad). Rows are
// collected first and then stored together. Each row is what the INSERT would have written at its timestamp.
//
// Threads: each lane belongs to one thread at a time; different lanes run in parallel. Store runs on one thread while
// no lane is in use.
#pragma once

#include "exec/engine/engine_state.h"
#include "exec/prepared/prepared_statement.h"

namespace widerow {

class BulkInsert {
 public:
  // Opens a bulk insert; Engine::OpenBulkInsert calls it. `state` must outlive it, and the permit is for the plan of
  // `insert`. kInvalid if `insert` is anything but an INSERT without conditions into a stored table.
  static Result<std::unique_ptr<BulkInsert>> Open(EngineState& state, const Permit& permit, PreparedPtr insert,
                                                  const BulkLimits& limits);

  // Returns a timestamp for the next row. If two rows have the same key, the row with the later timestamp stays. Safe
  // on any thread.
  int64_t NextTimestamp() { return state_.storage->NextTimestampMicros(); }
  // Adds one row; `values` has one entry per marker. Errors: those of the INSERT for this row, or kServerError if the
  // row cannot be collected.
  Status Add(size_t lane, const std::vector<BoundValue>& values, int64_t timestamp);

  // True if the collected rows should be stored before more are added.
  bool full() const { return load_->full(); }
  // Stores the collected rows; on return they are in the table and durable. After an error the rows stay collected, and
  // some of them may be in the table. `progress` may be empty; it gets the fraction that is stored, 0 to 1.
  Status Store(const std::function<void(double)>& progress);

  // Returns the markers of the INSERT, in the order of Add's values.
  const std::vector<MarkerSpec>& markers() const { return insert_->plan->markers; }

 private:
  BulkInsert(EngineState& state, const Permit& permit, PreparedPtr insert, std::unique_ptr<BulkLoad> load)
      : state_(state), permit_(permit), insert_(std::move(insert)), load_(std::move(load)) {}

  EngineState& state_;
  const Permit permit_;
  const PreparedPtr insert_;  // Owns the plan of permit_.
  const std::unique_ptr<BulkLoad> load_;
};

}  // namespace widerow
