#include "exec/heat/busy_partitions.h"

#include <algorithm>
#include <utility>

namespace widerow {

void BusyPartitions::Place(size_t at, BusyPartition partition) {
  place_[partition.hash] = at;
  heap_[at] = std::move(partition);
}

void BusyPartitions::Rise(size_t at) {
  BusyPartition moved = std::move(heap_[at]);
  for (; at > 0 && moved.operations < heap_[(at - 1) / 2].operations; at = (at - 1) / 2) {
    Place(at, std::move(heap_[(at - 1) / 2]));
  }
  Place(at, std::move(moved));
}

void BusyPartitions::Sink(size_t at) {
  BusyPartition moved = std::move(heap_[at]);
  while (true) {
    size_t child = 2 * at + 1;
    if (child >= heap_.size()) break;
    if (child + 1 < heap_.size() && heap_[child + 1].operations < heap_[child].operations) ++child;
    if (moved.operations <= heap_[child].operations) break;
    Place(at, std::move(heap_[child]));
    at = child;
  }
  Place(at, std::move(moved));
}

void BusyPartitions::Add(uint64_t hash, ByteView key, const BusyPartition& done) {
  operations_ += done.operations;
  const auto known = place_.find(hash);
  size_t at = known == place_.end() ? heap_.size() : known->second;
  if (known == place_.end()) {
    if (heap_.size() < kKeptMax) {
      heap_.push_back({.hash = hash, .key = Bytes(key)});
      place_[hash] = at;
      Rise(at);
      at = place_[hash];
    } else {
      at = 0;
      const uint64_t least = heap_[0].operations;
      place_.erase(heap_[0].hash);
      Place(0, {.hash = hash, .key = Bytes(key), .operations = least, .error = least});
    }
  }
  BusyPartition& partition = heap_[at];
  partition.operations += done.operations;
  partition.reads += done.reads;
  partition.writes += done.writes;
  partition.bytes += done.bytes;
  partition.micros += done.micros;
  Sink(at);
}

std::vector<BusyPartition> BusyPartitions::List() const {
  std::vector<BusyPartition> out = heap_;
  std::sort(out.begin(), out.end(), [](const BusyPartition& a, const BusyPartition& b) {
    return a.operations != b.operations ? a.operations > b.operations : a.key < b.key;
  });
  return out;
}

void BusyPartitions::Clear() {
  heap_.clear();
  place_.clear();
  operations_ = 0;
}

}  // namespace widerow
