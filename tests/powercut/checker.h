// Opens a data directory with the real engine, and checks that its content is one of the possible contents.
#pragma once

#include <filesystem>
#include <string>

#include "history.h"

namespace widerow::powercut {

struct DatabaseSettings {
  std::filesystem::path directory;
  std::string durability = "sync";
};

// Opens a database. Fails if this build does not know the durability mode.
Expected<std::unique_ptr<Database>> OpenDatabase(const DatabaseSettings& settings);

struct Reading {
  Observed rows;
  bool keyspace_there = false, wide_there = false;
  Imported imports;
};
// Reads everything. Returns nothing if all is well. Otherwise returns an error, or a fault that is visible without the
// history, such as a value that nobody wrote.
std::string Read(Database& database, const WorkloadShape& shape, const std::filesystem::path& data, Reading& reading);
// Compares the content with the history. Returns the contradictions, or nothing.
std::string Contradiction(const History& history, const Reading& reading);

// Opens the database, reads it and compares it with the history. Then writes, closes, opens and compares again. Returns
// the faults, or nothing.
std::string CheckDirectory(const DatabaseSettings& settings, const History& history);

}  // namespace widerow::powercut
