// The list of the commit log's segments: the file `list` in the directory of the log. A start compares the list with
// the files that exist, and so notices if a segment is missing. The list also has the id of the log, which data.mdb
// knows. So a start also notices if the whole log is missing or belongs to another database.
//
// The file has two slots. Each change is written to the slot that does not have the newest list, and is synced. So a
// crash leaves at least one good slot. A segment is put into the list before its first use, and its file is removed
// after it has been taken out of the list. So each listed segment has a file, and a file that is not listed has no
// records. CommitLog makes sure that calls do not overlap.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "base/result.h"
#include "base/uuid.h"
#include "storage/log/segment.h"

namespace widerow {

class SegmentList {
 public:
  // Reads the list and compares it with `found`, the segments that exist. Changes nothing. `expected_id` is the log's
  // id as data.mdb knows it. If it is nullopt, the log may be without a list. Unless losses are accepted, these are
  // errors: the list is missing or damaged; it belongs to another database; a listed segment has no file.
  static Result<SegmentList> Open(const LogDirectory& directory, const std::vector<LogSegmentPtr>& found,
                                  const std::optional<Uuid>& expected_id);

  // Makes the list that Open has found durable. The list is written again, because a process that was killed, or whose
  // sync failed, may have left it in the system's cache only. If Open has not found a correct list, makes a list of the
  // segments in `found`, with a new id. Call it before data.mdb gets the log's id and before a listed segment is used.
  Status MakeDurable(const LogDirectory& directory, const std::vector<LogSegmentPtr>& found);

  const Uuid& id() const { return id_; }

  // Replaces the list; durable on success. After an error the stored list is the previous one or the new one.
  std::error_code Store(const std::vector<uint64_t>& numbers);

 private:
  SegmentList() = default;

  std::unique_ptr<LogFile> file_;
  Uuid id_;
  std::vector<uint64_t> found_;  // The segments of the list that Open has found.
  uint64_t generation_ = 0;      // The generation of the newest list; 0: there is none.
};

}  // namespace widerow
