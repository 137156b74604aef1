// A bulk load into a table with indexes or views. Rows are written as ordinary writes, a few hundred at a time, so that
// derived rows are kept up to date. If one of these rows is refused, the others are written nevertheless.
#pragma once

#include <atomic>

#include "storage/storage_engine.h"

namespace widerow {

class LoggedLoad final : public BulkLoad {
 public:
  // `storage` must outlive the load.
  LoggedLoad(StorageEngine& storage, size_t lanes) : storage_(storage), lanes_(lanes) {}

  Status Add(size_t lane, const PartitionMutation& mutation) override;
  bool full() const override { return false; }
  uint64_t entries() const override { return entries_.load(std::memory_order_relaxed); }
  Status Store(const std::function<void(uint64_t)>& progress) override;

 private:
  // The limits of one write. They are below those of the log (storage/log/log_format.h), and limit the delay for other
  // writes.
  static constexpr size_t kRowsInWrite = 256, kBytesInWrite = 4u << 20;
  struct Lane {
    Mutation gathered;
    size_t bytes = 0;
  };
  Status WriteLane(Lane& lane);

  StorageEngine& storage_;
  std::vector<Lane> lanes_;
  std::atomic<uint64_t> entries_{0};  // The number of rows added since the last Store.
};

}  // namespace widerow
