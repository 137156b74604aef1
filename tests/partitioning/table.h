// A table partitioned by RANGE in its own directory, written and scanned through the engine. Any thread may use it.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>

#include "exec/engine/engine.h"

namespace widerow::range_splits {

// A directory that its destructor removes.
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
  // Writes the rows in one atomic batch.
  void Insert(const std::vector<int64_t>& keys);
  // Returns all keys in the order of the scan, read in pages of `page_rows`, each by a request of its own.
  void Scan(bool backward, const std::function<uint32_t()>& page_rows, const std::function<void(int64_t)>& visit);
  // Returns the partitions' names in order.
  std::vector<std::string> Partitions();
  // Returns the partitions' counters, after all rows are in the data file.
  std::vector<PartitionStats> Stats();

 private:
  std::unique_ptr<Engine> engine_;
  PreparedPtr insert_, forward_, backward_;
};

int RunLoad(const std::string& order, int64_t rows, int64_t split_size_kb);
int RunKills(int cycles, uint64_t seed);

}  // namespace widerow::range_splits
