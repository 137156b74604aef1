// Remembers, for one connection, which columns and markers of a prepared statement the client was told last. The id of
// a statement stays the same when a table is altered, and EXECUTE does not say which columns the client expects. So a
// client that has missed the change would read its rows shifted. To prevent this, a changed statement runs on a
// connection only after a PREPARE on this connection, or after an Unprepared answer. Statements that have never changed
// cost nothing here.
#pragma once

#include <chrono>
#include <unordered_map>

#include "base/bytes.h"
#include "base/mutex.h"

namespace widerow {

struct PreparedStatement;

class KnownStatements {  // Thread-safe.
 public:
  // Must be called for each PREPARE on this connection.
  void NotePrepared(const PreparedStatement& statement);
  // True if the client may run `statement` by its id; otherwise answer Unprepared. `reads_described`: the client does
  // not decode rows by PREPARE's answer, but by metadata that comes with the rows or, in version 5, by the metadata id.
  bool MayRun(const PreparedStatement& statement, bool reads_described);

 private:
  using Clock = std::chrono::steady_clock;
  struct Known {           // Values of PreparedStatement::description; 0: none.
    uint64_t told = 0;     // The last description that the client was told.
    uint64_t refused = 0;  // The last description that was answered with Unprepared.
    Clock::time_point refused_at;
  };
  static constexpr size_t kStatementsMax = 10'000;
  // After a refusal, the driver may prepare again on another connection of its pool, so this connection may get no
  // PREPARE. After this time, the statement may run without one. By then, all requests that the client sent before it
  // got the refusal have arrived.
  static constexpr auto kRefusalTime = std::chrono::seconds(1);

  Known& KnownOf(const PreparedStatement& statement) WR_REQUIRES(mutex_);

  Mutex mutex_;
  std::unordered_map<Bytes, Known> known_ WR_GUARDED_BY(mutex_);  // By id.
};

}  // namespace widerow
