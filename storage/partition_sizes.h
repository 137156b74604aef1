// Which partitions are the largest, learned while memtables are folded and bulk loads stored: a partition is noticed with a
// probability that grows with what is added to it, and from then on counted exactly ("sample and hold"). The larger a table,
// the more has to be added before it is likely to notice: memory is bounded, and what is said of a partition is what has been
// added since it was noticed, a little less than it has. Thread-safe; the folder's thread adds.
#pragma once

#include <map>
#include <unordered_map>
#include <vector>

#include "base/mutex.h"
#include "storage/write_codec.h"

namespace widerow {

class PartitionSizes {
 public:
  static constexpr size_t kHeldMax = 512;  // Of a table.

  struct Size {
    Bytes prefix;  // Of its keys: storage/key_codec.h.
    int64_t rows = 0, bytes = 0;
  };

  // What a partition has grown (or shrunk) by.
  void Add(ByteView prefix, int64_t rows, int64_t bytes);
  // It has been deleted.
  void Forget(ByteView prefix);
  // Largest first.
  std::vector<Size> Largest(StorageId table) const;

  // What is known of the tables that have changed since it was asked last, and that of tables which are not among `live` forgotten.
  std::map<StorageId, Bytes> TakeChanges(const LiveTables& live);
  // Takes over what TakeChanges gave; ignores what is damaged.
  void Load(StorageId table, ByteView encoded);

 private:
  struct Table {
    std::unordered_map<uint64_t, Size> held;  // By the hash of the prefix.
    int64_t unit = 4'096;                     // So many bytes are noticed with a probability of 1.
    bool changed = false;
  };
  static void MakeRoom(Table& table);
  bool Notices(int64_t bytes, const Table& table) WR_REQUIRES(mutex_);

  mutable Mutex mutex_;
  std::unordered_map<StorageId, Table> tables_ WR_GUARDED_BY(mutex_);
  uint64_t random_ WR_GUARDED_BY(mutex_) = 0x9E37'79B9'7F4A'7C15;
};

}  // namespace widerow
