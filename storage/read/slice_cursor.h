// One pass over a Slice: the partitions in order of position (for a KeyRange also in reverse order); in each partition
// its static row, then its rows, forward or backward, restricted to clustering ranges. Each extent of a table is read
// as one piece, because extents have different storage ids. An ordinary row costs one cursor step, one comparison and
// the decoding.
#pragma once

#include "storage/read/merged_cursor.h"
#include "storage/read/row_reader.h"
#include "storage/storage_engine.h"

namespace widerow {

class SliceCursor final : public RowCursor {
 public:
  static Result<std::unique_ptr<RowCursor>> Open(ReadSource& source, const Slice& slice);
  ~SliceCursor() override;

  Result<bool> Next(RowView& row) override;
  Result<bool> ForEach(RowView& row, const std::function<bool()>& take) override;
  Status SkipPartition() override;

 private:
  // The partitions that are read, and their order. Their rows may have another order: see direction_.
  enum class Partitions : uint8_t { kOne, kAscending, kDescending };
  enum class State : uint8_t {
    kSeekPartition,  // Seek to seek_.
    // The cursor is on a key of the next partition, if there is one: on its first key, or backward on its last.
    kAtPartition,
    kPieceDone,  // Go to the next piece.
    kStatic,     // In a partition, before its static row.
    kRange,      // In a partition, before ranges_[range_].
    kInRange,    // On a row that has been returned. Run() moves on by itself.
    kDone,
  };
  // Keys in [begin, end).
  struct Piece {
    Bytes begin, end;
  };
  struct Range {
    Bytes begin;  // Encoded clusterings.
    std::optional<Bytes> end;
    bool exact = false;
  };

  SliceCursor(ReadSource& source, const Slice& slice, lmdb::Cursor cursor);
  bool forward() const { return direction_ == Direction::kForward; }
  bool one_partition() const { return partitions_ == Partitions::kOne; }
  bool scans_back() const { return partitions_ == Partitions::kDescending; }

  void AddPieces(const Slice::KeyRange& range);
  void SeekPiece();  // Seeks to pieces_[piece_], or ends.
  void StartAtResumePoint();
  // Sets piece_ to the piece that contains `key`, or else to the next piece to read. Sets `inside` to true if piece_
  // contains `key`. False if no piece is left.
  bool FindPiece(ByteView key, bool& inside);
  void EnterPartition() {
    dead_rows_ = 0;
    if (source_.any_tombstones) cover_ = source_.CoverOf(prefix_);
  }
  // Finds rows and calls `take` for each, until `take` returns false. False: no row is left.
  template <typename Take>
  Result<bool> Run(RowView& row, const Take& take);
  // Does one step of state_, which is not kInRange. False: no row yet, state_ has changed.
  Result<bool> Step(RowView& row);
  // Enters the partition under the cursor. False if the piece has ended.
  Result<bool> FindPartition();
  Result<bool> ReadStatic(RowView& row);
  Result<bool> SeekRange();
  void NextRange();
  void LeavePartition();
  bool InRange(ByteView key) const;
  Result<bool> Fill(RowView& row);
  bool FillPlain(RowView& row);
  Result<bool> AfterMove(lmdb::Rc rc, RowView& row);
  // Reports the dead rows of the partition that is left, if they are many.
  void NoteDeadRows();

  ReadSource& source_;
  const TablePtr table_;
  // No overlay and no dropped columns: a plain record can be returned without Filter.
  const bool nothing_filtered_;
  const bool want_statics_;
  const bool shows_dead_;
  const Direction direction_;  // The order of the rows in a partition.
  const Partitions partitions_;
  std::vector<Piece> pieces_;  // In the order of reading; empty for one partition.
  size_t piece_ = 0;
  std::vector<Range> ranges_;  // In the order of reading; empty if only static rows are wanted.
  std::optional<Slice::ResumePoint> resume_;
  bool resuming_ = false;  // True in the partition of resume_, until it is left.

  Arena arena_;
  RowReader reader_;
  MergedCursor cursor_;
  State state_ = State::kSeekPartition;
  Bytes seek_;
  Bytes prefix_;  // The current partition's prefix.
  PartitionCover cover_;
  Bytes partition_key_;
  size_t range_ = 0;
  Bytes range_begin_, range_end_;  // Keys [begin, end) of the current range.
  uint64_t dead_rows_ = 0;         // Dead rows passed in the current partition.
  uint32_t dead_passed_ = 0;       // Dead rows passed after the one that was shown last.
  // The cursor is on the partition's first key; backward: on its last key.
  bool positioned_ = false;
};

}  // namespace widerow
