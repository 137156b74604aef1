// Several slices of one table as one sequence of rows in order: a cursor a slice, all over one view, and the least row first.
// Rows that are equal in order come in the order of their slices. One thread.
#pragma once

#include <span>
#include <vector>

#include "storage/engine.h"

namespace widerow {

class SliceMerger {
 public:
  enum class Order : uint8_t {
    kClustering,  // Of slices of one partition each: by clustering.
    kPartition,   // By partition key as it is stored, then clustering.
  };
  // kPartition: `key_skip` leading bytes of partition keys, such as the number of a partition, do not count. Backward means that
  // partitions, too, go backwards.
  SliceMerger(Order order, Direction direction, size_t key_skip = 0)
      : order_(order), forward_(direction == Direction::kForward), key_skip_(key_skip) {}

  // Reads the first row of each slice. They want no static rows, and have the merger's direction. Forgets what was open before.
  // `view` outlives the next Open or the merger.
  Status Open(ReadView& view, std::span<const Slice> slices);
  void Close();

  // The row at hand, good until the next call; null: there are no more.
  const RowView* row() const { return heap_.empty() ? nullptr : &heads_[heap_[0]].row; }
  size_t slice() const { return heap_[0]; }  // The row's, as an index into Open's.
  // To the next row. There is one at hand.
  Status Next();
  // To the next row of another slice: nothing more is wanted of this one.
  void DropSlice();

 private:
  struct Head {
    std::unique_ptr<RowCursor> cursor;
    RowView row;
    uint64_t first = 0, second = 0;  // The first 16 bytes of what is compared: most rows differ in them.
  };
  ByteView KeyOf(const Head& head) const {
    return order_ == Order::kClustering ? head.row.clustering : head.row.partition_key.substr(key_skip_);
  }
  void TakeWords(Head& head) const;
  bool ComesBefore(uint32_t left, uint32_t right) const;
  bool DiffersBehindWords(uint32_t left, uint32_t right) const;
  void SiftDown(size_t at);

  const Order order_;
  const bool forward_;
  const size_t key_skip_;
  std::vector<Head> heads_;
  std::vector<uint32_t> heap_;  // Of heads that have a row; the one that comes first at the front.
};

}  // namespace widerow
