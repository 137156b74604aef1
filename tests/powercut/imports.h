// Imports of CSV files beside the workload's other threads: COPY … WITH RESUME=TRUE of one file after the other into
// p.imported. If a process dies, the next one continues its import. A file's rows follow from seed and number. In every
// durability mode a cut may leave only whole rows of imports that began. It must leave every row of an answered import,
// and every row before the place that a progress file names.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>

#include "operations.h"
#include "trace.h"

namespace widerow::powercut {

// Imports are operations of this thread, with the numbers 1, 2, … one after the other.
inline constexpr uint32_t kImportThread = 2'000;
inline constexpr const char* kImportTable =
    "CREATE TABLE IF NOT EXISTS p.imported (n bigint, c int, op bigint, body blob, PRIMARY KEY (n, c))";

// The imported rows and progress files of a directory.
struct Imported {
  std::map<uint64_t, std::set<int32_t>> rows;  // By import: its rows.
  std::map<uint64_t, uint64_t> done;           // By import: the number of rows in its progress file.
  bool operator==(const Imported&) const = default;
};

// Imports file `number`, or continues its import. The progress file is in `data`; the CSV file is beside `data` while
// it is needed.
Expected<ResultSet> RunImport(Database& database, const WorkloadShape& shape, const std::filesystem::path& data,
                              uint64_t number);
// Reads the imported rows and progress files. Returns their faults, as far as they can be seen without the history;
// empty if there are none.
std::string ReadImports(Database& database, const WorkloadShape& shape, const std::filesystem::path& data,
                        Imported& imported);

class ImportHistory {
 public:
  void Take(const Mark& mark);
  uint64_t next_number() const { return answered_ + 1; }
  uint64_t answered() const { return answered_; }
  // Returns the contradiction; empty if there is none.
  std::string Contradiction(const Imported& imported) const;

 private:
  uint64_t begun_ = 0, answered_ = 0;  // The number of the last one.
};

}  // namespace widerow::powercut
