// A database of every kind of stored record, and the statements that read all of it.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "widerow/database.h"

namespace widerow::damage {

enum class Ending {
  kClosed,  // The database was closed: all rows are in data.mdb.
  kKilled,  // Its process was killed: the last writes are in the log alone.
};

Expected<std::unique_ptr<Database>> Open(const std::filesystem::path& directory);

// The data.mdb that a sample had before its last writes.
std::filesystem::path OlderFile(const std::filesystem::path& directory);

// Makes the database, and OlderFile, in a process of its own.
void MakeSample(const std::filesystem::path& directory, Ending ending);

struct Query {
  std::string text;
  // True for the query of the last write before the kill. Damage to the end of the log cannot be told from a write that
  // was under way when the process was killed, so this write may be missing.
  bool last_write = false;
};
const std::vector<Query>& Queries();

// The rows of a query, one string each, and the failure that ended it, if any.
struct Answer {
  std::vector<std::string> rows;
  std::string failure;
};
Answer Ask(Database& database, const std::string& query);

[[noreturn]] void Die(const std::string& why);

}  // namespace widerow::damage
