// Manages an import's checkpoint (import_checkpoint.h): finds an earlier one, saves a new one while rows are stored,
// and removes it at the end. Only the reading thread uses a ResumePoint.
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
  // `command` and `environment` must outlive the ResumePoint.
  ResumePoint(const CopyCommand& command, const CopyEnvironment& environment);

  // With RESUME=TRUE, looks for a checkpoint and prints the result; without it, removes an earlier checkpoint. Only
  // imports of regular files into tables without counters have checkpoints. If a checkpoint cannot be written, a
  // message says so and the import continues. kInvalid if RESUME is impossible.
  Status Open(const ImportSource& source, const CopyMapping& mapping, const TableSchema& table);
  // The checkpoint to continue from; nullptr: start at the beginning.
  const ImportCheckpoint* found() const { return found_ ? &*found_ : nullptr; }
  bool keeps() const { return keeps_; }

  struct Place {
    uint64_t rows = 0, bytes = 0, line = 1;  // The same values as in ImportCheckpoint.
  };
  // Saves a checkpoint. All rows before `place` must be in the table or in the error file. `rows_in`: the rows of this
  // run that are in the table.
  void Save(const Place& place, uint64_t rows_in, BadRows& bad);
  // True if it is time for another Save. Used for imports through sessions. In a bulk load, a Save follows each store.
  bool due() const;
  // Call it when the import is complete: removes the checkpoint.
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
