// The seam between execution and storage. Nothing above this header knows what keeps the bytes: LMDB here
// (OpenLmdbEngine), an object store elsewhere. Durable means: an answered Apply survives a power cut.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <variant>

#include "base/clock.h"
#include "storage/mutation.h"

namespace widerow {

enum class Direction : uint8_t { kForward, kBackward };

// Which rows of a table, in which order. Partitions come in position order, forward; `direction` is the order of rows within a
// partition. A KeyRange is read in either direction, partitions and rows alike.
struct Slice {
  struct OnePartition { Bytes partition_key; };
  // Tokens in [first, last]. The whole ring: INT64_MIN, INT64_MAX.
  struct TokenRange {
    int64_t first = std::numeric_limits<int64_t>::min();
    int64_t last = std::numeric_limits<int64_t>::max();
  };
  // Of a table that is not stored by token: partition keys in [first, end), as storage has them; `end` absent: to the last.
  struct KeyRange {
    Bytes first;
    std::optional<Bytes> end;
  };
  // Where an earlier page stopped. Rows up to and including it are not returned again.
  struct ResumePoint {
    Bytes partition_key;
    Bytes clustering;           // Encoded; the last row returned.
    bool partition_done = false;  // The whole partition is behind us; `clustering` means nothing.
    bool after_static = false;    // Only the static row has been returned; `clustering` means nothing.

    friend bool operator==(const ResumePoint&, const ResumePoint&) = default;
  };

  TablePtr table;
  std::variant<OnePartition, TokenRange, KeyRange> partitions;
  std::vector<ClusteringRange> clustering;  // Disjoint, ascending in byte order. Empty: all rows.
  bool want_statics = false;  // The static row, if the partition has one, comes first (before any row, both directions).
  bool want_rows = true;
  Direction direction = Direction::kForward;
  std::optional<ResumePoint> resume;
};

// One pass over a slice. Belongs to one thread at a time and to its view.
class RowCursor {
 public:
  virtual ~RowCursor() = default;
  // Fills `row` and returns true, or returns false at the end. `row` borrows: it is good until the next call on this
  // cursor or the end of the view. Reusing one RowView saves allocations.
  virtual Result<bool> Next(RowView& row) = 0;
  // Next again and again, for as long as `take`, called after each row, answers true. False at the end of the slice. How rows
  // are read by the thousand: between two plain rows there is no more than a step of the cursor and the decoding.
  virtual Result<bool> ForEach(RowView& row, const std::function<bool()>& take) {
    while (true) {
      WR_ASSIGN_OR_RETURN(const bool more, Next(row));
      if (!more) return false;
      if (!take()) return true;
    }
  }
  // Leaves the current partition: the next row comes from a later one.
  virtual Status SkipPartition() = 0;
};

// A consistent snapshot of everything. One thread at a time. Keep it for one page of results, no longer.
class ReadView {
 public:
  virtual ~ReadView() = default;
  virtual Result<std::unique_ptr<RowCursor>> OpenSlice(const Slice& slice) = 0;
  // One row by its whole key, the quick way. False if nothing is stored there (an empty or dead row may be).
  // `row` borrows from the view.
  virtual Result<bool> GetRow(const TableSchema& table, ByteView partition_key, ByteView clustering, RowView& row) = 0;
  virtual Result<bool> GetStaticRow(const TableSchema& table, ByteView partition_key, RowView& row) = 0;
  // The greatest timestamp of all that is stored of a row, or of the static row (`clustering` means nothing then), and of
  // all deletions over it. kNoTimestamp if there is nothing. What is written with a greater one wins.
  virtual Result<int64_t> NewestTimestamp(const TableSchema& table, ByteView partition_key, bool is_static,
                                          ByteView clustering) = 0;
};

// A snapshot that is kept for longer than a page and read again and again. What is overwritten meanwhile stays where it is, on
// the disk and in memory. One thread at a time, but for PinnedBytes.
class HeldSnapshot {
 public:
  virtual ~HeldSnapshot() = default;
  // One at a time, gone before the snapshot is.
  virtual std::unique_ptr<ReadView> OpenView() = 0;
  // What could be written again, or given back, if the snapshot were not held: pages of the data file and memtables. Any
  // thread.
  virtual Result<uint64_t> PinnedBytes() const = 0;
};

struct StorageStatistics;  // storage/statistics.h
struct PurgeStatistics;

// One entry of a table's partition map with its counters. rows and bytes are estimates of what is stored; the others count
// since start.
struct PartitionStats {
  uint32_t id = 0;
  Bytes first_position;  // As TableSchema::partition_map has it.
  int64_t rows = 0, bytes = 0;
  uint64_t reads = 0, writes = 0, read_micros = 0, write_micros = 0;
};

// A large partition of a table: what has been folded and stored of it, counted since it was noticed (storage/partition_sizes.h).
struct PartitionSize {
  Bytes partition_key;
  int64_t rows = 0, bytes = 0;
};

// Something kept beside the data that may be lost in a crash, such as a heat map: by a key of its own, in no log.
struct StorageNote {
  Bytes key;                   // At most limits::kLmdbKeyBytesMax - 1.
  std::optional<Bytes> value;  // Absent in WriteNotes: the note goes.
};

// What the database takes at this moment, on the disk and in memory.
struct StorageUsage {
  uint64_t page_bytes = 0;
  uint64_t pages = 0;       // Of the data file: in use or free.
  uint64_t free_pages = 0;  // Written first when something is written; `widerow compact` gives them back to the disk.
  uint64_t map_bytes = 0;   // What the data file can grow to.
  uint64_t log_bytes = 0;   // Of the commit log's files.
  uint64_t memtable_bytes = 0;          // Written, and not being folded yet.
  uint64_t folding_bytes = 0;           // In the memtable that is being folded.
  uint64_t memtable_bytes_max = 0;      // Of each.
};

// What a bulk load may use before it is stored.
struct BulkLimits {
  size_t memory_bytes = size_t{256} << 20;  // Beyond it sorted rows go to files in the data directory.
  size_t lanes = 1;
};

// Many rows into one table, past the commit log: gathered, sorted, and stored in the order of their keys
// (docs/internals/write-path.md, "Bulk"). Rows carry final timestamps, which decide against everything else, whenever that was written.
// A load has lanes, each used by one thread at a time; Store by one thread, while no lane is in use.
class BulkLoad {
 public:
  virtual ~BulkLoad() = default;

  // Rows only, no deletions of partitions or ranges. Fails for keys that are too long, and when a file cannot be written.
  virtual Status Add(size_t lane, const PartitionMutation& mutation) = 0;
  // So much has been gathered that it should be stored before more is added: 4 GiB, or 256 files.
  virtual bool full() const = 0;
  // Gathered and not stored; more than rows where rows have static columns.
  virtual uint64_t entries() const = 0;
  // Brings all that has been gathered into the data file: durable on return. In transactions of some milliseconds, between
  // which memtables are folded; other writes and reads go on. After an error some of it may be in, and all of it stays
  // gathered. kInvalid if the table has been dropped or truncated. `progress` (may be empty): how many entries are stored.
  virtual Status Store(const std::function<void(uint64_t)>& progress) = 0;
};

class DerivedWrites;  // storage/derived_writes.h

// Thread-safe.
class StorageEngine {
 public:
  virtual ~StorageEngine() = default;

  // Given to the data directory at its first open, the same ever after.
  virtual Uuid database_id() const = 0;
  // The schema as it was stored at open.
  virtual SchemaPtr LoadedSchema() = 0;
  // Brings everything answered so far from the commit log into the data file, and waits for it. Not needed for durability.
  virtual Status Flush() = 0;

  // Makes `next` durable in place of the schema last committed (or loaded). Tables are compared by pointer: share what did
  // not change. A storage id that `next` no longer uses is swept in the background; writes still queued for it vanish.
  virtual Status CommitSchema(const SchemaPtr& next) = 0;
  // A storage id never used before.
  virtual StorageId NewStorageId() = 0;

  // A snapshot that sees every write answered before the call.
  virtual Result<std::unique_ptr<ReadView>> OpenView() = 0;
  // The same, to be kept. The engine outlives it.
  virtual Result<std::unique_ptr<HeldSnapshot>> HoldSnapshot() = 0;

  // One row by its whole key, in a snapshot of its own: OpenView, GetRow and CountRead in one call, without what only longer
  // reads need. `use` gets the row, or null if nothing is stored there; what the row borrows ends with the call.
  virtual Status ReadRow(const TableSchema& table, ByteView partition_key, ByteView clustering,
                         const std::function<void(const RowView*)>& use) = 0;

  // Applies `write`, durable on return. Waits for its group.
  virtual Status Apply(Write write) = 0;
  // The same without waiting: `done` runs on the writer thread and must be quick. kOverloaded if too many are pending.
  virtual void Submit(Write write, std::function<void(Status)> done) = 0;

  // Who keeps derived tables in step with the tables that they follow from; asked for every write from then on. Until there is
  // one, writes to tables with derived ones are refused.
  virtual void SetDerivedWrites(std::shared_ptr<DerivedWrites> derived) = 0;

  // The engine outlives the load. Of tables without derived ones: its Store goes past the writer, who keeps them in step.
  virtual std::unique_ptr<BulkLoad> OpenBulk(TablePtr table, const BulkLimits& limits) = 0;

  // Microseconds; greater than every one returned before, also before a restart.
  virtual int64_t NextTimestampMicros() = 0;
  virtual Clock& clock() = 0;

  // Cheap enough to be asked every second: free pages are counted anew when some have been written since, and where that takes
  // long not every time. Fails where no snapshot can be had.
  virtual Result<StorageUsage> Usage() = 0;
  virtual StorageStatistics Statistics() = 0;
  virtual std::vector<PartitionStats> Partitions(const TableSchema& table) = 0;
  // Largest first; at most some hundred.
  virtual std::vector<PartitionSize> LargestPartitions(const TableSchema& table) = 0;
  // Tombstones and expired cells: what there is to purge, and what has been.
  virtual PurgeStatistics Purges(const TableSchema& table) = 0;

  // Durable on return, all or none.
  virtual Status WriteNotes(const std::vector<StorageNote>& notes) = 0;
  // Those whose keys begin with `prefix`, in order.
  virtual Result<std::vector<StorageNote>> ReadNotes(ByteView prefix) = 0;

  // Adds to the read counters of the partition that holds `partition_key`.
  virtual void CountRead(const TableSchema& table, ByteView partition_key, uint64_t micros) = 0;
};

// When a write is answered. A killed process loses nothing in any of them; a power cut may lose the last writes answered,
// but never a part of one, unless it is kSync.
enum class Durability : uint8_t {
  kSync,      // After the commit log is synced through it.
  kPeriodic,  // Before; the commit log is synced every sync_period_ms.
  kNone,      // Before; the commit log is synced when memtables are folded.
};

// "sync", "periodic", "none".
inline std::optional<Durability> DurabilityNamed(std::string_view name) {
  if (name == "sync") return Durability::kSync;
  if (name == "periodic") return Durability::kPeriodic;
  if (name == "none") return Durability::kNone;
  return std::nullopt;
}

inline constexpr size_t kMemtableBytesDefault = 64u << 20;
inline constexpr int kSweepPercentDefault = 10;

struct StorageOptions {
  std::filesystem::path directory;  // Created if absent.
  uint64_t map_bytes = uint64_t{1} << 40;  // Address space to reserve; halved down to 1 GiB where refused.
  std::shared_ptr<Clock> clock;     // SystemClock if null.
  Durability durability = Durability::kSync;
  int64_t sync_period_ms = 200;
  // Writes gather in memory until they take about so much; then they are brought into the data file, in order of their
  // keys, while the next ones gather. Twice as much may be in use.
  size_t memtable_bytes = kMemtableBytesDefault;
  size_t pending_writes_max = 65'536;
  bool background_sweep = true;     // Tests turn it off to look at what is left.
  // The share of the folder's thread, in percent, that sweeping may take: what deletions, dropped tables and elapsed gc_grace
  // have left behind. 1 to 100.
  int sweep_percent = kSweepPercentDefault;
  std::function<void(const std::string&)> log;  // One line each; may be empty.
};

// Opens or creates the database. Errors name the directory or file and what would work: in use by another process (with
// its pid), not a directory or not writable, written by a newer format version (both versions), damaged or truncated (both
// sizes), disk full.
Result<std::unique_ptr<StorageEngine>> OpenLmdbEngine(StorageOptions options);

// Format version of the data directory this build writes.
inline constexpr uint32_t kStorageFormatVersion = 2;

}  // namespace widerow
