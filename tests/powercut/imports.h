// Imports of CSV files beside the workload's other threads: COPY … WITH RESUME=TRUE of one file after the other into p.imported, each
// gone on with by the next process if this one dies. A file's rows follow from seed and number. What a cut may leave of them: rows
// of imports that began, each whole; every row of an import that was answered, and every row before the place that a progress file
// names, in every durability mode.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>

#include "operations.h"
#include "trace.h"

namespace widerow::powercut {

// Imports count as operations of this thread: number 1, 2, … one after the other.
inline constexpr uint32_t kImportThread = 2'000;
inline constexpr const char* kImportTable =
    "CREATE TABLE IF NOT EXISTS p.imported (n bigint, c int, op bigint, body blob, PRIMARY KEY (n, c))";

// What a directory holds of them.
struct Imported {
  std::map<uint64_t, std::set<int32_t>> rows;  // By import.
  std::map<uint64_t, uint64_t> done;           // What the progress files say: rows of the import.
  bool operator==(const Imported&) const = default;
};

// Imports file `number`, or goes on with it. The progress file is in `data`, the CSV file, while it is needed, beside `data`.
Expected<ResultSet> RunImport(Database& database, const WorkloadShape& shape, const std::filesystem::path& data, uint64_t number);
// Empty, or what is wrong in itself.
std::string ReadImports(Database& database, const WorkloadShape& shape, const std::filesystem::path& data, Imported& imported);

class ImportHistory {
 public:
  void Take(const Mark& mark);
  uint64_t next_number() const { return answered_ + 1; }
  uint64_t answered() const { return answered_; }
  // Empty, or what contradicts.
  std::string Contradiction(const Imported& imported) const;

 private:
  uint64_t begun_ = 0, answered_ = 0;  // The last.
};

}  // namespace widerow::powercut
