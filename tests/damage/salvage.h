// Salvages a damaged directory with `widerow check --salvage`, and judges the result.
#pragma once

#include "tests/damage/trial.h"

namespace widerow::damage {

struct SalvageTotals {
  uint64_t salvaged = 0;  // The number of salvaged directories.
  uint64_t listed = 0;    // Rows and partitions that the program lists because they may lack values.
  uint64_t partial = 0;   // Listed rows that lack values, counted in the answers of SELECTs without WHERE.
};

// Salvages `damaged` into `to`. `right` are the answers of an undamaged copy. Returns what is wrong with the result, or
// nothing. Each row must be right, or must be listed and differ from the right row only by lacking values. With
// `may_lack_last`, the last write may be missing (Query::last_write).
std::string Salvage(const std::string& program, const std::filesystem::path& damaged, const std::filesystem::path& to,
                    const std::vector<Answer>& right, bool may_lack_last, SalvageTotals& totals);

}  // namespace widerow::damage
