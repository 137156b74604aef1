#include "exec/balance/partition_balancer.h"

#include <chrono>

#include "exec/balance/partition_middle.h"
#include "planner/ddl/partition/partition_by.h"

namespace widerow {
namespace {

using SteadyClock = std::chrono::steady_clock;

// The number of consecutive checks with too many operations before a split.
constexpr int kBusyLooks = 3;
// After a failed attempt to split, the balancer waits before the next attempt: one second after the first failure, then
// twice as long each time, at most 2^(kFailuresMax - 1) seconds.
constexpr std::chrono::seconds kFirstDelay(1);
constexpr int kFailuresMax = 10;
// A partition is split above a certain size or a certain load. Two partitions are merged if their sizes together, and
// the load of each, are at most 1 / kMergePart of these bounds.
constexpr int64_t kMergePart = 4;

bool IsRange(const TableSchema& table) {
  return table.partitioning.kind == PartitionKind::kRange && table.partitioning.auto_split;
}

bool AnyRange(const SchemaSnapshot& schema) {
  for (const auto& [name, keyspace] : schema.keyspaces) {
    for (const auto& [table_name, table] : keyspace->tables) {
      if (IsRange(*table)) return true;
    }
  }
  return false;
}

int64_t SplitBytes(const TableSchema& table, const BalanceOptions& options) {
  return table.partitioning.split_bytes > 0 ? table.partitioning.split_bytes : options.split_bytes;
}

int64_t SplitOperations(const TableSchema& table, const BalanceOptions& options) {
  return table.partitioning.split_operations > 0 ? table.partitioning.split_operations : options.split_operations;
}

}  // namespace

void PartitionBalancer::Seen::Failed() {
  failures = std::min(failures + 1, kFailuresMax);
  retry_at = SteadyClock::now() + kFirstDelay * (1 << (failures - 1));
}

PartitionBalancer::PartitionBalancer(StorageEngine& storage, std::function<SchemaPtr()> schema, Change change,
                                     BalanceOptions options)
    : storage_(storage), schema_(std::move(schema)), change_(std::move(change)), options_(options) {
  Look();
}

PartitionBalancer::~PartitionBalancer() {
  MutexLock lock(mutex_);
  stopping_ = true;
  wake_.NotifyAll();
}

void PartitionBalancer::Look() {
  if (!options_.enabled || !AnyRange(*schema_())) return;
  MutexLock lock(mutex_);
  if (started_) return;
  started_ = true;
  thread_ = std::jthread([this] { Loop(); });
}

bool PartitionBalancer::Stopping() {
  MutexLock lock(mutex_);
  return stopping_;
}

void PartitionBalancer::Loop() {
  SteadyClock::time_point last = SteadyClock::now();
  while (true) {
    {
      MutexLock lock(mutex_);
      if (!stopping_) wake_.WaitFor(mutex_, options_.period_ms);
      if (stopping_) return;
    }
    const std::chrono::duration<double> elapsed = SteadyClock::now() - last;
    last = SteadyClock::now();
    Known now;
    const SchemaPtr schema = schema_();
    for (const auto& [name, keyspace] : schema->keyspaces) {
      for (const auto& [table_name, table] : keyspace->tables) {
        if (IsRange(*table)) LookAt(table, elapsed.count(), now);
      }
    }
    known_ = std::move(now);
  }
}

void PartitionBalancer::LookAt(const TablePtr& table, double seconds, Known& now) {
  const std::vector<PartitionStats> stats = storage_.Partitions(*table);
  if (stats.size() != table->partition_map.size()) return;  // The table has just changed.
  const int64_t operations_max = SplitOperations(*table, options_);
  for (size_t i = 0; i < stats.size(); ++i) {
    if (stats[i].id != table->partition_map[i].id) return;
    const std::pair key(table->storage_id, stats[i].id);
    Seen& seen = now[key];
    seen.operations = stats[i].reads + stats[i].writes;
    const auto before = known_.find(key);
    if (before == known_.end()) continue;
    seen.one_value_bytes = before->second.one_value_bytes;
    seen.failures = before->second.failures;
    seen.retry_at = before->second.retry_at;
    const double rate = static_cast<double>(seen.operations - before->second.operations) / std::max(seconds, 0.001);
    seen.busy = rate > static_cast<double>(operations_max) ? before->second.busy + 1 : 0;
    seen.idle = rate < static_cast<double>(operations_max) / kMergePart;
  }
  if (!SplitOne(table, stats, now)) MergeOne(table, stats, now);
}

bool PartitionBalancer::SplitOne(const TablePtr& table, const std::vector<PartitionStats>& stats, Known& now) {
  const int64_t bytes_max = SplitBytes(*table, options_);
  for (size_t i = 0; i < stats.size(); ++i) {
    Seen& seen = now.at({table->storage_id, stats[i].id});
    if (stats[i].bytes <= bytes_max && seen.busy < kBusyLooks) continue;
    if (seen.one_value_bytes > 0 && stats[i].bytes < 2 * seen.one_value_bytes) continue;
    if (seen.failures > 0 && SteadyClock::now() < seen.retry_at) continue;
    const Result<Bytes> middle = FindMiddle(storage_, *table, i, [this] { return Stopping(); });
    if (!middle.ok()) {
      seen.Failed();
      continue;
    }
    if (middle->empty()) {
      seen.one_value_bytes = std::max<int64_t>(stats[i].bytes, 1);
      continue;
    }
    const Result<bool> changed = change_(table, SplitPartition(*table, i, *middle, /*automatic=*/true));
    if (!changed.ok()) seen.Failed();
    return changed.ok() && *changed;
  }
  return false;
}

bool PartitionBalancer::MergeOne(const TablePtr& table, const std::vector<PartitionStats>& stats, const Known& now) {
  const int64_t bytes_max = SplitBytes(*table, options_) / kMergePart;
  for (size_t i = 1; i < stats.size(); ++i) {
    if (!table->partition_map[i].automatic || stats[i].bytes + stats[i - 1].bytes > bytes_max) continue;
    const bool idle =
        now.at({table->storage_id, stats[i].id}).idle && now.at({table->storage_id, stats[i - 1].id}).idle;
    if (!idle) continue;
    const Result<bool> changed = change_(table, MergePartition(*table, i));
    return changed.ok() && *changed;
  }
  return false;
}

}  // namespace widerow
