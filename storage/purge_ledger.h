// Where the sweeper looks first, and what it has done. Partitions in which folds have stored many tombstones, or reads have
// passed many dead rows, stand here; a bounded number of them, the fullest. What is not here the sweeper finds when it walks
// through the whole table, less often. Nothing of it is stored: after a restart a walk, or a read, finds them again.
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

class PurgeLedger {  // Thread-safe.
 public:
  static constexpr size_t kPartitionsMax = 1'024;
  // Fewer are not worth a visit of their own.
  static constexpr uint64_t kRecordsMin = 64;
  // A walk or a visit has to be worth the records that it passes.
  static constexpr uint64_t kExaminedPerPurgedMax = 16;

  // A fold has stored so many records that may be purged one day, the first of them since `since` (purge_times.h). `prefix` as
  // in keys.
  void AddFolded(ByteView prefix, uint64_t records, int64_t since);
  // A read has passed so many dead rows.
  void AddRead(ByteView prefix, uint64_t rows);

  // A partition worth a visit. `purge_before(table)`: what is due; nullopt where nothing is purged.
  std::optional<Bytes> NextDue(const std::function<std::optional<int64_t>(StorageId)>& purge_before, int64_t now_seconds) const;
  // How a visit, which passed `examined` records, has left it. The next one comes at `rest_until` at the earliest.
  void Visited(ByteView prefix, uint64_t examined, uint64_t records_left, int64_t since, int64_t rest_until);
  // A walk through the table begins: it finds all again.
  void ForgetPartitions(StorageId table);
  // The table is gone.
  void Forget(StorageId table);

  PurgeStatistics Read(StorageId table) const;
  void Change(StorageId table, const std::function<void(PurgeStatistics&)>& change);

 private:
  struct Partition {
    uint64_t records = 0;   // That may be purged one day.
    int64_t since = 0;      // Of the first of them.
    uint64_t examined = 0;  // What the last visit had to pass.
    int64_t rest_until = 0;
  };
  Partition& At(ByteView prefix) WR_REQUIRES(mutex_);

  mutable Mutex mutex_;
  std::map<Bytes, Partition, std::less<>> partitions_ WR_GUARDED_BY(mutex_);
  std::unordered_map<StorageId, PurgeStatistics> statistics_ WR_GUARDED_BY(mutex_);
};

}  // namespace widerow
