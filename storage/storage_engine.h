// The interface between execution and storage. Code that uses it does not depend on LMDB, which stores the rows
// (OpenLmdbEngine). Such code may include the headers of this folder, and makes and splits keys with
// format/key_codec.h. A StorageEngine is thread-safe. A view, a held snapshot and a cursor may be used by one thread at
// a time. Data is *durable* if it survives a power cut. The enum Durability says when a write becomes durable.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <variant>

#include "base/clock.h"
#include "base/log.h"
#include "storage/arena.h"
#include "storage/backup.h"
#include "storage/large_object.h"
#include "storage/mutation.h"

namespace widerow {

enum class Direction : uint8_t { kForward, kBackward };

// The rows of a table to read, and their order. `direction` is the order of the rows within a partition. Partitions
// come in ascending order of position; but those of a KeyRange come in the order that `direction` says.
struct Slice {
  struct OnePartition {
    Bytes partition_key;
  };
  // Partitions with tokens in [first, last]. INT64_MIN to INT64_MAX is the whole ring.
  struct TokenRange {
    int64_t first = std::numeric_limits<int64_t>::min();
    int64_t last = std::numeric_limits<int64_t>::max();
  };
  // For a table that is not stored by token: partition keys in [first, end), in their stored form. Without `end`, the
  // range goes to the last key.
  struct KeyRange {
    Bytes first;
    std::optional<Bytes> end;
  };
  // The place where an earlier page stopped. Rows up to this place are not returned again.
  struct ResumePoint {
    Bytes partition_key;
    Bytes clustering;             // The encoded clustering of the last row returned.
    bool partition_done = false;  // True if all of the partition has been returned; `clustering` is then unused.
    bool after_static = false;    // True if only the static row has been returned; `clustering` is then unused.

    friend bool operator==(const ResumePoint&, const ResumePoint&) = default;
  };

  TablePtr table;
  std::variant<OnePartition, TokenRange, KeyRange> partitions;
  std::vector<ClusteringRange> clustering;  // Disjoint, ascending in byte order. Empty: all rows.
  // If set, the static row of a partition is returned before its rows, in both directions.
  bool want_statics = false;
  bool want_rows = true;
  Direction direction = Direction::kForward;
  // If set, the cursor also returns one empty row (RowView::empty) for every kDeadRowsStep deleted rows that it passes.
  // With these rows, the caller can count deleted rows and can stop in the middle of a long run of them.
  bool shows_dead = false;
  static constexpr uint32_t kDeadRowsStep = 1'000;
  std::optional<ResumePoint> resume;
};

// Reads a slice once. Belongs to its view. One thread at a time may use it.
class RowCursor {
 public:
  virtual ~RowCursor() = default;
  // Fills `row` and returns true, or returns false at the end. What `row` borrows is valid until the next call on this
  // cursor or the end of the view. Using the same RowView again saves allocations. Errors: kServerError if LMDB fails
  // or a record is damaged.
  virtual Result<bool> Next(RowView& row) = 0;
  // Fills `row` and calls `take`, for one row after the other, until `take` returns false. Returns false at the end of
  // the slice, otherwise true. For many rows this is faster than Next: between two plain rows it costs one step of the
  // cursor and the decoding.
  virtual Result<bool> ForEach(RowView& row, const std::function<bool()>& take) {
    while (true) {
      WR_ASSIGN_OR_RETURN(const bool more, Next(row));
      if (!more) return false;
      if (!take()) return true;
    }
  }
  // Leaves the current partition: the next row comes from a later one.
  virtual Status SkipPartition() = 0;
  // Tells the cursor which of the next rows the caller does not need: those whose encoded clustering has the same first
  // `prefix_bytes` bytes as that of the row returned last. The cursor may return some or all of them nevertheless.
  virtual Status SkipAlike(size_t /*prefix_bytes*/) { return OkStatus(); }
};

// A consistent snapshot of all data. One thread at a time may use it. While a view is open, data that is overwritten
// keeps its space on the disk and in memory. So keep a view for one page of results or one aggregate only. If that
// takes seconds, watch PinnedBytes().
class ReadView {
 public:
  virtual ~ReadView() = default;
  virtual Result<std::unique_ptr<RowCursor>> OpenSlice(const Slice& slice) = 0;
  // Reads one row by its whole key, without a cursor. Returns false if nothing is stored under the key. The row may be
  // empty or dead (RowView::empty, LiveAt). `row` borrows from the view.
  virtual Result<bool> GetRow(const TableSchema& table, ByteView partition_key, ByteView clustering, RowView& row) = 0;
  virtual Result<bool> GetStaticRow(const TableSchema& table, ByteView partition_key, RowView& row) = 0;
  // These two functions do what GetRow and GetStaticRow do, for callers that read very many rows from one view. `row`
  // borrows from the given keys, from `room` and from the view. After `row` has been used, `room` may be cleared.
  virtual Result<bool> GetRowInto(Arena& /*room*/, const TableSchema& table, ByteView partition_key,
                                  ByteView clustering, RowView& row) {
    return GetRow(table, partition_key, clustering, row);
  }
  virtual Result<bool> GetStaticRowInto(Arena& /*room*/, const TableSchema& table, ByteView partition_key,
                                        RowView& row) {
    return GetStaticRow(table, partition_key, row);
  }
  // Returns the greatest timestamp of the stored content of a row and of all deletions that cover the row; kNoTimestamp
  // if there is none. A write with a greater timestamp wins. For the static row `clustering` is ignored.
  virtual Result<int64_t> NewestTimestamp(const TableSchema& table, ByteView partition_key, bool is_static,
                                          ByteView clustering) = 0;
  // Opens a view of the same snapshot for another thread. Returns null if this is impossible: the data file has
  // changed, this is a view of a HeldSnapshot, or its rows are not stored (system tables).
  virtual Result<std::unique_ptr<ReadView>> OpenSame() { return std::unique_ptr<ReadView>(); }
  // Returns the bytes that the view keeps from being reused or freed: pages of the data file, and memtables.
  virtual Result<uint64_t> PinnedBytes() const { return uint64_t{0}; }
};

// A snapshot that is kept for longer than one page and is read several times. While it is held, the data file keeps
// pages that are overwritten, and memory keeps memtables that are folded. One thread at a time may use it, except
// PinnedBytes.
class HeldSnapshot {
 public:
  virtual ~HeldSnapshot() = default;
  // Opens a view. One view may be open at a time. It must be destroyed before the snapshot.
  virtual std::unique_ptr<ReadView> OpenView() = 0;
  // Returns what ReadView::PinnedBytes returns. Safe on any thread.
  virtual Result<uint64_t> PinnedBytes() const = 0;
};

struct StorageStatistics;  // Defined in storage/statistics.h.
struct PurgeStatistics;

// One entry of a table's partition map, with its statistics. `rows` and `bytes` are estimates of what the data file and
// the memtables hold. The other numbers count from the start of the process.
struct PartitionStats {
  uint32_t id = 0;
  Bytes first_position;  // See TableSchema::partition_map.
  int64_t rows = 0, bytes = 0;
  uint64_t reads = 0, writes = 0, read_micros = 0, write_micros = 0;
};

// One large partition of a table, with the rows and bytes that were stored after it was noticed
// (storage/count/partition_sizes.h).
struct PartitionSize {
  Bytes partition_key;
  int64_t rows = 0, bytes = 0;
};

// A value that is stored beside the rows under a key of its own, such as a heat map. Notes are not in the commit log.
struct StorageNote {
  Bytes key;                   // At most limits::kLmdbKeyBytesMax - 1.
  std::optional<Bytes> value;  // If it is absent, WriteNotes removes the note.
};

// The space that the database uses now, on disk and in memory.
struct StorageUsage {
  uint64_t page_bytes = 0;
  uint64_t pages = 0;  // Pages of the data file, used or free.
  // New data is written to free pages first. `widerow compact` gives them back to the disk.
  uint64_t free_pages = 0;
  uint64_t map_bytes = 0;       // The size up to which the data file can grow.
  uint64_t log_bytes = 0;       // The size of the commit log's files.
  uint64_t memtable_bytes = 0;  // The size of the memtable that takes writes.
  uint64_t folding_bytes = 0;   // The size of the memtable that is being folded.
  // StorageOptions::memtable_bytes. One memtable may take 1.5 times as much, and the two together twice as much.
  uint64_t memtable_bytes_max = 0;
};

// The memory that a bulk load may use, and the number of its lanes.
struct BulkLimits {
  size_t memory_bytes = size_t{256} << 20;  // Rows beyond it go to sorted files in the data directory.
  size_t lanes = 1;
};

// Loads many rows into one table without the commit log. Rows are gathered, sorted, and stored in the order of their
// keys (docs/internals/write-path.md, "Bulk"). They have final timestamps, which are compared with those of all other
// writes.
//
// A *lane* gathers the rows of one thread at a time; several threads can fill several lanes. Store may be called by one
// thread while no lane is in use.
class BulkLoad {
 public:
  virtual ~BulkLoad() = default;

  // Gathers rows. The mutation must not delete partitions or ranges. Errors: kInvalid if a key is too long;
  // kServerError if a file cannot be written.
  virtual Status Add(size_t lane, const PartitionMutation& mutation) = 0;
  // True if 4 GiB or 256 files have been gathered. Then call Store before adding more.
  virtual bool full() const = 0;
  // Returns the number of gathered entries: rows and static rows.
  virtual uint64_t entries() const = 0;
  // Writes all gathered entries to the data file; durable on return. This takes several transactions of at most 200 ms.
  // Memtables are folded between them, and other writes and reads go on. `progress`, which may be empty, receives the
  // number of entries stored so far. After an error, some entries may be stored, and all of them stay gathered. Errors:
  // kInvalid if the table has been dropped or truncated, or has got an index or a view.
  virtual Status Store(const std::function<void(uint64_t)>& progress) = 0;
};

class DerivedWrites;  // Defined in storage/derived_writes.h.

// The storage of one data directory. Thread-safe.
class StorageEngine {
 public:
  virtual ~StorageEngine() = default;

  // Returns the id that the data directory got at its first open. It never changes.
  virtual Uuid database_id() const = 0;
  // Returns the schema that was stored when the directory was opened.
  virtual SchemaPtr LoadedSchema() = 0;
  // Moves the content of every answered write from the memtables into the data file, and waits until this is done.
  // Writes also become durable without a call of Flush (Durability).
  virtual Status Flush() = 0;

  // Makes `next` the schema; durable on return. Tables and keyspaces are compared by pointer: for each one that has not
  // changed, `next` must have the same pointer as the previous schema. Rows under a storage id that `next` no longer
  // uses are swept in the background. Writes for such an id that are still in the queue have no effect.
  virtual Status CommitSchema(const SchemaPtr& next) = 0;
  // Returns a storage id that was never used before.
  virtual StorageId NewStorageId() = 0;

  // Opens a snapshot that sees every write answered before the call. kOverloaded if too many snapshots are open.
  virtual Result<std::unique_ptr<ReadView>> OpenView() = 0;
  // Opens a snapshot as OpenView does, but one that can be kept. The engine must outlive it.
  virtual Result<std::unique_ptr<HeldSnapshot>> HoldSnapshot() = 0;

  // Reads one row by its whole key in a snapshot of its own, and counts the read. This is cheaper than OpenView, GetRow
  // and CountRead. `use` receives the row, or null if nothing is stored under the key. The row is valid during the call
  // of `use` only.
  virtual Status ReadRow(const TableSchema& table, ByteView partition_key, ByteView clustering,
                         const std::function<void(const RowView*)>& use) = 0;

  // Applies `write` and waits for its answer. StorageOptions::durability says if the write is durable then.
  virtual Status Apply(Write write) = 0;
  // Applies `write` without waiting: `done` runs on the writer thread, or at once in this thread if the write cannot be
  // queued. `done` must be quick. kOverloaded if too many writes are queued.
  virtual void Submit(Write write, std::function<void(Status)> done) = 0;

  // Fails while writes are refused: after a failure of the commit log, or because there is no room on the disk or in
  // the data file. The error has the reason. Its hint says what would help, and names no file.
  virtual Status TakesWrites() const = 0;

  // Sets the object that computes the changes of derived tables (indexes and views) for every later write. Without one,
  // writes to tables that have derived tables are refused.
  virtual void SetDerivedWrites(std::shared_ptr<DerivedWrites> derived) = 0;

  // Opens a bulk load into a table. The table must not have derived tables, which a load would not update. The engine
  // must outlive the load.
  virtual std::unique_ptr<BulkLoad> OpenBulk(TablePtr table, const BulkLimits& limits) = 0;

  // Begins a large object whose reference is to be stored in a row of this partition. The engine must outlive the
  // upload.
  virtual std::unique_ptr<LargeUpload> BeginLargeObject(const TableSchema& table, ByteView partition_key) = 0;
  // Opens a large object to which a row of this partition refers. Null if its pieces are gone, because the row has lost
  // the reference since it was read. The engine must outlive the read.
  virtual Result<std::unique_ptr<LargeRead>> OpenLargeObject(const TableSchema& table, ByteView partition_key,
                                                             const LargeReference& reference) = 0;

  // Returns a time in microseconds that is greater than every value returned before, even before a restart.
  virtual int64_t NextTimestampMicros() = 0;
  virtual Clock& clock() = 0;

  // Returns the space in use. Cheap enough for one call a second: free pages are counted again only after a commit, and
  // less often if counting takes long. Fails if no snapshot can be opened.
  virtual Result<StorageUsage> Usage() const = 0;
  virtual StorageStatistics Statistics() const = 0;
  virtual std::vector<PartitionStats> Partitions(const TableSchema& table) const = 0;
  // Returns the largest partitions, largest first: at most some hundred for each storage id of the table.
  virtual std::vector<PartitionSize> LargestPartitions(const TableSchema& table) = 0;
  // Returns statistics of purging: the tombstones and expired cells that wait, and those that have been removed.
  virtual PurgeStatistics Purges(const TableSchema& table) = 0;

  // Returns the stale marks by storage id. Each base table whose indexes and views may have stale rows
  // (storage/derived_writes.h) has a mark, a number that grows with each write that leaves such rows.
  virtual std::map<StorageId, uint64_t> StaleMarks() = 0;
  // Removes the mark of a table unless it is greater than `through`. To clear a mark, a caller reads StaleMarks(),
  // opens a snapshot, and removes all stale rows that the snapshot shows. Then it calls this function with the mark
  // that it has read.
  virtual Status ClearStaleMark(StorageId table, uint64_t through) = 0;

  // Stores or removes all `notes`, or none of them if it fails. Durable on return.
  virtual Status WriteNotes(const std::vector<StorageNote>& notes) = 0;
  // Returns the notes whose keys begin with `prefix`, in order.
  virtual Result<std::vector<StorageNote>> ReadNotes(ByteView prefix) = 0;

  // Begins a full backup or, if `since` has a value, an incremental one: a backup of the log after `since`. The engine
  // must outlive the BackupSource. Errors of an incremental backup: kInvalid if `since` is of another history, or if
  // the log no longer has the groups after `since`.
  virtual Result<std::unique_ptr<BackupSource>> BeginBackup(const std::optional<BackupPlace>& since) = 0;
  virtual BackupStatistics Backups() const = 0;

  // Counts a read of `micros` microseconds in the partition-map entry that contains `partition_key`.
  virtual void CountRead(const TableSchema& table, ByteView partition_key, uint64_t micros) = 0;
};

// Says when a write is answered. In every mode, a process that is killed loses no answered write. With kSync a power
// cut loses none either. With the other modes a power cut may lose the writes that were answered last, but never a part
// of one write.
enum class Durability : uint8_t {
  kSync,      // Answered after the commit log is synced up to the write.
  kPeriodic,  // Answered before the log is synced. The log is synced every sync_period_ms.
  kNone,      // Answered before the log is synced. It is synced before a fold and by schema changes.
};

// Returns the mode called "sync", "periodic" or "none"; nullopt for any other name.
inline std::optional<Durability> DurabilityNamed(std::string_view name) {
  if (name == "sync") return Durability::kSync;
  if (name == "periodic") return Durability::kPeriodic;
  if (name == "none") return Durability::kNone;
  return std::nullopt;
}

inline constexpr size_t kMemtableBytesDefault = 64u << 20;
inline constexpr int kSweepPercentDefault = 10;

struct StorageOptions {
  std::filesystem::path directory;         // Created if absent.
  uint64_t map_bytes = uint64_t{1} << 40;  // Address space to reserve; halved down to 1 GiB if refused.
  std::shared_ptr<Clock> clock;            // SystemClock if null.
  Durability durability = Durability::kSync;
  int64_t sync_period_ms = 200;
  // The size of a memtable, in which writes gather. While folds are quick, a memtable may have up to 1.5 times this
  // size. A full memtable is folded into the data file in the order of keys, while the next one fills. Both together
  // take at most twice this size.
  size_t memtable_bytes = kMemtableBytesDefault;
  size_t pending_writes_max = 65'536;
  bool background_sweep = true;  // False for `widerow compact`, and for tests of what is left to sweep.
  // The percentage of the folder thread's time that sweeping may take, 1 to 100. Sweeping removes deleted data: the
  // rows of dropped tables, and tombstones and expired cells after gc_grace.
  int sweep_percent = kSweepPercentDefault;
  // If set, a commit log that is missing, incomplete or damaged does not prevent the opening. The writes that were only
  // in the missing or damaged part are lost.
  bool accept_lost_log = false;
  // If it is not 0, segments of the commit log whose writes are all in the data file are kept for backups, up to this
  // many bytes in all. The log then also has bulk loads, purges and pieces of large objects.
  uint64_t keep_log_bytes = 0;
  // If set, keep_log_bytes is replaced by the value of the last process that had the directory open, so that
  // incremental backups can go on. Every process that is not a server sets this option.
  bool keep_log_as_before = false;
  LogFunction log;  // May be empty.
  // Receives the error if something fails while the engine is destroyed; may be empty. With Durability::kSync no
  // acknowledged write is lost by such an error, because the next start replays the log.
  std::function<void(const Error&)> closing_failed;
};

// Opens or creates the database. An error names the directory or file and says what would help. Errors: the directory
// is in use (the error names the pid of the other process), is not a directory or is not writable; it has a newer
// format version (the error names both versions); a file is damaged, or is shorter than it should be (the error names
// both sizes); the disk is full.
Result<std::unique_ptr<StorageEngine>> OpenLmdbEngine(StorageOptions options);

// The format version that this build writes.
inline constexpr uint32_t kStorageFormatVersion = 5;

}  // namespace widerow
