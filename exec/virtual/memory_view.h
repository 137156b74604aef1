// A ReadView over rows that are made on demand. Virtual tables are read through it.
#pragma once

#include <functional>
#include <vector>

#include "storage/storage_engine.h"

namespace widerow {

struct MemoryRow {
  int64_t token = 0;
  Bytes partition_key, clustering;
  std::vector<Cell> cells;
};

// Makes rows, in any order, with unique keys. It may leave out rows of other partitions if a key is given, and rows
// whose clustering is in none of the ranges if there are ranges.
using RowMaker =
    std::function<std::vector<MemoryRow>(const Bytes* partition_key, const std::vector<ClusteringRange>& ranges)>;

// Makes a view that calls `make_rows` for each read.
std::unique_ptr<ReadView> MakeMemoryView(RowMaker make_rows);

}  // namespace widerow
