// Consistency levels. One machine holds every replica, so every level that a statement is allowed to use is satisfied.
#pragma once

#include <cstdint>

#include "base/result.h"

namespace widerow {

struct Plan;
struct SchemaSnapshot;
struct TableSchema;

// The numbers are those of the native protocol.
enum class ConsistencyLevel : uint16_t {
  kAny = 0,
  kOne = 1,
  kTwo = 2,
  kThree = 3,
  kQuorum = 4,
  kAll = 5,
  kLocalQuorum = 6,
  kEachQuorum = 7,
  kSerial = 8,
  kLocalSerial = 9,
  kLocalOne = 10,
  kNodeLocal = 11,
};

// Fails for the levels that Cassandra refuses: NODE_LOCAL for every statement, ANY for a read, the serial levels for an
// unconditional write, ANY and the serial levels for a write of counters. An unconditional batch may use every level
// except NODE_LOCAL.
Status CheckConsistency(const Plan& plan, ConsistencyLevel level);
// Checks the levels of a conditional write or batch: `serial` for reading the condition, `level` for the write.
Status CheckConditionalConsistency(const SchemaSnapshot& schema, const TableSchema& table, ConsistencyLevel level,
                                   ConsistencyLevel serial);
// Fails with kInvalid for NODE_LOCAL.
Status RefuseNodeLocal(ConsistencyLevel level);

}  // namespace widerow
