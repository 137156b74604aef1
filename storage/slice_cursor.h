// One pass over a Slice: partitions in position order (of a KeyRange also backwards), in each its static row and then its rows,
// forward or backward, restricted to clustering ranges. A table with extents is read piece by piece: each lies under its own
// storage id. Ordinary rows cost one cursor step, one comparison and the decoding.
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
    kAtPartition,    // The cursor is on a key of the next partition, if there is one: its first, or backwards its last.
    kPieceDone,      // The next piece comes.
    kStatic,         // In a partition; the static row comes next.
    kRange,          // ranges_[range_] comes next.
    kInRange,        // The cursor is on a row that has been returned.
    kDone,
  };
  // Keys in [begin, end).
  struct Piece { Bytes begin, end; };
  struct Range {
    Bytes begin;  // Encoded clusterings.
    std::optional<Bytes> end;
    bool exact = false;
  };

  SliceCursor(ReadSource& source, const Slice& slice, lmdb::Cursor cursor);
  bool forward() const { return direction_ == Direction::kForward; }

  void AddPieces(const Slice::KeyRange& range);
  void SeekPiece();  // pieces_[piece_], or the end.
  void StartAtResumePoint();
  // Where it lies; where reading is to begin if it lies nowhere. False: nothing is left.
  bool FindPiece(ByteView key, bool& inside);
  void EnterPartition() {
    dead_rows_ = 0;
    if (source_.any_tombstones) cover_ = source_.CoverOf(prefix_);
  }
  Result<bool> Step(RowView& row);  // False: nothing to return yet, state_ has moved on.
  Result<bool> FindPartition();     // The cursor is somewhere; sets prefix_, or the piece has ended.
  Result<bool> ReadStatic(RowView& row);
  Result<bool> SeekRange();
  void NextRange();
  void LeavePartition();
  bool InRange(ByteView key) const;
  Result<bool> Fill(RowView& row);
  bool FillPlain(RowView& row);
  Result<bool> AfterMove(lmdb::Rc rc, RowView& row);
  // Of the partition that is left.
  void NoteDeadRows();

  ReadSource& source_;
  const TablePtr table_;
  const bool nothing_filtered_;  // No overlay, no dropped columns: records are read as they are.
  const bool want_statics_, want_rows_;
  const Direction direction_;
  const bool one_partition_;
  const bool scans_back_;      // Partitions in descending order.
  std::vector<Piece> pieces_;  // In the order of reading; none for one partition.
  size_t piece_ = 0;
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
  uint64_t dead_rows_ = 0;         // Passed in the current partition.
  bool positioned_ = false;        // The cursor is on the partition's first key ≥ its beginning; backwards: on its last.
};

}  // namespace widerow
