#include "storage/count/purge_ledger.h"

#include <algorithm>

#include "storage/format/key_codec.h"

namespace widerow {

PurgeLedger::Partition& PurgeLedger::At(ByteView prefix) {
  const auto found = partitions_.find(prefix);
  if (found != partitions_.end()) return found->second;
  if (partitions_.size() >= kPartitionsMax) {
    const auto least = std::min_element(partitions_.begin(), partitions_.end(), [](const auto& a, const auto& b) {
      return a.second.records < b.second.records;
    });
    partitions_.erase(least);
  }
  return partitions_[Bytes(prefix)];
}

void PurgeLedger::AddFolded(ByteView prefix, uint64_t records, int64_t since) {
  if (records == 0) return;
  MutexLock lock(mutex_);
  Partition& partition = At(prefix);
  partition.since = partition.records == 0 ? since : std::min(partition.since, since);
  partition.records += records;
}

void PurgeLedger::AddRead(ByteView prefix, uint64_t rows) {
  MutexLock lock(mutex_);
  Partition& partition = At(prefix);
  if (partition.records < rows) {
    partition.records = rows;
    partition.since = 0;  // 0: unknown. Visited() sets it after the next visit.
  }
}

std::optional<Bytes> PurgeLedger::NextDue(const std::function<std::optional<int64_t>(StorageId)>& purge_before,
                                          int64_t now_seconds) const {
  MutexLock lock(mutex_);
  const std::pair<const Bytes, Partition>* best = nullptr;
  for (const auto& entry : partitions_) {
    const Partition& partition = entry.second;
    const uint64_t worth = std::max(kRecordsMin, partition.examined / kExaminedPerPurgedMax);
    if (partition.records < worth || now_seconds < partition.rest_until) continue;
    if (best != nullptr && best->second.records >= partition.records) continue;
    const std::optional<int64_t> before = purge_before(StorageIdOf(entry.first));
    if (before.has_value() && partition.since < *before) best = &entry;
  }
  return best == nullptr ? std::nullopt : std::optional(best->first);
}

void PurgeLedger::Visited(ByteView prefix, uint64_t examined, uint64_t records_left, int64_t since,
                          int64_t rest_until) {
  MutexLock lock(mutex_);
  Partition& partition = At(prefix);
  partition = {.records = records_left, .since = since, .examined = examined, .rest_until = rest_until};
}

void PurgeLedger::ForgetPartitions(StorageId table) {
  MutexLock lock(mutex_);
  std::erase_if(partitions_, [&](const auto& entry) { return StorageIdOf(entry.first) == table; });
}

void PurgeLedger::Forget(StorageId table) {
  ForgetPartitions(table);
  MutexLock lock(mutex_);
  statistics_.erase(table);
}

PurgeStatistics PurgeLedger::Read(StorageId table) const {
  MutexLock lock(mutex_);
  const auto found = statistics_.find(table);
  PurgeStatistics out = found == statistics_.end() ? PurgeStatistics() : found->second;
  for (const auto& [prefix, partition] : partitions_) {
    const bool waits = StorageIdOf(prefix) == table && partition.records >= kRecordsMin;
    out.partitions_waiting += waits ? 1 : 0;
    out.records_waiting += waits ? partition.records : 0;
  }
  return out;
}

void PurgeLedger::Change(StorageId table, const std::function<void(PurgeStatistics&)>& change) {
  MutexLock lock(mutex_);
  change(statistics_[table]);
}

}  // namespace widerow
