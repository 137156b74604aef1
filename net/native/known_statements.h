// What the client of one connection knows of prepared statements whose result columns or bind markers have changed
// under their id. An id stays the same when a table is altered, and EXECUTE does not say what the client takes rows and
// values for: one that has not heard of the change would read its rows shifted. So such a statement runs on a
// connection only after the client has been told there to prepare it again. Statements that have not changed cost
// nothing here.
#pragma once

#include <chrono>
#include <unordered_map>

#include "base/bytes.h"
#include "base/mutex.h"

namespace widerow {

struct PreparedStatement;

class KnownStatements {  // Thread-safe.
 public:
  // A PREPARE on this connection that gave `statement`.
  void NotePrepared(const PreparedStatement& statement);
  // Whether the client may run `statement` by its id; false: the answer is Unprepared. `reads_described`: it reads rows
  // as they are described with them or, in version 5, by the id of their columns, and not as PREPARE described them.
  bool MayRun(const PreparedStatement& statement, bool reads_described);

 private:
  using Clock = std::chrono::steady_clock;
  struct Known {           // By PreparedStatement::description; 0: none.
    uint64_t told = 0;     // What PREPARE described on this connection.
    uint64_t refused = 0;  // What was not run because it had not been told.
    Clock::time_point refused_at;
  };
  static constexpr size_t kStatementsMax = 10'000;
  // A driver may prepare again on another connection of its pool, so a refusal counts for this long only. Requests that
  // were sent before the client heard of the refusal have arrived by then.
  static constexpr auto kRefusalTime = std::chrono::seconds(1);

  Known& KnownOf(const PreparedStatement& statement) WR_REQUIRES(mutex_);

  Mutex mutex_;
  std::unordered_map<Bytes, Known> known_ WR_GUARDED_BY(mutex_);  // By id.
};

}  // namespace widerow
