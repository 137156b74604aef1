// Reads a sample of a table's rows for ADVISE. A table in token order is read from its beginning, because tokens put
// keys in random order. A table in key order is read from places spread over all its keys. Time, rows and memory are
// limited. No snapshot is held for long.
#pragma once

#include <chrono>

#include "advise/facts.h"
#include "storage/storage_engine.h"

namespace widerow {

struct SampleLimits {
  std::chrono::milliseconds time{2'000};
  size_t partitions = 10'000;  // Partitions to read.
  // Rows to read of each partition. If a partition has more rows, all its rows are counted while there is time. The
  // largest partitions are counted first.
  uint64_t rows_of_partition = 1'000;
  size_t rows_kept = 20'000;
  size_t bytes_kept = 32u << 20;
};

// Returns the sample; it is empty for an empty table. Errors are storage's.
Result<advise::TableSample> SampleTable(StorageEngine& storage, const TablePtr& table, const SampleLimits& limits = {});

}  // namespace widerow
