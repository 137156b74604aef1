// A ReadView over rows held in memory: what virtual tables are read through.
#pragma once

#include <vector>

#include "storage/engine.h"

namespace widerow {

struct MemoryRow {
  int64_t token = 0;
  Bytes partition_key, clustering;
  std::vector<Cell> cells;
};

// Takes rows in any order; later ones with the same key are kept beside earlier ones, so do not repeat keys.
std::unique_ptr<ReadView> MakeMemoryView(std::vector<MemoryRow> rows);

}  // namespace widerow
