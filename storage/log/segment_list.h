// The list of the commit log's segments: the file `list` in the log's directory. A start compares it with the files
// that exist, and so notices a segment that is gone. The list also has the log's id, which data.mdb knows: a start
// notices a log that is missing as a whole, or that belongs to another database.
//
// The file has two slots. Each change goes to the slot that does not hold the newest list, and is synced, so a crash
// leaves one good slot. A segment is in the list before its first use, and its file is removed after it has left the
// list. So each listed segment has a file; a file that is not listed holds nothing. CommitLog serializes all calls.
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
  // id as data.mdb knows it; with nullopt the log may be without a list. Errors, unless losses are accepted: the list
  // is missing or damaged; it belongs to another database; a listed segment has no file.
  static Result<SegmentList> Open(const LogDirectory& directory, const std::vector<LogSegmentPtr>& found,
                                  const std::optional<Uuid>& expected_id);

  // Makes a list of `found`, with a new id, if Open has not found a list that is right. Durable on success.
  Status CreateIfNew(const LogDirectory& directory, const std::vector<LogSegmentPtr>& found);

  const Uuid& id() const { return id_; }

  // Replaces the list; durable on success. After an error the list is the previous one or the new one.
  std::error_code Store(const std::vector<uint64_t>& numbers);

 private:
  SegmentList() = default;

  std::unique_ptr<LogFile> file_;
  Uuid id_;
  uint64_t generation_ = 0;  // Of the newest list; 0 if there is none. It selects the slot.
};

}  // namespace widerow
