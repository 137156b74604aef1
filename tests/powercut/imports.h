// Imports of CSV files, which run beside the workload's other threads: COPY … WITH RESUME=TRUE imports one file after
// the other into p.imported. If a process dies, the next process continues its import. The rows of a file follow from
// the seed and the number of the import. After a power cut there may be only whole rows, and only rows of imports that
// began. All rows of an answered import must exist. All rows before the place that a progress file names must exist,
// too. This holds in every durability mode.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>

#include "operations.h"
#include "trace.h"

namespace widerow::powercut {

// Imports are the operations of this thread. They have the numbers 1, 2, … and run one after the other.
inline constexpr uint32_t kImportThread = 2'000;
inline constexpr const char* kImportTable =
    "CREATE TABLE IF NOT EXISTS p.imported (n bigint, c int, op bigint, body blob, PRIMARY KEY (n, c))";

// The imported rows and the progress files of a directory.
struct Imported {
  std::map<uint64_t, std::set<int32_t>> rows;  // The rows of each import.
  std::map<uint64_t, uint64_t> done;           // For each import, the number of rows in its progress file.
  bool operator==(const Imported&) const = default;
};

// Imports file `number`, or continues its import. The progress file is in `data`. The CSV file is beside `data`, as
// long as it is needed.
Expected<ResultSet> RunImport(Database& database, const WorkloadShape& shape, const std::filesystem::path& data,
                              uint64_t number);
// Reads the imported rows and the progress files. Returns nothing if all is well. Otherwise returns an error, or a
// fault that is visible without the history.
std::string ReadImports(Database& database, const WorkloadShape& shape, const std::filesystem::path& data,
                        Imported& imported);

class ImportHistory {
 public:
  void Take(const Mark& mark);
  uint64_t next_number() const { return answered_ + 1; }
  uint64_t answered() const { return answered_; }
  // Returns the contradiction between the content and the answers, or nothing.
  std::string Contradiction(const Imported& imported) const;

 private:
  // The numbers of the last import that began, and of the last one that was answered.
  uint64_t begun_ = 0, answered_ = 0;
};

}  // namespace widerow::powercut
