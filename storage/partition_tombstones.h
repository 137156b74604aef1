// What deletes rows of one partition as far as a memtable knows: a deletion of the whole, and range tombstones.
#pragma once

#include <memory>
#include <vector>

#include "storage/row_codec.h"

namespace widerow {

// Immutable once it is in a memtable; copying shares the tombstones.
class PartitionTombstones {
 public:
  void Add(const DeletionTime& partition_deletion);
  void Add(const RangeTombstone& added);

  const DeletionTime& partition() const { return partition_; }
  // In order, not overlapping.
  const std::vector<std::shared_ptr<const RangeTombstone>>& ranges() const { return ranges_; }
  // The newest deletion over a row, the partition's included.
  DeletionTime Covering(ByteView clustering) const;

 private:
  DeletionTime partition_;
  std::vector<std::shared_ptr<const RangeTombstone>> ranges_;
};

}  // namespace widerow
