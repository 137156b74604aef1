// An import's way with its checkpoint (import_checkpoint.h): looks for one, goes on behind it, keeps it while rows go in, removes it.
// Belongs to the reading thread.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "shell/bad_rows.h"
#include "shell/copy.h"
#include "shell/copy_mapping.h"
#include "shell/import_checkpoint.h"
#include "shell/import_source.h"

namespace widerow {

class ResumePoint {
 public:
  // `command` and `environment` outlive it.
  ResumePoint(const CopyCommand& command, const CopyEnvironment& environment);

  // With RESUME=TRUE looks for a checkpoint and says so; without it forgets one that is there. Nothing is kept of what is no regular
  // file, and nothing but a message comes of a checkpoint that cannot be written. kInvalid if RESUME cannot be done.
  Status Open(const ImportSource& source, const CopyMapping& mapping, const TableSchema& table);
  // Where to go on; nullptr: at the beginning.
  const ImportCheckpoint* found() const { return found_ ? &*found_ : nullptr; }
  bool keeps() const { return keeps_; }

  struct Place {
    uint64_t rows = 0, bytes = 0, line = 1;  // As in ImportCheckpoint.
  };
  // All rows before `place` are in the table, `rows_in` of them by this run, or in the error file.
  void Save(const Place& place, uint64_t rows_in, BadRows& bad);
  // Time for another Save, where a Save has a price.
  bool due() const;
  // The import is complete.
  Status Complete();
  uint64_t rows_in_before() const { return found_ ? found_->rows_in : 0; }

 private:
  Status Identify(const ImportSource& source, const CopyMapping& mapping, const TableSchema& table);
  Status Find(const TableSchema& table);
  Status Forget();

  const CopyCommand& command_;
  const CopyEnvironment& environment_;
  const std::string file_;
  bool keeps_ = false;
  ImportIdentity identity_;
  std::optional<ImportCheckpoint> found_;
  std::chrono::steady_clock::time_point saved_;
};

}  // namespace widerow
