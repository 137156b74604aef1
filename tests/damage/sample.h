// A database with every kind of stored record, and the queries that read all of it.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "widerow/database.h"

namespace widerow::damage {

enum class Ending {
  kClosed,  // The database was closed, so all rows are in data.mdb.
  kKilled,  // The process was killed, so the last writes are only in the commit log.
};

Expected<std::unique_ptr<Database>> Open(const std::filesystem::path& directory);

// Return the paths of the data.mdb and of the log that a sample had before its last writes.
std::filesystem::path OlderFile(const std::filesystem::path& directory);
std::filesystem::path OlderLog(const std::filesystem::path& directory);

// Makes the database, OlderFile() and OlderLog(), in a process of its own.
void MakeSample(const std::filesystem::path& directory, Ending ending);

struct Query {
  std::string text;
  // True for the query of the last write before the kill. Damage to the end of the log looks like a write that the kill
  // has interrupted, so this write may be missing.
  bool last_write = false;
};
const std::vector<Query>& Queries();

// The rows of a query, one text each, and the failure that ended the query, if any.
struct Answer {
  std::vector<std::string> rows;
  std::string failure;
};
Answer Ask(Database& database, const std::string& query);

[[noreturn]] void Die(const std::string& why);

}  // namespace widerow::damage
