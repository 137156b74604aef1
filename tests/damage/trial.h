// One trial: a process opens a damaged copy of the sample and asks everything, twice, with a restart in between.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tests/damage/sample.h"

namespace widerow::damage {

struct Verdict {
  int right = 0;         // Answers that were right.
  int failed = 0;        // Statements that failed and named the place.
  bool refused = false;  // A start was refused, with the place.
  bool exited = false;   // The process ended, with the place.
  std::string finding;   // A wrong answer, an error without a place, a crash; empty if all is well.
};

// The right answers to Queries(), from an undamaged copy of `directory` in `scratch`.
std::vector<Answer> RightAnswers(const std::filesystem::path& directory, const std::filesystem::path& scratch);

// `may_lack_last`: the last write may be missing (Query::last_write).
Verdict Try(const std::filesystem::path& damaged, const std::vector<Answer>& right, bool may_lack_last);

// Makes `to` a copy of the directory `from`.
void CopyDirectory(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace widerow::damage
