// The commit log: groups of writes, appended and made durable before they are acknowledged, and replayed at the next
// start until the fold has brought them into LMDB. A group is one record: all of it comes back or nothing.
//
// Files `segment-<n>` of one directory, written full of zeros before use and overwritten in place, again and again; each
// use has an epoch of its own, and epochs only grow. Each record names the sequence number of the record before it and
// the one that was known durable when it was written. So a start tells an unsynced tail, which it drops for good, from
// acknowledged data that has been lost, with which it refuses to go on. docs/storage-format.md, "Commit log", has every
// byte; storage/log/recovery.h is what a start does.
//
// Threads: one writer calls Append; any thread calls everything else, also beside it.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "base/bytes.h"
#include "base/mutex.h"
#include "base/result.h"
#include "storage/log/log_files.h"

namespace widerow {

// One group of writes. Sequence numbers grow strictly from group to group.
struct LogGroup {
  uint64_t last_sequence = 0;
  int64_t last_timestamp = 0;
  ByteView body;
};

struct CommitLogOptions {
  std::filesystem::path directory;          // Created if absent; its parent must be there.
  size_t first_segment_bytes = 256 << 10;   // New segments double in size from here
  size_t segment_bytes_max = 32 << 20;      // to here. A larger group gets a segment of its own size.
  LogFiles* files = nullptr;                // Null: the machine's.
  std::function<void(const std::string&)> log = {};  // One line each; may be empty.
};

class CommitLog {
 public:
  using Replay = std::function<Status(const LogGroup&)>;

  // Opens or creates. Hands every group with last_sequence > folded_through to `replay`, in order; its body is good
  // during the call, and what it does must not be durable before Open has returned. What was handed over is durable
  // once Open has returned. An unsynced tail is dropped and never comes back. Errors: of `replay`; of the system;
  // acknowledged groups that are lost or damaged, with file and offset; a segment of another format version.
  static Result<std::unique_ptr<CommitLog>> Open(CommitLogOptions options, uint64_t folded_through, const Replay& replay);
  // Without Close before: as a crash, which costs the next start a look through all segments.
  ~CommitLog();
  CommitLog(const CommitLog&) = delete;
  CommitLog& operator=(const CommitLog&) = delete;

  // Writes the group, its body being the parts in order, behind the last one; one write call. Not durable before Sync.
  // The writer's thread alone; `last_sequence` is greater than any before, those replayed or folded among them.
  // On a full disk the group is not written, nothing is broken, and a later Append may succeed.
  Status Append(uint64_t last_sequence, int64_t last_timestamp, std::span<const ByteView> body_parts);

  // Everything appended before this call is durable on success. No system call if it is already.
  Status Sync();

  // last_sequence of the last group known durable; at first that of the last one replayed or folded.
  uint64_t synced_through() const { return synced_through_.load(std::memory_order_acquire); }

  // Groups up to `folded_through` are not needed any more, not even after a power cut: their segments are used again.
  Status Release(uint64_t folded_through);

  // Makes the next segment if the current one is more than half full and none is free, so that Append rarely has to.
  // For a background thread, from time to time. An error here breaks nothing.
  Status PrepareSpare();

  // Syncs, and notes that nothing follows: the next start need not look for it. Nothing may be appended afterwards.
  Status Close();

  // True after a write or sync that failed for another reason than a full disk: every later Append, Sync and Close
  // answers that first error. Nothing is tried again, because the system may then say that all is well (fsyncgate).
  bool broken() const;

  uint64_t bytes() const;           // Of all segments.
  uint64_t bytes_appended() const;  // Since Open: records with their headers.

 private:
  struct State;
  explicit CommitLog(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
  std::atomic<uint64_t> synced_through_{0};
};

}  // namespace widerow
