// Opens the files of the commit log, called segments, and makes new ones. CommitLog owns them. It makes sure that only
// one thread at a time makes segments.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/log.h"
#include "base/result.h"
#include "storage/log/log_files.h"

namespace widerow {

struct LogSegment {
  // Constant once the segment is open.
  uint64_t number = 0;
  std::filesystem::path path;
  std::unique_ptr<LogFile> file;
  uint64_t bytes = 0;
  uint64_t salt = 0;

  // A segment is used again and again. These fields describe its current use. Once the log is open, CommitLog::mutex_
  // guards them.
  uint64_t epoch = 0;          // 0: free.
  uint64_t last_sequence = 0;  // The greatest sequence number in the segment.
  bool unsynced = false;       // True if it has writes that no finished or running sync covers.
  uint64_t free_since = 0;     // The greatest epoch at the time when it became free.
  // True if all groups that the segment has now are in LMDB, but a backup may still need them.
  bool kept = false;
  uint64_t first_previous = 0;  // The sequence number before the first group that the segment has now.
  unsigned readers = 0;         // The number of ReadGroups calls that are reading the segment.
};
using LogSegmentPtr = std::shared_ptr<LogSegment>;

struct LogDirectory {
  std::filesystem::path path;
  LogFiles* files = nullptr;
  // True: a log that is missing, incomplete or damaged is reported in lines of `log` and not refused.
  bool accept_loss = false;
  // True: segments whose groups are all folded are kept for backups (CommitLogOptions::keep_bytes).
  bool keeps = false;
  // True: the log is only read, and nothing in it is changed (storage/check).
  bool inspects = false;
  // With `inspects`, true: a process is writing to the log. Then a loss cannot be distinguished from a group that is
  // being written.
  bool concurrent = false;
  LogFunction log;

  void Say(const std::string& line) const {
    if (log) log({LogLevel::kWarning, "storage", line});
  }
};

// Makes the error of a failed call. `doing` completes the sentence "The commit log failed while …".
Error LogError(std::error_code error, const std::string& doing, const std::filesystem::path& path);
// Makes the error for acknowledged groups that are missing or changed.
Error LogDamaged(const std::filesystem::path& path, uint64_t offset, const std::string& what);

// The name of the file that lists the segments (segment_list.h).
inline constexpr const char* kSegmentListName = "list";
// The path in quotes, for messages.
std::string QuotedPath(const std::filesystem::path& path);

// The name of a segment's file.
std::string SegmentName(uint64_t number);

// Creates the directory if it does not exist, and opens the segments in it. All of them are free. Removes segments that
// a crash has left unfinished; if losses are accepted, also damaged ones. On return the names in the directory are
// durable.
Result<std::vector<LogSegmentPtr>> OpenSegments(const LogDirectory& directory);

// Writes and syncs the header, which says that the segment is complete.
std::error_code WriteSegmentHeader(const LogSegment& segment);

// Makes the file `segment-<number>` of this size. Writes zeros and then the header, syncs both, and then syncs the
// directory. After an error the unfinished file is removed.
std::error_code MakeSegment(const LogDirectory& directory, uint64_t number, uint64_t bytes, LogSegmentPtr& out);

}  // namespace widerow
