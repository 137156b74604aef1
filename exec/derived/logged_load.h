// A bulk load into a table with indexes or views: rows go the way of every write, a few hundred at a time, so that what is derived of
// them is kept in step.
#pragma once

#include <atomic>

#include "storage/engine.h"

namespace widerow {

class LoggedLoad final : public BulkLoad {
 public:
  // `storage` outlives it.
  LoggedLoad(StorageEngine& storage, size_t lanes) : storage_(storage), lanes_(lanes) {}

  Status Add(size_t lane, const PartitionMutation& mutation) override;
  bool full() const override { return false; }
  uint64_t entries() const override { return entries_.load(std::memory_order_relaxed); }
  Status Store(const std::function<void(uint64_t)>& progress) override;

 private:
  // What one write takes: the log has bounds (storage/log/log_format.h), and so has what it may hold up others.
  static constexpr size_t kRowsInWrite = 256, kBytesInWrite = 4u << 20;
  struct Lane {
    Mutation gathered;
    size_t bytes = 0;
  };
  Status WriteLane(Lane& lane);

  StorageEngine& storage_;
  std::vector<Lane> lanes_;
  std::atomic<uint64_t> entries_{0};  // Since the last Store.
};

}  // namespace widerow
