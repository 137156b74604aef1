// Looks at a part of a table's rows for ADVISE: partitions in the order of their tokens, which is a random choice of keys, or,
// of tables in key order, from places spread over the whole range. Bounded in time, rows and memory; holds no snapshot for
// long.
#pragma once

#include <chrono>

#include "advise/facts.h"
#include "storage/engine.h"

namespace widerow {

struct SampleLimits {
  std::chrono::milliseconds time{2'000};
  size_t partitions = 10'000;         // To look into.
  uint64_t rows_of_partition = 1'000;  // Of each, before the largest are counted.
  size_t rows_kept = 20'000;
  size_t bytes_kept = 32u << 20;
};

// An empty sample of an empty table. Errors are storage's.
Result<advise::TableSample> SampleTable(StorageEngine& storage, const TablePtr& table, const SampleLimits& limits = {});

}  // namespace widerow
