// Notes for the sweeper (fold/purge.h), which removes tombstones and expired content: which partitions it should visit
// first, and statistics of its work. A fold adds each partition in which it has stored many tombstones. A read adds
// each partition in which it has passed many dead rows. The ledger keeps the kPartitionsMax partitions with the most
// purgeable records. The sweeper finds all other partitions on its walks through whole tables, which are less frequent.
// The ledger is not stored: after a restart a walk or a read finds the partitions again.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <unordered_map>

#include "base/bytes.h"
#include "base/mutex.h"
#include "storage/statistics.h"
#include "types/position.h"

namespace widerow {

// Thread-safe.
class PurgeLedger {
 public:
  static constexpr size_t kPartitionsMax = 1'024;
  // A partition with fewer purgeable records than this is not visited.
  static constexpr uint64_t kRecordsMin = 64;
  // A walk or visit was worth its cost if it passed at most this many records for each record that it purged.
  static constexpr uint64_t kExaminedPerPurgedMax = 16;

  // Notes that a fold has stored this many records that may be purged one day. `prefix` is the partition's prefix
  // (key_codec.h). `since` is the earliest `since` (purge_times.h) of these records.
  void AddFolded(ByteView prefix, uint64_t records, int64_t since);
  // Notes that a read has passed this many dead rows of the partition.
  void AddRead(ByteView prefix, uint64_t rows);

  // Returns the prefix of a partition that is worth a visit; nullopt if there is none. A record is due if its `since`
  // is before the time that `purge_before(table)` returns. That function returns nullopt if the table is gone.
  std::optional<Bytes> NextDue(const std::function<std::optional<int64_t>(StorageId)>& purge_before,
                               int64_t now_seconds) const;
  // Notes the result of a visit that passed `examined` records. `records_left` records may be purged later, and `since`
  // is the earliest `since` of them. NextDue does not return the partition again before `rest_until` (seconds).
  void Visited(ByteView prefix, uint64_t examined, uint64_t records_left, int64_t since, int64_t rest_until);
  // Forgets the table's partitions, because a walk through the table begins and will find them again.
  void ForgetPartitions(StorageId table);
  // Forgets a table that is gone.
  void Forget(StorageId table);

  PurgeStatistics Read(StorageId table) const;
  void Change(StorageId table, const std::function<void(PurgeStatistics&)>& change);

 private:
  struct Partition {
    uint64_t records = 0;   // Records that may be purged one day.
    int64_t since = 0;      // The earliest `since` of the records that `records` counts.
    uint64_t examined = 0;  // Records that the last visit passed.
    int64_t rest_until = 0;
  };
  Partition& At(ByteView prefix) WR_REQUIRES(mutex_);

  mutable Mutex mutex_;
  std::map<Bytes, Partition, std::less<>> partitions_ WR_GUARDED_BY(mutex_);
  std::unordered_map<StorageId, PurgeStatistics> statistics_ WR_GUARDED_BY(mutex_);
};

}  // namespace widerow
