// A ReadView over rows that are made when they are asked for: what virtual tables are read through.
#pragma once

#include <functional>
#include <vector>

#include "storage/engine.h"

namespace widerow {

struct MemoryRow {
  int64_t token = 0;
  Bytes partition_key, clustering;
  std::vector<Cell> cells;
};

// Makes rows, in any order and without repeated keys: all of them, or at least those of one partition if a key is given, and of
// these at least those whose clustering is in one of the ranges, if there are any.
using RowMaker = std::function<std::vector<MemoryRow>(const Bytes* partition_key, const std::vector<ClusteringRange>& ranges)>;

std::unique_ptr<ReadView> MakeMemoryView(RowMaker make_rows);

}  // namespace widerow
