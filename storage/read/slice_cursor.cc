// The constructor makes pieces_ (key ranges) and ranges_ (clustering ranges) from the slice, both in the order of
// reading. Run() runs the state machine of State. Step() seeks a partition, reads its static row, and seeks each range.
// AfterMove() examines the key under the cursor, and returns its row or leaves the range. Run() itself does what is
// frequent: after a move of the cursor inside a range, or with EnterNext() from the end of a partition to the first row
// of the next one, it tries FillPlain(), which decodes a plain INSERT without a call of RowReader::Read. The cursor
// counts the dead rows that it passes in each partition, and reports them to the purge ledger.
#include "storage/read/slice_cursor.h"

#include "base/overloaded.h"
#include "storage/format/damage.h"

namespace widerow {
namespace {

constexpr char kRowKind = static_cast<char>(RecordKind::kRow);
constexpr char kPastRows = kRowKind + 1;
// A byte that is greater than every RecordKind. A partition prefix with this byte appended is the end of the
// partition's keys.
constexpr char kPastKinds = static_cast<char>(kLastKind) + 1;
// A read that passes this many dead rows of a partition reports the partition to the sweeper.
constexpr uint64_t kDeadRowsNotedMin = 1'000;

// True if key < other. Compares whole words, without a call, because keys are short and most differ near their end.
bool KeyLess(ByteView key, ByteView other) {
  const size_t common = std::min(key.size(), other.size());
  size_t at = 0;
  for (; at + sizeof(uint64_t) <= common; at += sizeof(uint64_t)) {
    const auto left = ReadBigEndian<uint64_t>(key.data() + at), right = ReadBigEndian<uint64_t>(other.data() + at);
    if (left != right) return left < right;
  }
  return ByteView(key.data() + at, key.size() - at) < ByteView(other.data() + at, other.size() - at);
}

// True if partitions are read in descending order. Tokens are always read in ascending order.
bool ReadsPartitionsBackward(const Slice& slice) {
  return std::holds_alternative<Slice::KeyRange>(slice.partitions) && slice.direction == Direction::kBackward;
}

Error ReadFailure(lmdb::Rc rc, const TableSchema& table) { return lmdb::ToError(rc, OfTable("reading rows", table)); }

}  // namespace

Result<std::unique_ptr<RowCursor>> SliceCursor::Open(ReadSource& source, const Slice& slice) {
  WR_ASSIGN_OR_RETURN(lmdb::Cursor cursor, source.TakeCursor());
  return std::unique_ptr<RowCursor>(new SliceCursor(source, slice, std::move(cursor)));
}

SliceCursor::SliceCursor(ReadSource& source, const Slice& slice, lmdb::Cursor cursor)
    : source_(source),
      table_(slice.table),
      nothing_filtered_(source.overlay() == nullptr && slice.table->dropped_columns.empty()),
      want_statics_(slice.want_statics),
      shows_dead_(slice.shows_dead),
      direction_(slice.direction),
      partitions_(std::holds_alternative<Slice::OnePartition>(slice.partitions) ? Partitions::kOne
                  : ReadsPartitionsBackward(slice)                              ? Partitions::kDescending
                                                                                : Partitions::kAscending),
      resume_(slice.resume),
      reader_(source, *table_, arena_),
      cursor_(std::move(cursor), source) {
  for (const ClusteringRange& range : slice.clustering) {
    Range own{range.begin, range.end, range.exact};
    if (own.exact) own.end = own.begin + '\0';
    ranges_.push_back(std::move(own));
  }
  if (ranges_.empty()) ranges_.push_back({});
  if (!slice.want_rows) ranges_.clear();
  if (!forward()) std::reverse(ranges_.begin(), ranges_.end());
  std::visit(Overloaded{[&](const Slice::OnePartition& one) {
                          AppendPartitionPrefix(*table_, one.partition_key, prefix_);
                          partition_key_ = one.partition_key;
                          EnterPartition();
                          state_ = want_statics_ ? State::kStatic : State::kRange;
                        },
                        [&](const Slice::TokenRange& tokens) {
                          Bytes id;
                          AppendStorageId(table_->storage_id, id);
                          pieces_.push_back({id + PositionOfToken(tokens.first),
                                             SuccessorOfPrefix(id + PositionOfToken(tokens.last))});
                          if (tokens.first > tokens.last) pieces_.clear();
                          SeekPiece();
                        },
                        [&](const Slice::KeyRange& range) {
                          AddPieces(range);
                          SeekPiece();
                        }},
             slice.partitions);
  if (resume_.has_value() && state_ != State::kDone) StartAtResumePoint();
}

SliceCursor::~SliceCursor() {
  NoteDeadRows();
  source_.GiveBack(std::move(cursor_).Release());
}

void SliceCursor::AddPieces(const Slice::KeyRange& range) {
  static const std::vector<Extent> kWhole(1);
  const Bytes first = PositionOfKey(range.first);
  const Bytes end = range.end.has_value() ? PositionOfKey(*range.end) : SuccessorOfPrefix(PositionOfKey({}));
  const std::vector<Extent>& extents = table_->partitioning.extents.empty() ? kWhole : table_->partitioning.extents;
  for (size_t i = 0; i < extents.size(); ++i) {
    const Bytes& from = std::max(first, extents[i].first_position);
    const Bytes& to = i + 1 == extents.size() ? end : std::min(end, extents[i + 1].first_position);
    const bool whole = table_->partitioning.extents.empty();
    if (from >= to || (!whole && extents[i].storage_id == 0)) continue;
    Bytes id;
    AppendStorageId(whole ? table_->storage_id : extents[i].storage_id, id);
    pieces_.push_back({id + from, id + to});
  }
  if (scans_back()) std::reverse(pieces_.begin(), pieces_.end());
}

void SliceCursor::SeekPiece() {
  if (piece_ == pieces_.size()) {
    state_ = State::kDone;
    return;
  }
  seek_ = scans_back() ? pieces_[piece_].end : pieces_[piece_].begin;
  state_ = State::kSeekPartition;
}

bool SliceCursor::FindPiece(ByteView key, bool& inside) {
  // Compares positions, not whole keys, because the partition may have got another storage id after the previous page
  // was read.
  const auto position = [](ByteView whole) { return whole.substr(sizeof(StorageId)); };
  // If the end of a piece has only a storage id, the piece has no upper bound for positions.
  const auto before_end = [&](const Piece& piece) {
    return piece.end.size() <= sizeof(StorageId) || position(key) < position(piece.end);
  };
  for (piece_ = 0; piece_ < pieces_.size(); ++piece_) {
    const Piece& piece = pieces_[piece_];
    const bool from_begin = position(piece.begin) <= position(key);
    inside = from_begin && before_end(piece);
    if (scans_back() ? from_begin : before_end(piece)) return true;
  }
  return false;
}

void SliceCursor::StartAtResumePoint() {
  prefix_.clear();
  AppendPartitionPrefix(*table_, resume_->partition_key, prefix_);
  partition_key_ = resume_->partition_key;
  if (!one_partition()) {
    bool inside = false;
    if (!FindPiece(prefix_, inside) || !inside) return SeekPiece();
  }
  if (resume_->partition_done) {
    LeavePartition();
    return;
  }
  EnterPartition();
  resuming_ = !resume_->after_static;
  state_ = State::kRange;
}

template <typename Take>
inline Result<bool> SliceCursor::Run(RowView& row, const Take& take) {
  while (state_ != State::kDone) {
    if (state_ == State::kInRange || state_ == State::kMoved) [[likely]] {
      const lmdb::Rc rc = state_ == State::kMoved ? moved_ : forward() ? cursor_.Next() : cursor_.Previous();
      const bool in_range = rc.ok() && (InRange(cursor_.key()) || EnterNext());
      if (in_range && FillPlain(row)) [[likely]] {
        state_ = State::kInRange;
      } else {
        WR_ASSIGN_OR_RETURN(const bool found, AfterMove(rc, row));
        if (!found) continue;
      }
    } else {
      WR_ASSIGN_OR_RETURN(const bool found, Step(row));
      if (!found) continue;
    }
    if (!take()) return true;
  }
  return false;
}

Result<bool> SliceCursor::Next(RowView& row) {
  return Run(row, [] { return false; });
}

Result<bool> SliceCursor::ForEach(RowView& row, const std::function<bool()>& take) { return Run(row, take); }

Result<bool> SliceCursor::Step(RowView& row) {
  switch (state_) {
    case State::kSeekPartition: {
      const lmdb::Rc rc = scans_back() ? cursor_.SeekBefore(seek_) : cursor_.SeekAtOrAfter(seek_);
      if (rc.failed()) return ReadFailure(rc, *table_);
      state_ = rc.ok() ? State::kAtPartition : State::kPieceDone;
      return false;
    }
    case State::kAtPartition: {
      WR_ASSIGN_OR_RETURN(const bool found, FindPartition());
      if (!found) state_ = State::kPieceDone;
      return false;
    }
    case State::kPieceDone:
      ++piece_;
      SeekPiece();
      return false;
    case State::kStatic: return ReadStatic(row);
    case State::kRange: {
      WR_ASSIGN_OR_RETURN(const bool found, SeekRange());
      if (!found) return false;
      return AfterMove(lmdb::Rc::Done(), row);
    }
    case State::kMoved:
    case State::kInRange:
    case State::kDone: return false;
  }
  return false;
}

Result<bool> SliceCursor::FindPartition() {
  const ByteView key = cursor_.key();
  const Piece& piece = pieces_[piece_];
  if (scans_back() ? key < ByteView(piece.begin) : key >= ByteView(piece.end)) return false;
  const size_t size = ReadPartitionPrefix(key, partition_key_);
  if (size == 0) return ServerError("Damaged key in the data file: 0x" + ToHex(key));
  prefix_.assign(key.substr(0, size));
  EnterPartition();
  positioned_ = true;
  resuming_ = false;
  range_ = 0;
  state_ = want_statics_ ? State::kStatic : State::kRange;
  return true;
}

// Enters the partition that the cursor is on, if the scan reads whole partitions, and if the key is that of a row; the
// partition then has no static row. The result is the same as that of AfterMove() and several calls of Step(), which
// take longer than reading a row. Returns false, and changes only partition_key_, if these have to be called.
bool SliceCursor::EnterNext() {
  const bool whole = ranges_.size() == 1 && ranges_[0].begin.empty() && !ranges_[0].end;
  if (partitions_ != Partitions::kAscending || !forward() || !whole) return false;
  const ByteView key = cursor_.key();
  if (key >= ByteView(pieces_[piece_].end)) return false;
  const size_t size = ReadPartitionPrefix(key, partition_key_);
  if (size == 0 || key[size] != kRowKind) return false;
  NoteDeadRows();
  prefix_.assign(key.substr(0, size));
  EnterPartition();
  range_end_.assign(prefix_).push_back(kPastRows);
  return true;
}

Result<bool> SliceCursor::ReadStatic(RowView& row) {
  state_ = State::kRange;
  range_begin_.assign(prefix_);
  AppendKind(RecordKind::kStatic, range_begin_);
  RowVersions versions;
  const lmdb::Rc rc = source_.Get(range_begin_, versions);
  if (rc.failed()) return ReadFailure(rc, *table_);
  if (rc.not_found()) return false;
  arena_.Clear();
  row.partition_key = partition_key_;
  row.is_static = true;
  row.clustering = {};
  WR_RETURN_IF_ERROR(reader_.Read(range_begin_, prefix_.size(), versions, cover_.OfStatic(), row));
  return !row.empty();
}

// Moves the cursor to the first row of ranges_[range_]. Returns false if the range has no row, or if no range is left.
Result<bool> SliceCursor::SeekRange() {
  if (range_ == ranges_.size()) {
    LeavePartition();
    return false;
  }
  const Range& range = ranges_[range_];
  range_begin_.assign(prefix_).push_back(kRowKind);
  range_begin_.append(range.begin);
  range_end_.assign(prefix_).push_back(range.end.has_value() ? kRowKind : kPastRows);
  if (range.end.has_value()) range_end_.append(*range.end);
  if (resuming_) {
    Bytes last = prefix_;
    last.push_back(kRowKind);
    last.append(resume_->clustering);
    if (forward()) {
      last.push_back('\0');
      if (last > range_begin_) range_begin_ = std::move(last);
    } else if (last < range_end_) {
      range_end_ = std::move(last);
    }
  }
  if (range_begin_ >= range_end_) {
    NextRange();
    return false;
  }
  // In a scan the cursor is usually on the first row of the partition already. Then no seek is needed.
  const ByteView here = positioned_ ? cursor_.key() : ByteView();
  const bool there = positioned_ && (scans_back() ? here < range_end_ && here >= range_begin_
                                                  : forward() && here >= range_begin_ && range.begin.empty());
  positioned_ = false;
  if (there) return true;
  const lmdb::Rc rc = forward() ? cursor_.SeekAtOrAfter(range_begin_) : cursor_.SeekBefore(range_end_);
  if (rc.failed()) return ReadFailure(rc, *table_);
  if (rc.not_found()) NextRange();
  return rc.ok();
}

void SliceCursor::NextRange() {
  ++range_;
  state_ = State::kRange;
}

bool SliceCursor::InRange(ByteView key) const {
  return forward() ? KeyLess(key, range_end_) : !KeyLess(key, range_begin_);
}

// Examines the key under the cursor after a move. Returns true if `row` has been filled. Returns false if the next
// range or partition has to be sought.
Result<bool> SliceCursor::AfterMove(lmdb::Rc rc, RowView& row) {
  while (true) {
    if (rc.failed()) return ReadFailure(rc, *table_);
    if (rc.ok() && InRange(cursor_.key())) [[likely]] {
      state_ = State::kInRange;
      WR_ASSIGN_OR_RETURN(const bool some, Fill(row));
      if (ranges_[range_].exact) NextRange();
      if (some || state_ != State::kInRange) return some;
      ++dead_rows_;
      if (++dead_passed_ >= Slice::kDeadRowsStep && shows_dead_) {
        dead_passed_ = 0;
        return true;
      }
      rc = forward() ? cursor_.Next() : cursor_.Previous();
      continue;
    }
    NextRange();
    const bool scans_on = !one_partition() && (forward() || scans_back()) && range_ == ranges_.size();
    if (scans_on && rc.ok() && !cursor_.key().starts_with(prefix_)) {
      NoteDeadRows();
      // The key that ended the partition is the first one of the next partition, in the order of reading.
      state_ = State::kAtPartition;
    } else if (scans_on && rc.not_found()) {
      state_ = State::kPieceDone;
    }
    return false;
  }
}

Result<bool> SliceCursor::Fill(RowView& row) {
  const ByteView key = cursor_.key();
  arena_.Clear();
  row.partition_key = partition_key_;
  row.is_static = false;
  row.clustering = key.substr(prefix_.size() + 1);
  DeletionTime covering;
  if (cover_.count != 0) [[unlikely]]
    covering = cover_.OfRow(row.clustering);
  WR_RETURN_IF_ERROR(reader_.Read(key, prefix_.size(), cursor_.versions(), covering, row));
  return !row.empty();
}

// Fills the row from a plain record, faster than Fill(). Returns false if Fill() has to read the row.
inline bool SliceCursor::FillPlain(RowView& row) {
  if (!cursor_.stored_only() || !nothing_filtered_ || cover_.count != 0) return false;
  if (!reader_.ReadPlain(cursor_.stored(), row)) return false;
  row.partition_key = partition_key_;
  row.is_static = false;
  row.clustering = cursor_.key().substr(prefix_.size() + 1);
  return true;
}

void SliceCursor::NoteDeadRows() {
  if (dead_rows_ >= kDeadRowsNotedMin) source_.ledger->AddRead(prefix_, dead_rows_);
  dead_rows_ = 0;
}

void SliceCursor::LeavePartition() {
  NoteDeadRows();
  if (one_partition()) {
    state_ = State::kDone;
    return;
  }
  seek_.assign(prefix_);
  if (!scans_back()) seek_.push_back(kPastKinds);
  state_ = State::kSeekPartition;
}

Status SliceCursor::SkipPartition() {
  const bool inside =
      state_ == State::kStatic || state_ == State::kRange || state_ == State::kInRange || state_ == State::kMoved;
  if (inside) LeavePartition();
  return OkStatus();
}

Status SliceCursor::SkipAlike(size_t prefix_bytes) {
  if (state_ != State::kInRange || !forward()) return OkStatus();
  alike_.assign(cursor_.key().substr(0, prefix_.size() + 1 + prefix_bytes));
  moved_ = cursor_.SkipPrefix(alike_);
  state_ = State::kMoved;
  return OkStatus();
}

}  // namespace widerow
