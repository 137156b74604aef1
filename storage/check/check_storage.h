// Checks a data directory: pages, records, catalog and commit log. exec compares indexes and views with their tables,
// because storage does not know how they follow from rows (exec/derived/compare_derived.h).
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>

#include "storage/check_report.h"
#include "storage/storage_engine.h"

namespace widerow {

// `doing` is the current step. `done` of `all` parts of the step are finished; both are 0 if this is not known.
using CheckProgress = std::function<void(const std::string& doing, uint64_t done, uint64_t all)>;

// A data directory that is checked. It is only read. Used by one thread.
class DirectoryCheck {
 public:
  virtual ~DirectoryCheck() = default;
  // Opens the directory. If another process has it open, this object shows a snapshot. Errors: there is no database;
  // the data file is damaged at its beginning, truncated or of a newer version.
  static Result<std::unique_ptr<DirectoryCheck>> Open(const std::filesystem::path& directory);

  // Adds the faults to the report. The other functions may be called only if it returns true. It returns false if the
  // data file cannot be read, if the catalog or the log is damaged, or if the log of a running server changes too fast.
  virtual bool Run(const CheckProgress& progress, CheckReport& report) = 0;
  virtual SchemaPtr schema() const = 0;
  // Opens a view of the snapshot with the writes of the log. It must be destroyed before this object.
  virtual std::unique_ptr<ReadView> OpenView() = 0;
  // The base tables whose indexes and views may have stale rows (StorageEngine::StaleMarks).
  virtual std::map<StorageId, uint64_t> StaleTables() const = 0;
};

}  // namespace widerow
