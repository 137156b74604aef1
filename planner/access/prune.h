// Counts the partitions of a table that a plan reads or writes, for EXPLAIN. A partition is here an entry of the
// table's partition map. Pure functions, any thread.
#pragma once

#include "planner/plan.h"

namespace widerow {

struct PartitionCount {
  size_t touched = 0, total = 0;
  bool at_most = false;  // True if `touched` is an upper bound, because the exact number depends on bind values.
};

// Counts the partitions for all combinations of the choices' values. Values that are bind markers are not known here.
PartitionCount CountPartitions(const TableSchema& table, const std::vector<KeyValues>& partition_key,
                               const std::vector<KeyChoice>& choices = {});
PartitionCount CountPartitions(const TableSchema& table, const TokenBounds& bounds);
PartitionCount CountPartitions(const TableSchema& table, const KeyRangeScan& scan);

}  // namespace widerow
