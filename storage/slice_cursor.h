// One pass over a Slice: partitions in position order, in each its static row and then its rows, forward or backward,
// restricted to clustering ranges. Ordinary rows cost one cursor step, one comparison and the decoding.
#pragma once

#include "storage/engine.h"
#include "storage/merged_cursor.h"
#include "storage/row_reader.h"

namespace widerow {

class SliceCursor final : public RowCursor {
 public:
  static Result<std::unique_ptr<RowCursor>> Open(ReadSource& source, const Slice& slice);
  ~SliceCursor() override;

  Result<bool> Next(RowView& row) override;
  Result<bool> ForEach(RowView& row, const std::function<bool()>& take) override;
  Status SkipPartition() override;

 private:
  enum class State : uint8_t {
    kSeekPartition,  // seek_ says from where.
    kAtPartition,    // The cursor is on a key that may begin the next partition.
    kStatic,         // In a partition; the static row comes next.
    kRange,          // ranges_[range_] comes next.
    kInRange,        // The cursor is on a row that has been returned.
    kDone,
  };
  struct Range {
    Bytes begin;  // Encoded clusterings.
    std::optional<Bytes> end;
    bool exact = false;
  };

  SliceCursor(ReadSource& source, const Slice& slice, lmdb::Cursor cursor);
  bool forward() const { return direction_ == Direction::kForward; }

  void StartAtResumePoint();
  void EnterPartition() {
    if (source_.any_tombstones) cover_ = source_.CoverOf(prefix_);
  }
  Result<bool> Step(RowView& row);  // False: nothing to return yet, state_ has moved on.
  Result<bool> FindPartition();     // The cursor is somewhere; sets prefix_ or ends.
  Result<bool> ReadStatic(RowView& row);
  Result<bool> SeekRange();
  void NextRange();
  void LeavePartition();
  bool InRange(ByteView key) const;
  Result<bool> Fill(RowView& row);
  bool FillPlain(RowView& row);
  Result<bool> AfterMove(lmdb::Rc rc, RowView& row);

  ReadSource& source_;
  const TablePtr table_;
  const bool nothing_filtered_;  // No overlay, no dropped columns: records are read as they are.
  const bool want_statics_, want_rows_;
  const Direction direction_;
  const bool one_partition_;
  Bytes last_head_;            // Storage id and last position: partitions beyond are not ours.
  std::vector<Range> ranges_;  // In the order of reading.
  std::optional<Slice::ResumePoint> resume_;
  bool resuming_ = false;  // In the partition of resume_.

  Arena arena_;
  RowReader reader_;
  MergedCursor cursor_;
  State state_ = State::kSeekPartition;
  Bytes seek_;
  Bytes prefix_;  // Of the current partition.
  PartitionCover cover_;
  Bytes partition_key_;
  size_t range_ = 0;
  Bytes range_begin_, range_end_;  // Keys: [begin, end).
  bool positioned_ = false;        // The cursor is on the partition's first key ≥ its beginning.
};

}  // namespace widerow
