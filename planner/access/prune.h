// How many partitions of a table's partition map a plan touches, as far as that is known before values are bound.
#pragma once

#include "planner/plan.h"

namespace widerow {

struct PartitionCount {
  size_t touched = 0, total = 0;
  bool at_most = false;  // Bind values will tell.
};

// Of each combination of the choices' values, as far as they are constants.
PartitionCount CountPartitions(const TableSchema& table, const std::vector<KeyValues>& partition_key,
                               const std::vector<KeyChoice>& choices = {});
PartitionCount CountPartitions(const TableSchema& table, const TokenBounds& bounds);
PartitionCount CountPartitions(const TableSchema& table, const KeyRangeScan& scan);

}  // namespace widerow
