// Locks of rows. Writes that depend on the row, or change it in several steps, hold its lock alone. Other puts share
// it. Rows whose keys have the same hash have one lock. Thread-safe.
#pragma once

#include <array>
#include <functional>
#include <shared_mutex>

#include "base/bytes.h"

namespace widerow::hbase {

class RowLocks {
 public:
  std::shared_mutex& Of(ByteView table, ByteView row) {
    const size_t hash = std::hash<ByteView>()(row) ^ (std::hash<ByteView>()(table) * 31);
    return locks_[hash % locks_.size()];
  }

 private:
  std::array<std::shared_mutex, 1'024> locks_;
};

}  // namespace widerow::hbase
