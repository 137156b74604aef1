// Opens a directory with the real engine and compares what it holds with what it may hold.
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
// Reads everything. Empty, or what is wrong with it in itself: a value that nobody wrote, a row of nobody's, an error.
std::string Read(Database& database, const WorkloadShape& shape, const std::filesystem::path& data, Reading& reading);
// Empty, or what contradicts the history.
std::string Contradiction(const History& history, const Reading& reading);

// Opens, reads, compares; writes, closes, opens again and compares once more. Empty, or what is wrong.
std::string CheckDirectory(const DatabaseSettings& settings, const History& history);

}  // namespace widerow::powercut
