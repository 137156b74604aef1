// The commit log makes groups of writes durable before they are acknowledged. After a restart, the groups that have not
// been folded into LMDB are replayed from it. A group is one record: after a crash it is restored completely or not at
// all.
//
// The files of the log are `segment-<n>` in one directory. A segment is written full of zeros before its first use, and
// is then overwritten in place again and again. Each use of a segment has a number of its own, the *epoch*; epochs only
// grow. Each record contains the sequence number of the previous record, and the greatest sequence number that was
// known to be durable when the record was written. With these numbers a start tells two cases apart: an unsynced tail,
// which it drops, and the loss of acknowledged data, which makes it refuse to start. docs/internals/storage-format.md,
// "Commit log", describes every byte. storage/log/recovery.h has the steps of a start.
//
// Threads: one writer calls Append, TakeSpareWanted and Close. Any thread may call all other functions at any time.
#pragma once

#include <atomic>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "base/log.h"
#include "base/mutex.h"
#include "base/result.h"
#include "storage/log/log_format.h"
#include "storage/log/recovery.h"
#include "storage/log/segment.h"
#include "storage/log/segment_list.h"

namespace widerow {

struct CommitLogOptions {
  std::filesystem::path directory;  // Created if absent; its parent must exist.
  // The size of the first segment; each new one is twice as large as the largest so far.
  size_t first_segment_bytes = 256 << 10;
  size_t segment_bytes_max = 32 << 20;   // The limit of the doubling. A larger group gets a segment of its own size.
  std::optional<Uuid> expected_id = {};  // The log's id as data.mdb knows it; nullopt if it knows none.
  // Segments whose groups are all folded are kept for ReadGroups. If they have more bytes than this in all, the oldest
  // are used again.
  uint64_t keep_bytes = 0;
  bool accept_loss = false;   // True: a log that is missing, incomplete or damaged is not refused.
  LogFiles* files = nullptr;  // Null: the real file system.
  LogFunction log = {};       // May be empty.
};

// The place in the log up to which groups have been read (CommitLog::ReadGroups). A reader sets `sequence` to the last
// group that it has. Only ReadGroups sets the other members.
struct LogCursor {
  uint64_t sequence = 0;
  uint64_t epoch = 0, offset = 0;
};
// Receives a group, whose body is valid during the call. Returns false to refuse the group and to end the reading.
using LogTake = std::function<Result<bool>(const LogGroup&)>;
// The error of a log that no longer has the group after `sequence`.
Error LogGap(uint64_t sequence);

class CommitLog {
 public:
  using Replay = LogReplay;

  // Opens or creates the log. Passes every group with last_sequence > folded_through to `replay`, in order. The group's
  // body is valid during the call. Nothing that `replay` does may be durable before Open has returned. When Open has
  // returned, the groups that it has passed on are durable. An unsynced tail is dropped and never comes back.
  //
  // Errors: those of `replay` and of the system; acknowledged groups are lost or damaged (the error names file and
  // offset); a segment is missing; the log is not the expected one; a segment has another format version.
  static Result<std::unique_ptr<CommitLog>> Open(CommitLogOptions options, uint64_t folded_through,
                                                 const Replay& replay);
  // If Close was not called, the next start has to look through all segments, as after a crash.
  ~CommitLog();
  CommitLog(const CommitLog&) = delete;
  CommitLog& operator=(const CommitLog&) = delete;

  const Uuid& id() const { return id_; }

  // Appends a group to the log in one write call; the body of the group is the parts in order. The group is not durable
  // before Sync. Called by the writer's thread only. `last_sequence` must be greater than that of each earlier group,
  // including groups that were replayed or folded.
  //
  // kInvalid if the body is longer than kBodyBytesMax. If the disk is full, or if a new segment is needed and the
  // process has no file descriptor left, the group is not written, but the log is not broken and a later Append may
  // succeed.
  Status Append(uint64_t last_sequence, int64_t last_timestamp, std::span<const ByteView> body_parts);

  // On success everything appended before this call is durable. If it was durable already, no system call is made.
  Status Sync();

  // Returns the last_sequence of the last group that is known to be durable. After Open this is the last group that was
  // replayed or folded.
  uint64_t synced_through() const { return synced_through_.load(std::memory_order_acquire); }

  // Tells the log that groups up to `folded_through` are durable in LMDB. Their segments can be reused.
  Status Release(uint64_t folded_through);

  // Reads the groups after `cursor.sequence`, in order, up to the last one that is durable, and passes each to `take`
  // until it returns false. Moves the cursor past the groups that were taken. Any thread; a cursor is used by one
  // thread at a time. Returns the error LogGap if the log does not have the next group any more.
  Status ReadGroups(LogCursor& cursor, const LogTake& take);
  // Returns the time of the group that ends at `sequence`; nullopt if the log no longer has it. Safe on any thread.
  Result<std::optional<int64_t>> TimeOf(uint64_t sequence) WR_EXCLUDES(mutex_);
  // Pin keeps the segments with groups after `sequence` from being used again, whatever keep_bytes says. Each Pin needs
  // an Unpin with the same number.
  void Pin(uint64_t sequence) WR_EXCLUDES(mutex_);
  void Unpin(uint64_t sequence) WR_EXCLUDES(mutex_);
  // Describes the folded groups that ReadGroups can still return.
  struct Kept {
    uint64_t bytes = 0;  // The size of the segments.
    uint64_t after = 0;  // Groups after this sequence number can be read.
  };
  Kept kept() const WR_EXCLUDES(mutex_);

  // Makes the next segment if the current one is more than half full and no free segment is large enough (HasSpare). A
  // background thread calls it from time to time, so that Append rarely has to make a segment. An error does not break
  // the log.
  Status PrepareSpare();

  // True if PrepareSpare should be called now; true only once for each segment. The writer's thread asks after each
  // Append and then wakes the background thread. Otherwise the segment could be full before that thread runs, and
  // Append would have to make the next segment.
  bool TakeSpareWanted() { return std::exchange(spare_wanted_, false); }

  // Syncs the log and stores a mark that says where it ends, so that the next start need not search for more records.
  // If everything is folded, also removes large segments that are not kept for backups, to free space on the disk. The
  // writer calls Close, and must not call Append afterwards.
  Status Close(uint64_t folded_through = 0);

  // True after a failed Sync or Close, and after an Append that failed for another reason than those named at Append.
  // Every later Append, Sync and Close then returns the first error. They do not try again, because the system might
  // report success for data that it has dropped.
  bool broken() const;

  uint64_t bytes() const;  // The size of all segments.
  // Bytes appended since Open, including headers.
  uint64_t bytes_appended() const { return bytes_appended_.load(std::memory_order_relaxed); }

 private:
  CommitLog(CommitLogOptions options, LogDirectory directory, SegmentList list);

  // Breaks the log, if it is not broken yet. Returns the error that broke it.
  Error Break(std::error_code error, const std::string& doing, const LogSegment& segment) WR_EXCLUDES(mutex_);
  // Returns the error of a failed write. Breaks the log unless the disk is full.
  Error WriteFailed(std::error_code error, const LogSegment& segment) WR_EXCLUDES(mutex_);
  // Stores the close mark in the segment in which the log ends, if there is one.
  Status StoreCloseMark() WR_EXCLUDES(mutex_);
  void BuildRecord(log_format::RecordHeader header, std::span<const ByteView> body_parts);
  // Takes a free segment with room for a record of this size, or makes one. It becomes the current segment, and
  // `offset_` is set.
  Status Advance(uint64_t record_bytes) WR_EXCLUDES(making_, mutex_);
  // Makes sure that the bytes which a failed write has left at `offset_` cannot be mistaken for a record.
  Status DiscardRest() WR_EXCLUDES(mutex_);
  // Returns the largest free segment of at least this size. Of several that are equally large, returns the one that was
  // freed last. Returns null if there is none.
  LogSegmentPtr FindFree(uint64_t bytes_min) const WR_REQUIRES(mutex_);
  // True if a free segment has at least SpareBytesMin() bytes, so that it can follow the current one. A smaller segment
  // could be full before the segment after it is made.
  bool HasSpare() const WR_REQUIRES(mutex_);
  uint64_t SpareBytesMin() const WR_REQUIRES(mutex_);
  // Makes a segment of at least this size unless a free one exists.
  std::error_code MakeFree(uint64_t bytes_min) WR_EXCLUDES(making_, mutex_);
  // Removes from `segments_` the free segments that are not worth keeping, and returns them.
  std::vector<LogSegmentPtr> TakeSuperfluous() WR_REQUIRES(mutex_);
  // Frees the oldest kept segments until the others have at most keep_bytes. Stops at the first one that is pinned or
  // being read.
  void FreeKept() WR_REQUIRES(mutex_);
  // Returns the segment in which the group after `cursor.sequence` must be, moves the cursor there, and counts the
  // segment as being read. Null: no segment can have the group.
  LogSegmentPtr BeginRead(LogCursor& cursor) WR_EXCLUDES(mutex_);
  void EndRead(LogSegment& segment) WR_EXCLUDES(mutex_);
  // Stores a list with the segments of `segments_` and of `more`.
  std::error_code StoreList(const std::vector<LogSegmentPtr>& more) WR_REQUIRES(making_) WR_EXCLUDES(mutex_);
  // Removes the files of segments that are no longer in `segments_`. If the shorter list cannot be stored, keeps the
  // files and moves the segments to `unlisted_`.
  void RemoveFiles(const std::vector<LogSegmentPtr>& superfluous) WR_EXCLUDES(making_, mutex_);

  const CommitLogOptions options_;
  const LogDirectory directory_;
  const Uuid id_;

  // Used by the writer's thread only, except `current_`, which others read under mutex_.
  LogSegmentPtr current_;      // Null until the first Append.
  uint64_t offset_ = 0;        // The offset of the next record in `current_`.
  bool rest_written_ = false;  // True if a write at `offset_` has failed. The bytes there are then undefined.
  bool closed_ = false;
  bool spare_wanted_ = false;
  Bytes buffer_;        // The record that is being built.
  RecoveredLog found_;  // The log that Open has found.

  // Held while a segment is made, so that only one is made at a time. Locked before mutex_.
  Mutex making_;
  uint64_t next_number_ WR_GUARDED_BY(making_) = 1;
  SegmentList list_ WR_GUARDED_BY(making_);
  // Free segments that are not in `segments_` because storing the list has failed. The list on disk may contain them,
  // so their files must not be removed.
  std::vector<LogSegmentPtr> unlisted_ WR_GUARDED_BY(making_);
  // Held during a sync. Of two syncs that ran at the same time, perhaps only one would get an error. Locked before
  // mutex_.
  Mutex syncing_;
  std::vector<LogSegmentPtr> to_sync_ WR_GUARDED_BY(syncing_);

  mutable Mutex mutex_;
  std::vector<LogSegmentPtr> segments_ WR_GUARDED_BY(mutex_);
  std::optional<Error> broken_ WR_GUARDED_BY(mutex_);
  uint64_t greatest_epoch_ WR_GUARDED_BY(mutex_) = 0;
  uint64_t appended_through_ WR_GUARDED_BY(mutex_) = 0;
  std::multiset<uint64_t> pins_ WR_GUARDED_BY(mutex_);
  bool half_full_ WR_GUARDED_BY(mutex_) = true;  // True if the current segment is half full or there is none.

  std::atomic<uint64_t> synced_through_{0};
  std::atomic<uint64_t> bytes_appended_{0};
};

}  // namespace widerow
