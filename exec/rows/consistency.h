// Consistency levels. One machine holds every replica, so any level that a statement may have is satisfied.
#pragma once

#include <cstdint>

#include "base/result.h"

namespace widerow {

struct Plan;
struct SchemaSnapshot;
struct TableSchema;

// The native protocol's numbers.
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

// Refuses what Cassandra refuses: ANY for a read, the serial ones for a write that is not conditional, NODE_LOCAL for
// everything. A batch may have any other.
Status CheckConsistency(const Plan& plan, ConsistencyLevel level);
// Of a conditional write or batch. `serial` is that of the question, `level` that of the write.
Status CheckConditionalConsistency(const SchemaSnapshot& schema, const TableSchema& table, ConsistencyLevel level,
                                   ConsistencyLevel serial);
Status RefuseNodeLocal(ConsistencyLevel level);

}  // namespace widerow
