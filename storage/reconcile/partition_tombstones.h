// The tombstones of one partition in a memtable: a deletion of the whole partition, and range tombstones. The object is
// immutable once it is in a memtable.
#pragma once

#include "storage/reconcile/range_tombstones.h"

namespace widerow {

// The range tombstones are in levels. The tombstones of one level are in order and do not overlap; those of different
// levels may overlap. Each new tombstone is first a level of its own. Then levels are merged until each has at least
// twice as many tombstones as the next newer level. So n additions move each tombstone about log n times, and a lookup
// searches about log n levels. A copy shares the range tombstones with the original, so the copies of n versions take
// memory in proportion to n log n.
class PartitionTombstones {
 public:
  // Adds a deletion of the partition. Of the old and the new deletion the newer one is kept. Drops the range tombstones
  // that the kept one deletes.
  void Add(const DeletionTime& partition_deletion);
  void Add(RangeTombstone added);

  const DeletionTime& partition() const { return partition_; }
  // Returns the range tombstones in order, without overlaps. The time is proportional to their number.
  RangeTombstones Ranges() const;
  // Returns the number of range tombstones. Where tombstones of different levels overlap, some are counted more than
  // once.
  size_t range_count() const;
  // Returns the newest of the deletions that cover a row: the partition's and those of ranges.
  DeletionTime Covering(ByteView clustering) const;

  // Returns the bytes of the object and of its list of levels.
  size_t own_bytes() const { return sizeof *this + levels_.size() * sizeof(levels_[0]); }
  // Returns the bytes that this object, and the objects that it is a copy of, have allocated for levels and tombstones.
  size_t shared_bytes() const { return shared_bytes_; }

 private:
  struct Level {
    RangeTombstones ranges;
    int64_t newest = kNoTimestamp;  // The greatest timestamp of `ranges`.
  };
  using LevelPtr = std::shared_ptr<const Level>;
  // Merges two levels. Leaves out tombstones that partition_ deletes.
  RangeTombstones Merged(const RangeTombstones& a, const RangeTombstones& b, size_t& bytes_made) const;

  DeletionTime partition_;
  std::vector<LevelPtr> levels_;  // The oldest and largest first.
  size_t shared_bytes_ = 0;
};

}  // namespace widerow
