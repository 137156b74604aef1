// Finds the largest partitions while memtables are folded and bulk loads are stored ("sample and hold"). Only some
// partitions are counted. Adding bytes to a partition makes it a counted one with a probability that grows with the
// bytes; from then on it is counted exactly. The larger a table is, the smaller the probability, so memory is bounded.
// The size of a partition is a little less than its true size, because bytes added before are missing. The engine owns
// it. Thread-safe; only the folder's thread adds. What a transaction of the data file adds is taken back if it fails,
// because a failed fold is repeated.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <map>
#include <optional>
#include <vector>

#include "base/mutex.h"
#include "storage/log/write_codec.h"

namespace widerow {

class PartitionSizes {
 public:
  static constexpr size_t kHeldMax = 512;  // The most partitions kept for a table.

  struct Size {
    Bytes prefix;  // The prefix of its keys (key_codec.h).
    int64_t rows = 0, bytes = 0;
  };

  // Begins a transaction. RollBack takes back everything since then.
  void Begin();
  void RollBack();

  // Adds the growth of a partition; negative if it has shrunk.
  void Add(ByteView prefix, int64_t rows, int64_t bytes);
  // Forgets a partition that has been deleted.
  void Forget(ByteView prefix);
  // Returns the counted partitions, largest first.
  std::vector<Size> Largest(StorageId table) const;

  // Returns the encoded partitions of each table that has changed since the last call. Forgets tables that are not in
  // `live`.
  std::map<StorageId, Bytes> TakeChanges(const LiveTables& live);
  // Loads a table's partitions, as TakeChanges has encoded them. Ignores damaged bytes.
  void Load(StorageId table, ByteView encoded);

 private:
  struct Table {
    absl::flat_hash_map<uint64_t, Size> held;  // Key: the hash of the prefix.
    // A partition that gets this many bytes at once is certain to be counted. Fewer bytes make it less likely.
    int64_t unit = 4'096;
    bool changed = false;
  };
  static void MakeRoom(Table& table);
  bool Notices(int64_t bytes, const Table& table) WR_REQUIRES(mutex_);
  // Keeps the table as it is for RollBack. Called before each change.
  void Save(StorageId id) WR_REQUIRES(mutex_);

  mutable Mutex mutex_;
  absl::flat_hash_map<StorageId, Table> tables_ WR_GUARDED_BY(mutex_);
  // The tables that have changed since Begin(), as they were then. nullopt: the table was not there.
  absl::flat_hash_map<StorageId, std::optional<Table>> saved_ WR_GUARDED_BY(mutex_);
  uint64_t random_ WR_GUARDED_BY(mutex_) = 0x9E37'79B9'7F4A'7C15;
};

}  // namespace widerow
