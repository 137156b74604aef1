// A table with PARTITION BY RANGE in a directory of its own. Tests write and scan it through the engine. Any thread may
// use it.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>

#include "exec/engine/engine.h"

namespace widerow::range_splits {

// A temporary directory. The destructor removes it.
class Directory {
 public:
  Directory();
  ~Directory();
  Directory(const Directory&) = delete;
  Directory& operator=(const Directory&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

// Prints the error and ends the process.
[[noreturn]] void Die(const std::string& what);
template <typename T>
T OrDie(Result<T> result) {
  if (!result.ok()) Die(result.error().message);
  return std::move(*result);
}

class Table {
 public:
  Table(const std::filesystem::path& directory, const BalanceOptions& balance);

  // Runs CREATE TABLE if the table does not exist.
  void Create(int64_t split_size_kb, bool auto_split);
  void Run(const std::string& statement);
  // Writes the rows in one batch.
  void Insert(const std::vector<int64_t>& keys);
  // Calls `visit` for all keys in the order of the scan. Reads pages of `page_rows()` rows, each by a request of its
  // own.
  void Scan(bool backward, const std::function<uint32_t()>& page_rows, const std::function<void(int64_t)>& visit);
  // Returns the names of the partitions in the order of their keys.
  std::vector<std::string> Partitions();
  // Moves all rows into the data file. Returns the statistics of the partitions, which then include all rows.
  std::vector<PartitionStats> Stats();

 private:
  std::unique_ptr<Engine> engine_;
  PreparedPtr insert_, forward_, backward_;
};

int RunLoad(const std::string& order, int64_t rows, int64_t split_size_kb);
int RunKills(int cycles, uint64_t seed);

}  // namespace widerow::range_splits
