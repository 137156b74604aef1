// Finds the largest partitions while memtables are folded and bulk loads are stored. It uses the method "sample and
// hold": only some partitions are counted. Whenever bytes are added to a partition that is not counted, it becomes a
// counted one with a probability that grows with these bytes; from then on all its bytes are counted. The larger a
// table is, the smaller this probability, so memory is bounded. The size found for a partition is a little too small,
// because the bytes added before it was counted are missing.
//
// The engine owns this object. It is thread-safe; only the folder's thread adds bytes. If a transaction on the data
// file fails, what it has added is taken back, because the transaction will be repeated.
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

  // Begins a transaction. RollBack takes back everything that was added or forgotten after this call.
  void Begin();
  void RollBack();

  // Adds the growth of a partition; negative if it has shrunk.
  void Add(ByteView prefix, int64_t rows, int64_t bytes);
  // Forgets a partition that has been deleted.
  void Forget(ByteView prefix);
  // Returns the counted partitions, largest first.
  std::vector<Size> Largest(StorageId table) const;

  // Returns, for each table that has changed after the last call, its counted partitions as bytes. Forgets tables that
  // are not in `live`.
  std::map<StorageId, Bytes> TakeChanges(const LiveTables& live);
  // Sets the counted partitions of a table from bytes that TakeChanges has made. Ignores damaged bytes.
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
  // Keeps a copy of the table for RollBack. Called before each change.
  void Save(StorageId id) WR_REQUIRES(mutex_);

  mutable Mutex mutex_;
  absl::flat_hash_map<StorageId, Table> tables_ WR_GUARDED_BY(mutex_);
  // The tables that have changed after Begin(), with their content at Begin(). nullopt: the table did not exist then.
  absl::flat_hash_map<StorageId, std::optional<Table>> saved_ WR_GUARDED_BY(mutex_);
  uint64_t random_ WR_GUARDED_BY(mutex_) = 0x9E37'79B9'7F4A'7C15;
};

}  // namespace widerow
