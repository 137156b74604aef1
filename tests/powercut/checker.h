// Opens a directory with the real engine and compares its content with the contents that are possible.
#pragma once

#include <filesystem>
#include <string>

#include "history.h"

namespace widerow::powercut {

struct DatabaseSettings {
  std::filesystem::path directory;
  std::string durability = "sync";
};

// Fails for a durability mode that this build does not know.
Expected<std::unique_ptr<Database>> OpenDatabase(const DatabaseSettings& settings);

struct Reading {
  Observed rows;
  bool keyspace_there = false, wide_there = false;
  Imported imports;
};
// Reads everything. Returns faults that can be seen without the history, such as a value that nobody wrote, or an
// error; empty if there are none.
std::string Read(Database& database, const WorkloadShape& shape, const std::filesystem::path& data, Reading& reading);
// Returns the contradictions to the history; empty if there are none.
std::string Contradiction(const History& history, const Reading& reading);

// Opens, reads and compares; then writes, closes, opens and compares again. Returns the faults; empty if there are
// none.
std::string CheckDirectory(const DatabaseSettings& settings, const History& history);

}  // namespace widerow::powercut
