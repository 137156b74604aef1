// The tombstones of one partition in a memtable: a deletion of the whole partition, and range tombstones.
#pragma once

#include <memory>
#include <vector>

#include "storage/format/row_codec.h"

namespace widerow {

// Immutable once it is in a memtable. A copy shares the range tombstones.
class PartitionTombstones {
 public:
  // Keeps the newer deletion of the partition, and drops range tombstones that it deletes.
  void Add(const DeletionTime& partition_deletion);
  void Add(const RangeTombstone& added);

  const DeletionTime& partition() const { return partition_; }
  // In order; they do not overlap.
  const std::vector<std::shared_ptr<const RangeTombstone>>& ranges() const { return ranges_; }
  // Returns the newest deletion over a row: of the partition or of a range.
  DeletionTime Covering(ByteView clustering) const;

 private:
  DeletionTime partition_;
  std::vector<std::shared_ptr<const RangeTombstone>> ranges_;
};

}  // namespace widerow
