// The files of the commit log: opening those that are there, making new ones.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "base/result.h"
#include "storage/log/log_files.h"

namespace widerow {

struct LogSegment {
  // Constant once it is open.
  uint64_t number = 0;
  std::filesystem::path path;
  std::unique_ptr<LogFile> file;
  uint64_t bytes = 0;
  uint64_t salt = 0;

  // Of its present use; guarded by the log's mutex once the log is open.
  uint64_t epoch = 0;          // 0: free.
  uint64_t last_sequence = 0;  // Of its last record.
  bool unsynced = false;       // Holds writes that no sync has begun to cover.
  uint64_t free_since = 0;     // The greatest epoch at that time.
};
using LogSegmentPtr = std::shared_ptr<LogSegment>;

struct LogDirectory {
  std::filesystem::path path;
  LogFiles* files = nullptr;
  std::function<void(const std::string&)> log;

  void Say(const std::string& line) const {
    if (log) log(line);
  }
};

// A failed call for people. `doing` completes "The commit log failed while …".
Error LogError(std::error_code error, const std::string& doing, const std::filesystem::path& path);
// Acknowledged groups that are not there or not what they were.
Error LogDamaged(const std::filesystem::path& path, uint64_t offset, const std::string& what);

// Creates the directory if absent, opens the segments in it, all of them free so far, and removes those whose making a
// crash has cut off. Names in the directory are durable afterwards.
Result<std::vector<LogSegmentPtr>> OpenSegments(const LogDirectory& directory);

// Writes and syncs what tells that the segment is whole.
std::error_code WriteSegmentHeader(const LogSegment& segment);

// Makes `segment-<number>` of so many bytes: zeros, then its header, each synced, then its name. What is left of it
// after an error is removed.
std::error_code MakeSegment(const LogDirectory& directory, uint64_t number, uint64_t bytes, LogSegmentPtr& out);

}  // namespace widerow
