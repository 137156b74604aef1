// Statements that are parsed and planned, ready to be run with values.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "exec/rows/outcome.h"
#include "planner/plan.h"

namespace widerow {

class PointRead;
class Projection;
class StatementRecord;

// The newest schema version for which a statement was found valid. A copy of the statement copies it.
class CheckedVersion {
 public:
  CheckedVersion() = default;
  CheckedVersion(const CheckedVersion& other) : version_(other.get()) {}
  CheckedVersion& operator=(const CheckedVersion&) = delete;
  uint64_t get() const { return version_.load(std::memory_order_relaxed); }
  void Set(uint64_t version) const { version_.store(version, std::memory_order_relaxed); }

 private:
  mutable std::atomic<uint64_t> version_{0};
};

// A statement that was parsed and planned against one schema version. Immutable. It may be kept for any time: if the
// schema has changed, ExecutePrepared plans it again. Clients of the native protocol keep only its id. After some
// schema changes (MustBePreparedAgain) StatementPlanner::Find no longer finds the id, so that clients prepare again.
struct PreparedStatement {
  std::string text;
  std::string keyspace;          // For table names without a keyspace. Empty if `fully_qualified` and there is an id.
  bool fully_qualified = false;  // True if the statement names all its tables with their keyspaces.
  std::shared_ptr<const Plan> plan;
  std::shared_ptr<const PointRead> point;  // For reads of one row; else null. Borrows the plan.
  SchemaPtr schema;                        // The schema that it was planned against.
  CheckedVersion checked;
  ResultColumnsPtr columns;                      // The columns of its rows; null if it returns no rows.
  std::shared_ptr<const Projection> projection;  // For a SELECT that can use one; else null.
  Bytes id;                                      // The MD5 of keyspace + text, 16 bytes. Drivers send it back.
  Bytes columns_id, markers_id;                  // The ids of `columns` (ColumnsId) and of the markers (MarkersId).
  // True if an earlier plan under this id had other result columns, or other bind markers. Clients may still use the
  // earlier ones.
  bool columns_changed = false, markers_changed = false;
  uint64_t description = 0;        // Changes whenever columns or markers change. Set only with an id.
  bool constants_in_text = false;  // True if the values are constants of the text (exec/prepared/shape_cache.h).
  // Counts the executions (exec/load/statement_load.h). Null: they are not counted.
  std::shared_ptr<StatementRecord> record;

  // Sets `plan`, and `point` and `projection`, which are made from it.
  void SetPlan(Plan made);
  // Returns the approximate number of bytes of the text, the plan and the columns.
  size_t HeldBytes() const;
};
using PreparedPtr = std::shared_ptr<const PreparedStatement>;

struct TracedStatement {
  PreparedPtr statement;
  Bytes trace_id;  // 16 bytes if PREPARE was traced: its id in system_traces.
};

// One statement of a batch that the client has put together.
struct BatchEntry {
  PreparedPtr statement;
  std::vector<BoundValue> values;
  std::vector<std::string> names;  // One name per value; empty if values are given by position.
  std::string_view text = {};      // For logs: the entry's own text, if `statement` was prepared from another text.
};

}  // namespace widerow
