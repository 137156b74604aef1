// The rows of a SELECT one by one. It opens the slices that the access path names, joins static rows to the rows of
// their partition, drops rows that are not live or do not pass the filter, and applies the limits. It knows its
// position, so that a page can end after any row. Used by one thread. All rows shown come from one view (a snapshot,
// ReadView), even if rows are written meanwhile. A ReadWatch ends reads that hold a view for too long.
//
// Rows are passed to a visitor, and ForEach is a template: a stored row reaches the answer with one call through a
// pointer. For the access path MergedPartitions there is another class, MergeScan. RowScan and MergeScan share
// ScanView, ScanFilter and RowLimits.
#pragma once

#include <algorithm>

#include "exec/scan/bound_access.h"
#include "exec/scan/paging_scope.h"
#include "exec/scan/row_limits.h"
#include "exec/scan/scan_filter.h"
#include "exec/scan/scan_position.h"
#include "exec/scan/scan_view.h"
#include "storage/arena.h"

namespace widerow {

// A part of a scan of the table by tokens, for another RowScan of the same plan, on any thread.
struct ScanPart {
  Slice::TokenRange tokens;
  std::unique_ptr<ReadView> view;
};

class RowScan {
 public:
  // Borrows everything but `options`.
  RowScan(const SelectPlan& plan, StorageEngine& storage, const ViewOpener& open_view, const ScanOptions& options);
  ~RowScan();
  // Binds the access path and moves to the place that `paging_state` names, where an earlier page stopped; empty: to
  // the beginning. Must be called once, before ForEach. Errors: those of DecodePagingState, and ForeignPagingState if
  // the statement cannot have a page that ends at this place.
  Status Open(ByteView paging_state);
  // Opens a part of another scan, which Divide has made. Called instead of Open.
  Status OpenPart(ScanPart part);

  // Returns the view that an open scan reads.
  ReadView& view() { return *view_; }
  // True if an open scan has no row that can match.
  bool reads_nothing() const { return access_.reads_nothing(); }
  bool names_partitions() const { return access_.names_partitions(); }
  // Returns the tokens that an open scan of the table reads; nullopt if it reads certain partitions, or none.
  std::optional<Slice::TokenRange> tokens() const;
  // Divides tokens() among this scan, which keeps the first part, and `others` more. All parts show the same moment,
  // which may be later than the one that Open chose. The result is empty, and this scan keeps all tokens, if commits to
  // the data file prevented that. Must be called before ForEach.
  Result<std::vector<ScanPart>> Divide(unsigned others);

  // Sets the function that asks for the memory of the rows' large values (ScannedRow::SetRoom).
  void SetRoom(ScannedRow::AskForRoom ask) { filter_.row().SetRoom(std::move(ask)); }

  // Passes the rows to `visit` until `visit` sets `stop` or fails, or there are no more rows. A row is valid only
  // during its call of `visit`. A later call of ForEach continues after the last row shown.
  template <typename Visitor>  // Status(ScannedRow& row, bool& stop)
  Status ForEach(const Visitor& visit);
  // True if the page has to end at Position() although it could hold more rows (ScanOptions::page_rows).
  bool ended_early() const { return view_.page_ended(); }
  // Returns the position after the row last shown. Meaningful only if a row has been shown.
  PagingState Position() const;
  // Returns the place to which Open has moved; nullopt: the beginning.
  const std::optional<PagingState>& from() const { return from_; }
  // Encodes `state`, a position in this scan, as a paging state for the client.
  Bytes Encoded(const PagingState& state) const { return EncodePagingState(state, ScopeOf(plan_, access_)); }
  // True if it is known without reading that no row follows the row last shown.
  bool exhausted() const { return limits_.rows_left == 0 || (in_last_partition() && position_.PartitionDone(table_)); }
  // True if the statement names partitions, and the scan reads the last of them.
  bool in_last_partition() const;
  // Returns the encoded clustering of the row last shown; empty for a row of static content only.
  ByteView clustering() const { return position_.at_statics ? ByteView() : ByteView(row_.clustering); }
  ByteView partition() const { return position_.partition; }
  // Skips the rest of the current partition. Called by the visitor.
  void LeavePartition() { position_.Skip(); }
  // Skips the rows after the current one in which only the last clustering column is different. Some or all of them may
  // be shown nevertheless. Called by the visitor.
  void SkipAlike() { position_.SkipAlike(); }

 private:
  using State = ScanPosition::State;
  // The greatest number of index entries gathered at once.
  static constexpr uint64_t kRowsWantedMax = 20'000;

  Status Begin();
  Status GoTo(const PagingState& from);
  // Makes the scan continue in the partition of `from`. Returns false if no rows of this partition are left or wanted;
  // the scan then continues with the next partition, or ends. kInvalid if the statement names its partitions, and this
  // partition is not among them.
  Result<bool> FindPartition(const PagingState& from);
  uint64_t RowsWanted() const { return std::min({limits_.rows_left, rows_expected_, kRowsWantedMax}); }
  // Opens the next slice; false if there are no more.
  Result<bool> OpenNextSlice();
  // Each OpenNext opens the next slice of one form of access. `slice` has what all forms share.
  Result<bool> OpenNext(NoRows& rows, Slice& slice);
  Result<bool> OpenNext(PartitionsByKey& partitions, Slice& slice);
  Result<bool> OpenNext(PartitionsByToken& partitions, Slice& slice);
  Result<bool> OpenNext(KeyRanges& keys, Slice& slice);
  Result<bool> OpenNext(MergedKeyRanges& keys, Slice& slice);
  Result<bool> OpenNext(RowsByIndex& rows, Slice& slice);
  Result<bool> OpenInOrder(RowsByIndex& rows, Slice& slice);
  Result<bool> OpenNearestRows(RowsByIndex& rows, Slice& slice);
  void ReadPartitions(const RowsByIndex& rows, Slice& slice) const;
  Result<bool> OpenPoint(const Bytes& key, ByteView clustering);
  Result<bool> OpenSlice(Slice& slice);
  // Opens `count` views that show the same moment as the scan's own view. If this fails because a fold commits
  // meanwhile, it replaces the scan's own view by a newer one and tries again. After several tries, the result is
  // empty.
  Result<std::vector<std::unique_ptr<ReadView>>> OpenSameViews(unsigned count);

  // Handles the cursor's current row. False if the cursor must stop.
  template <typename Visitor>
  bool TakeRow(const Visitor& visit);
  template <typename Visitor>
  void EndPartition(const Visitor& visit);
  template <typename Visitor>
  void Show(const Visitor& visit, bool static_only);
  // Checks whether the view may be kept. If not, it fails, ends the page, or continues with another view.
  Status LookAtView();
  Status RenewView();
  Status ReadStatics();
  // Does what SkipAlike has asked for.
  Status MoveToOther();
  void BeginPartition(ByteView key);
  // Reports the reads of the current partition to the meter.
  void EndMetered();
  void Fail(Error error) {
    failure_ = std::move(error);
    stopped_ = true;
  }

  const SelectPlan& plan_;
  const TableSchema& table_;
  StorageEngine& storage_;
  ScanMeter* const meter_;
  const int64_t now_seconds_;
  const uint64_t rows_expected_;  // The rows that the visitor will probably take.
  ScanFilter filter_;
  ScanView view_;

  BoundAccess access_;
  RowLimits limits_;
  std::optional<PagingState> from_;
  std::optional<Slice::ResumePoint> resume_;  // Where the next slice begins; nullopt: at its first row.
  std::optional<OrderPlace> order_after_;     // The place after which the next slice in the order of an index begins.
  std::unique_ptr<RowCursor> cursor_;         // Borrows from access_ and view_.
  OrderedCursor* ordered_ = nullptr;          // cursor_, if it reads in the order of an index.
  ScanPosition position_;
  RowView row_, point_static_;
  Arena point_room_;          // What row_ borrows if it was read without a cursor.
  bool row_pending_ = false;  // True if row_ has not been handled yet.
  bool stopped_ = false;      // True if ForEach must stop, because of the visitor, failure_ or the page's early end.
  Status failure_;
  std::optional<PartitionReads> reads_;  // The reads of the current partition; set if there is a meter.
};

template <typename Visitor>
Status RowScan::ForEach(const Visitor& visit) {
  stopped_ = false;
  while (!stopped_ && limits_.rows_left > 0) {
    if (row_pending_) {
      row_pending_ = false;
      TakeRow(visit);
      continue;
    }
    if (cursor_ == nullptr) {
      WR_ASSIGN_OR_RETURN(const bool opened, OpenNextSlice());
      if (!opened) break;
      continue;
    }
    if (position_.state == State::kSkipping) {
      WR_RETURN_IF_ERROR(cursor_->SkipPartition());
      position_.state = State::kOutside;
    } else if (position_.state == State::kLeaving) {
      WR_RETURN_IF_ERROR(MoveToOther());
    }
    WR_ASSIGN_OR_RETURN(const bool more, cursor_->ForEach(row_, [&] { return TakeRow(visit); }));
    if (!more) {
      cursor_.reset();
      EndPartition(visit);
    } else if (view_.due() && !stopped_ && !row_pending_) {
      WR_RETURN_IF_ERROR(LookAtView());
    }
  }
  return std::exchange(failure_, OkStatus());
}

template <typename Visitor>
bool RowScan::TakeRow(const Visitor& visit) {
  if (!access_.by_key() && (!position_.inside() || row_.partition_key != position_.partition)) {
    EndPartition(visit);
    if (stopped_ || limits_.rows_left == 0) {
      row_pending_ = true;  // EndPartition has shown a row of the previous partition, and row_ must wait.
      return false;
    }
    BeginPartition(row_.partition_key);
  }
  view_.CountRow();
  if (reads_ && !row_.empty()) [[unlikely]]
    reads_->Count(row_);
  if (position_.state == State::kUnwanted) [[unlikely]] {
    if (table_.clustering_size > 0) position_.Skip();
    return position_.state == State::kUnwanted && !view_.due();
  }
  if (row_.is_static) [[unlikely]] {
    position_.statics.Assign(row_);
  } else {
    ScannedRow& row = filter_.row();
    row.Reset(position_.partition, &row_, position_.statics.present() ? &position_.statics.view() : nullptr);
    if (row.RowLive()) {
      position_.rows_seen = true;
      Show(visit, false);
    } else if (row_.empty()) {
      view_.CountDeadRows();
    }
  }
  return !stopped_ && position_.state == State::kReading && limits_.rows_left > 0 && !view_.due();
}

// Shows a partition whose only live content is static as one row, if the query selects whole partitions.
template <typename Visitor>
void RowScan::EndPartition(const Visitor& visit) {
  if (!position_.inside()) return;
  position_.state = State::kOutside;
  const StaticRow& statics = position_.statics;
  if (position_.rows_seen || !statics.present() || !access_.whole_partitions()) return;
  filter_.row().Reset(statics.view().partition_key, nullptr, &statics.view());
  if (filter_.row().StaticsLive()) Show(visit, true);
}

// Shows the filter's row to `visit` if it passes.
template <typename Visitor>
void RowScan::Show(const Visitor& visit, bool static_only) {
  if (!filter_.empty()) {
    Result<bool> accepted = filter_.Accept();
    if (!accepted.ok()) return Fail(std::move(accepted).error());
    if (!*accepted) return;
  }
  if (meter_ != nullptr) [[unlikely]]
    ++meter_->rows_accepted;
  position_.Show(static_only);
  --limits_.rows_left;
  if (Status shown = visit(filter_.row(), stopped_); !shown.ok()) [[unlikely]]
    Fail(std::move(shown).error());
}

}  // namespace widerow
