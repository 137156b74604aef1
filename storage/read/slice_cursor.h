// Reads a Slice once. It reads the partitions in the order of their positions; those of a KeyRange can also be read in
// reverse order. In each partition it reads the static row and then the rows, forward or backward, restricted to
// clustering ranges. Each extent of a table is read as one piece, because extents have different storage ids. An
// ordinary row costs one step of the cursor, one comparison and the decoding.
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
  Status SkipAlike(size_t prefix_bytes) override;

 private:
  // The partitions that are read, and their order. The rows in a partition may have another order (direction_).
  enum class Partitions : uint8_t { kOne, kAscending, kDescending };
  enum class State : uint8_t {
    kSeekPartition,  // Seek to seek_.
    // The cursor is on the first key of a partition or, if it reads partitions backward, on the last key. The partition
    // may be beyond the current piece.
    kAtPartition,
    kPieceDone,  // Go to the next piece.
    kStatic,     // In a partition, before its static row.
    kRange,      // In a partition, before ranges_[range_].
    kInRange,    // On a row that has been returned. Run() handles this state, not Step().
    kMoved,      // SkipAlike() has moved the cursor, with the result moved_. Run() handles this state, too.
    kDone,
  };
  // A range of keys that is read in one pass: [begin, end). A KeyRange has one for each extent that it touches.
  struct Piece {
    Bytes begin, end;
  };
  struct Range {
    Bytes begin;  // An encoded clustering, like `end`.
    std::optional<Bytes> end;
    bool exact = false;
  };

  SliceCursor(ReadSource& source, const Slice& slice, lmdb::Cursor cursor);
  bool forward() const { return direction_ == Direction::kForward; }
  bool one_partition() const { return partitions_ == Partitions::kOne; }
  bool scans_back() const { return partitions_ == Partitions::kDescending; }

  void AddPieces(const Slice::KeyRange& range);
  void SeekPiece();  // Seeks to pieces_[piece_]. If there is none, ends the pass.
  void StartAtResumePoint();
  // Sets piece_ to the piece that contains `key`, and `inside` to true. If no piece contains `key`, sets piece_ to the
  // next piece to read, and `inside` to false. Returns false if no piece is left.
  bool FindPiece(ByteView key, bool& inside);
  void EnterPartition() {
    dead_rows_ = 0;
    if (source_.any_tombstones) cover_ = source_.CoverOf(prefix_);
  }
  // Finds rows and calls `take` for each until `take` returns false. Returns false if no row is left.
  template <typename Take>
  Result<bool> Run(RowView& row, const Take& take);
  // Does one step of state_, which is neither kInRange nor kMoved. Returns true if it has filled `row`, and false if it
  // has only changed state_.
  Result<bool> Step(RowView& row);
  // Enters the partition that the cursor is on. Returns false if that partition is beyond the current piece.
  Result<bool> FindPartition();
  bool EnterNext();
  Result<bool> ReadStatic(RowView& row);
  Result<bool> SeekRange();
  void NextRange();
  void LeavePartition();
  bool InRange(ByteView key) const;
  Result<bool> Fill(RowView& row);
  bool FillPlain(RowView& row);
  Result<bool> AfterMove(lmdb::Rc rc, RowView& row);
  // Reports the dead rows of the current partition to the purge ledger, if there are many.
  void NoteDeadRows();

  ReadSource& source_;
  const TablePtr table_;
  // True if there is no overlay and no dropped column. Then a plain record is returned without a call of Filter.
  const bool nothing_filtered_;
  const bool want_statics_;
  const bool shows_dead_;
  const Direction direction_;  // The order of the rows in a partition.
  const Partitions partitions_;
  std::vector<Piece> pieces_;  // In the order of reading; empty for one partition.
  size_t piece_ = 0;
  std::vector<Range> ranges_;  // In the order of reading; empty if only static rows are wanted.
  std::optional<Slice::ResumePoint> resume_;
  bool resuming_ = false;  // True while the cursor is in the partition of resume_.

  Arena arena_;
  RowReader reader_;
  MergedCursor cursor_;
  State state_ = State::kSeekPartition;
  Bytes seek_;
  lmdb::Rc moved_ = lmdb::Rc::NotFound();
  Bytes alike_;   // The beginning of the keys that SkipAlike() passes.
  Bytes prefix_;  // The current partition's prefix.
  PartitionCover cover_;
  Bytes partition_key_;
  size_t range_ = 0;
  Bytes range_begin_, range_end_;  // The keys of the current range: [begin, end).
  uint64_t dead_rows_ = 0;         // Dead rows passed in the current partition.
  uint32_t dead_passed_ = 0;       // Dead rows passed after the last one that was shown (Slice::shows_dead).
  // True if the cursor is on the first key of the partition or, if it reads backward, on the last key.
  bool positioned_ = false;
};

}  // namespace widerow
