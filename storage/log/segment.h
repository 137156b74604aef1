// The files of the commit log: opens existing segments and makes new ones. CommitLog owns them; it serializes calls
// that make segments.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

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

  // The present use. The log's mutex guards it once the log is open.
  uint64_t epoch = 0;          // 0: free.
  uint64_t last_sequence = 0;  // The greatest sequence number in the segment.
  bool unsynced = false;       // It has writes that no sync has covered or begun to cover.
  uint64_t free_since = 0;     // The greatest epoch at the time when it became free.
};
using LogSegmentPtr = std::shared_ptr<LogSegment>;

struct LogDirectory {
  std::filesystem::path path;
  LogFiles* files = nullptr;
  // A log that is missing, incomplete or damaged is reported in lines of `log`, not refused.
  bool accept_loss = false;
  std::function<void(const std::string&)> log;

  void Say(const std::string& line) const {
    if (log) log(line);
  }
};

// Makes an error of a failed call. `doing` completes "The commit log failed while …".
Error LogError(std::error_code error, const std::string& doing, const std::filesystem::path& path);
// Makes the error for acknowledged groups that are missing or changed.
Error LogDamaged(const std::filesystem::path& path, uint64_t offset, const std::string& what);

// The name of the file that lists the segments (segment_list.h).
inline constexpr const char* kSegmentListName = "list";
// The path in quotes, for messages.
std::string QuotedPath(const std::filesystem::path& path);

// The name of a segment's file.
std::string SegmentName(uint64_t number);

// Creates the directory if absent, opens the segments in it, all of them free, and removes segments that a crash has
// left half-made; if losses are accepted, damaged ones too. When it returns, the names in the directory are durable.
Result<std::vector<LogSegmentPtr>> OpenSegments(const LogDirectory& directory);

// Writes and syncs the header, which says that the segment is complete.
std::error_code WriteSegmentHeader(const LogSegment& segment);

// Makes `segment-<number>` of this size: writes zeros, then the header, each synced, and then syncs the directory.
// After an error the unfinished file is removed.
std::error_code MakeSegment(const LogDirectory& directory, uint64_t number, uint64_t bytes, LogSegmentPtr& out);

}  // namespace widerow
