// The partitions that most operations fall on, found while they come, in bounded memory (the Space-Saving algorithm: an unknown
// one takes the place of the least busy and begins with its count). One that has more than 1/kKeptMax of all operations is
// always among them. One thread at a time.
#pragma once

#include <unordered_map>
#include <vector>

#include "base/bytes.h"

namespace widerow {

struct BusyPartition {
  uint64_t hash = 0;      // Of the key: what tells partitions apart here.
  Bytes key;              // As storage has it.
  uint64_t operations = 0, error = 0;  // Of them, `error` at most may be others'.
  uint64_t reads = 0, writes = 0, bytes = 0, micros = 0;  // Since it is known.
};

class BusyPartitions {
 public:
  static constexpr size_t kKeptMax = 128;

  void Add(uint64_t hash, ByteView key, const BusyPartition& done);
  // Busiest first.
  std::vector<BusyPartition> List() const;
  uint64_t operations() const { return operations_; }
  void Clear();

 private:
  void Rise(size_t at);
  void Sink(size_t at);
  void Place(size_t at, BusyPartition partition);

  std::vector<BusyPartition> heap_;  // The least busy first.
  std::unordered_map<uint64_t, size_t> place_;
  uint64_t operations_ = 0;
};

}  // namespace widerow
