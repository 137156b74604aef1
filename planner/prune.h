// How many partitions of a table's partition map a plan touches, as far as that is known before values are bound.
#pragma once

#include "planner/plan.h"

namespace widerow {

struct PartitionCount {
  size_t touched = 0, total = 0;
  bool at_most = false;  // Bind values will tell.
};

PartitionCount CountPartitions(const TableSchema& table, const std::vector<KeyValues>& partition_key);
PartitionCount CountPartitions(const TableSchema& table, const TokenBounds& bounds);
PartitionCount CountPartitions(const TableSchema& table, const KeyRangeScan& scan);

}  // namespace widerow
