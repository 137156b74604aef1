// The commit log: groups of writes, appended and made durable before they are acknowledged, and replayed at the next
// start until the fold has brought them into LMDB. A group is one record: all of it comes back or nothing.
//
// Files `segment-<n>` of one directory, written full of zeros before use and overwritten in place, again and again; each
// use has an epoch of its own, and epochs only grow. Each record names the sequence number of the record before it and
// the one that was known durable when it was written. So a start tells an unsynced tail, which it drops for good, from
// acknowledged data that has been lost, with which it refuses to go on. docs/internals/storage-format.md, "Commit log", has every
// byte; storage/log/recovery.h is what a start does.
//
// Threads: one writer calls Append and Close; any thread calls everything else, also beside them.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "base/mutex.h"
#include "base/result.h"
#include "storage/log/log_format.h"
#include "storage/log/recovery.h"
#include "storage/log/segment.h"

namespace widerow {

struct CommitLogOptions {
  std::filesystem::path directory;          // Created if absent; its parent must be there.
  size_t first_segment_bytes = 256 << 10;   // New segments double in size from here
  size_t segment_bytes_max = 32 << 20;      // to here. A larger group gets a segment of its own size.
  LogFiles* files = nullptr;                // Null: the machine's.
  std::function<void(const std::string&)> log = {};  // One line each; may be empty.
};

class CommitLog {
 public:
  using Replay = LogReplay;

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

  // Makes the next segment if the current one is more than half full and none as large is free, so that Append rarely has
  // to. For a background thread, from time to time. An error here breaks nothing.
  Status PrepareSpare();

  // Whether PrepareSpare has become worth a call since this was asked last. The writer's thread, after Append: who waits for
  // the next look of a background thread may fill the rest of the segment meanwhile, and has to make the next one itself.
  bool TakeSpareWanted() { return std::exchange(spare_wanted_, false); }

  // Syncs, and notes that nothing follows: the next start need not look for it. The writer's thread; no Append after it.
  Status Close();

  // True after any sync that failed, and after a write that failed for another reason than a full disk: every later
  // Append, Sync and Close answers that first error. Nothing is tried again: the system might say then that all is well.
  bool broken() const;

  uint64_t bytes() const;  // Of all segments.
  uint64_t bytes_appended() const { return bytes_appended_.load(std::memory_order_relaxed); }  // Since Open, headers too.

 private:
  CommitLog(CommitLogOptions options, LogDirectory directory);

  // Nothing is written from now on; answers the error that was first to do so.
  Error Break(std::error_code error, const std::string& doing, const LogSegment& segment) WR_EXCLUDES(mutex_);
  // Of a failed write: breaks the log unless the disk is full.
  Error WriteFailed(std::error_code error, const LogSegment& segment) WR_EXCLUDES(mutex_);
  void BuildRecord(log_format::RecordHeader header, std::span<const ByteView> body_parts);
  // Makes `current_` a segment with room for such a record at `offset_`.
  Status Advance(uint64_t record_bytes) WR_EXCLUDES(making_, mutex_);
  // What a failed write has left at `offset_` cannot be taken for a record any more.
  Status DiscardRest() WR_EXCLUDES(mutex_);
  // Of the free segments with so many bytes the largest, of equal ones the one that was freed last; null: there is none.
  LogSegmentPtr FindFree(uint64_t bytes_min) const WR_REQUIRES(mutex_);
  // Whether a free segment can follow the current one. A smaller one would be full before the one behind it is made.
  bool HasSpare() const WR_REQUIRES(mutex_);
  uint64_t SpareBytesMin() const WR_REQUIRES(mutex_);
  // Makes a segment of at least so many bytes, unless a free one has them.
  std::error_code MakeFree(uint64_t bytes_min) WR_EXCLUDES(making_, mutex_);
  std::vector<LogSegmentPtr> TakeSuperfluous() WR_REQUIRES(mutex_);

  const CommitLogOptions options_;
  const LogDirectory directory_;

  // The writer's alone, but for `current_`, which others read under mutex_.
  LogSegmentPtr current_;      // Null until the first Append.
  uint64_t offset_ = 0;        // Where in it the next record goes.
  bool rest_written_ = false;  // A write at `offset_` has failed: anything may be there.
  bool closed_ = false;
  bool spare_wanted_ = false;
  Bytes buffer_;               // The record being built.
  RecoveredLog found_;         // Where the log that Open found has ended.

  Mutex making_;  // Held while a segment is made: one at a time. Before mutex_.
  uint64_t next_number_ WR_GUARDED_BY(making_) = 1;
  Mutex syncing_;  // Held during a sync: two at the same time could have an error told to one of them alone. Before mutex_.
  std::vector<LogSegmentPtr> to_sync_ WR_GUARDED_BY(syncing_);

  mutable Mutex mutex_;
  std::vector<LogSegmentPtr> segments_ WR_GUARDED_BY(mutex_);
  std::optional<Error> broken_ WR_GUARDED_BY(mutex_);
  uint64_t greatest_epoch_ WR_GUARDED_BY(mutex_) = 0;
  uint64_t appended_through_ WR_GUARDED_BY(mutex_) = 0;
  bool half_full_ WR_GUARDED_BY(mutex_) = true;  // The current segment; no segment counts as full.

  std::atomic<uint64_t> synced_through_{0};
  std::atomic<uint64_t> bytes_appended_{0};
};

}  // namespace widerow
