// One trial: a process opens a damaged copy of the sample and runs all queries. Then it restarts the database and runs
// them again.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tests/damage/sample.h"

namespace widerow::damage {

struct Verdict {
  int right = 0;         // The number of right answers.
  int failed = 0;        // The number of statements that failed with an error that names the place.
  bool refused = false;  // True if a start was refused, and the message named the place.
  bool exited = false;   // True if the damage ended the process, after the process had named the place.
  // A wrong answer, an error that does not name the damaged place (a file, or a table and a key), or a crash. Empty if
  // there was none of these.
  std::string finding;
};

// Returns the answers to Queries(), from a process that opens the directory.
std::vector<Answer> AnswersOf(const std::filesystem::path& directory);
// Returns the right answers to Queries(). They come from an undamaged copy of `directory`, which is made in `scratch`.
std::vector<Answer> RightAnswers(const std::filesystem::path& directory, const std::filesystem::path& scratch);

// Runs a trial. With `may_lack_last`, the last write may be missing (Query::last_write).
Verdict Try(const std::filesystem::path& damaged, const std::vector<Answer>& right, bool may_lack_last);

// Copies the directory `from` to `to`.
void CopyDirectory(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace widerow::damage
