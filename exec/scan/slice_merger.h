// Merges several slices of one table into one sequence of rows in order, with one cursor per slice, all in one view.
// Rows that are equal in order come in the order of their slices. One thread.
#pragma once

#include <span>
#include <vector>

#include "storage/storage_engine.h"

namespace widerow {

class SliceMerger {
 public:
  enum class Order : uint8_t {
    kClustering,  // By clustering; each slice is of one partition.
    kPartition,   // By stored partition key, then clustering.
  };
  // The order kPartition ignores the first `key_skip` bytes of partition keys, such as the partition's number. The
  // direction kBackward also reverses the order of partitions.
  SliceMerger(Order order, Direction direction, size_t key_skip = 0)
      : order_(order), forward_(direction == Direction::kForward), key_skip_(key_skip) {}

  // Opens the slices and reads the first row of each. Slices must not ask for static rows, and must have the merger's
  // direction. Closes the slices opened before. `view` must outlive the next Open or the merger.
  Status Open(ReadView& view, std::span<const Slice> slices);
  void Close();

  // Returns the current row, valid until the next call; null: no more rows.
  const RowView* row() const { return heap_.empty() ? nullptr : &heads_[heap_[0]].row; }
  size_t slice() const { return heap_[0]; }  // The slice of the current row, as an index into Open's `slices`.
  // Moves to the next row. Requires a current row.
  Status Next();
  // Moves to the first row of another slice; drops the rest of the current row's slice.
  void DropSlice();

 private:
  struct Head {
    std::unique_ptr<RowCursor> cursor;
    RowView row;
    uint64_t first = 0, second = 0;  // The first 16 bytes of the sort key: most rows differ there.
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
  std::vector<uint32_t> heap_;  // Indexes of heads that have a row; the first in order is at the front.
};

}  // namespace widerow
