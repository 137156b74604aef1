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
  static constexpr size_t kRowsInWrite = 256;

  StorageEngine& storage_;
  std::vector<Mutation> lanes_;
  std::atomic<uint64_t> entries_{0};  // Since the last Store.
};

}  // namespace widerow
