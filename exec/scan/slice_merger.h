// Merges several slices of one table, each of one partition, into one sequence of rows in clustering order. There is
// one cursor per slice, all in one view. Rows with the same clustering come in the order of their slices. Used by one
// thread.
#pragma once

#include <span>
#include <vector>

#include "storage/storage_engine.h"

namespace widerow {

class SliceMerger {
 public:
  explicit SliceMerger(Direction direction) : forward_(direction == Direction::kForward) {}

  // Opens the slices and reads the first row of each. Slices must not ask for static rows, and must have the merger's
  // direction. Closes the slices opened before. `view` must outlive the next Open or the merger.
  Status Open(ReadView& view, std::span<const Slice> slices);
  void Close();

  // Returns the current row, valid until the next call; null: no more rows.
  const RowView* row() const { return heap_.empty() ? nullptr : &heads_[heap_[0]].row; }
  size_t slice() const { return heap_[0]; }  // The slice of the current row, as an index into Open's `slices`.
  // Moves to the next row. Requires a current row.
  Status Next();
  // Drops the rest of the current row's slice. Moves to the next row of the other slices.
  void DropSlice();

 private:
  struct Head {
    std::unique_ptr<RowCursor> cursor;
    RowView row;
    uint64_t first = 0, second = 0;  // The first 16 bytes of the clustering: most rows differ there.
  };
  static void TakeWords(Head& head);
  bool ComesBefore(uint32_t left, uint32_t right) const;
  bool DiffersBehindWords(uint32_t left, uint32_t right) const;
  void SiftDown(size_t at);

  const bool forward_;
  std::vector<Head> heads_;
  std::vector<uint32_t> heap_;  // Indexes of heads that have a row; the first in order is at the front.
};

}  // namespace widerow
