// Finds the busiest partitions in bounded memory with the Space-Saving algorithm: an unknown partition replaces the
// least busy one and starts with its count. A partition with more than 1/kKeptMax of all operations is always in the
// list. One thread at a time.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <vector>

#include "base/bytes.h"

namespace widerow {

struct BusyPartition {
  uint64_t hash = 0;                   // Hash of the key; identifies the partition.
  Bytes key;                           // In stored form.
  uint64_t operations = 0, error = 0;  // At most `error` of the operations belong to other partitions.
  uint64_t reads = 0, writes = 0, bytes = 0, micros = 0;  // Since it entered the list.
};

class BusyPartitions {
 public:
  static constexpr size_t kKeptMax = 128;

  // Counts the operations, reads, writes, bytes and time of `done` for this partition.
  void Add(uint64_t hash, ByteView key, const BusyPartition& done);
  // Returns the partitions, busiest first.
  std::vector<BusyPartition> List() const;
  uint64_t operations() const { return operations_; }
  void Clear();

 private:
  void Rise(size_t at);
  void Sink(size_t at);
  void Place(size_t at, BusyPartition partition);

  std::vector<BusyPartition> heap_;  // The least busy first.
  absl::flat_hash_map<uint64_t, size_t> place_;
  uint64_t operations_ = 0;
};

}  // namespace widerow
