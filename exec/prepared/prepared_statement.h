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

// The schema version that a statement was last found good for. Copied with it.
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

// A statement parsed and planned against one schema version. Immutable; keep it as long as you like: ExecutePrepared
// plans it again when the schema has changed under it. Clients of the native protocol hold its id alone: FindPrepared
// forgets that.
struct PreparedStatement {
  std::string text;
  std::string keyspace;          // The keyspace it was prepared in; of a fully qualified one with an id: empty.
  bool fully_qualified = false;  // It names all its tables with their keyspaces.
  std::shared_ptr<const Plan> plan;
  std::shared_ptr<const PointRead> point;  // The short way, if there is one. Borrows the plan.
  SchemaPtr schema;                        // What it was planned against.
  CheckedVersion checked;
  ResultColumnsPtr columns;                      // Of its rows; null if it gives none.
  std::shared_ptr<const Projection> projection;  // Of a SELECT's rows, if it has one.
  Bytes id;                                      // MD5 of keyspace + text, 16 bytes: what drivers send back.
  Bytes columns_id, markers_id;                  // ColumnsId(*columns), of no columns without rows; MarkersId(*plan).
  // An earlier plan under this id gave other columns, had other bind markers: clients may still know those.
  bool columns_changed = false, markers_changed = false;
  uint64_t description = 0;        // Of one with an id: another number each time that its columns or markers change.
  bool constants_in_text = false;  // Its values are the text's own constants (exec/prepared/shape_cache.h).
  // Counts the executions (exec/load/statement_load.h). Null: they are not counted.
  std::shared_ptr<StatementRecord> record;

  // Sets `plan` and what is made of it: `point` and `projection`.
  void SetPlan(Plan made);
};
using PreparedPtr = std::shared_ptr<const PreparedStatement>;

struct TracedStatement {
  PreparedPtr statement;
  Bytes trace_id;  // As Outcome's.
};

// One statement of a batch that is put together by the client.
struct BatchEntry {
  PreparedPtr statement;
  std::vector<BoundValue> values;
  std::vector<std::string> names;  // One name a value, or empty: by position.
};

}  // namespace widerow
