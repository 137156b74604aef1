// The rows of a SELECT one by one. It opens the slices that the access path names, joins static rows to the rows of
// their partition, drops rows that are not live or do not pass the filter, and applies the limits. It knows its
// position, so that a page can end after any row. One thread. All rows shown come from one view, whatever is written
// meanwhile; a ReadWatch ends reads that hold a view for too long.
//
// Rows are passed to a visitor, and ForEach is a template: a stored row reaches the answer with one call through a
// pointer.
#pragma once

#include <chrono>

#include "exec/derived/index_cursor.h"
#include "exec/meter/scan_meter.h"
#include "exec/rows/paging.h"
#include "exec/rows/scanned_row.h"
#include "exec/session/read_watch.h"
#include "planner/access/key_ranges.h"
#include "planner/plan.h"
#include "storage/engine.h"

namespace widerow {

class RowScan {
 public:
  // Borrows `plan`, `storage`, `open_view` and `meter`. The scan sets `context.row`. `meter` may be null.
  RowScan(const SelectPlan& plan, StorageEngine& storage, const ViewOpener& open_view, const ReadWatch& watch,
          EvaluationContext context, int64_t now_seconds, ScanMeter* meter);
  ~RowScan();
  // Tells the scan that the visitor will probably take at most `rows` rows. Must be called before Open.
  void Expect(uint64_t rows) { expected_ = rows; }
  // Binds the access path and moves to `from`, where an earlier page stopped. Must be called before the first ForEach.
  Status Open(std::optional<PagingState> from);
  // The tokens that an open scan of the table reads; nullopt if it reads certain partitions, or none.
  std::optional<Slice::TokenRange> tokens() const {
    const bool of_tokens = table_.partitioning.by_token() && !by_partition_ && !by_key_ && !by_index_ && !nothing_;
    return of_tokens ? std::optional(tokens_) : std::nullopt;
  }
  // Restricts the scan to `tokens`, a part of tokens() of this scan, which is open, or of another scan of the same
  // plan. The scan then reads the table, not an index.
  void Narrow(const Slice::TokenRange& tokens) { tokens_ = *(narrowed_ = tokens); }
  // These three serve parallel scans by tokens. OpenSameView opens another view of the scan's moment; the result is
  // null if that moment is no longer available. OpenViewAnew moves a scan that has shown no rows to a new moment.
  // UseView gives Open the view to use.
  Result<std::unique_ptr<ReadView>> OpenSameView() { return view_->OpenSame(); }
  Status OpenViewAnew();
  void UseView(std::unique_ptr<ReadView> view) { view_ = std::move(view); }
  // Declares that the rows form a page. If the view must be given up, the page ends, or continues with another view if
  // it has shown no rows yet. Without this call, giving up the view is an error. Must be called after Open.
  void ShowsPage() {
    page_rows_left_ = rows_left_;
    shows_page_ = watch_.of_present();
  }
  // True if the page has to end at Position() although it could hold more rows.
  bool ended_early() const { return ended_early_; }

  // Passes the rows to `visit` until `visit` sets `stop` or fails, or there are no more rows. A row is valid during its
  // call. A later call continues after the last row shown.
  template <typename Visitor>  // Status(ScannedRow& row, bool& stop)
  Status ForEach(const Visitor& visit);
  // The position after the row last shown. Meaningful only if a row has been shown.
  PagingState Position() const;
  // The encoded clustering of the row last shown; empty for a row of static content only.
  ByteView clustering() const { return last_was_static_only_ ? ByteView() : ByteView(view_row_.clustering); }
  ByteView partition() const { return partition_; }
  // These two switch off LIMIT and PER PARTITION LIMIT. Must be called after Open.
  void IgnoreLimit() { rows_left_ = kAllRows; }
  void IgnorePartitionLimit() {
    if (!plan_.distinct) partition_limit_ = partition_rows_left_ = kAllRows;
  }
  // Skips the rest of the current partition. Called by the visitor.
  void LeavePartition() { partition_done_ = true; }

 private:
  static constexpr uint32_t kRowsPerLook = ReadWatch::kRowsPerLook;
  // The greatest number of index entries gathered at once.
  static constexpr uint64_t kRowsWantedMax = 20'000;

  Status BindAccess();
  Status GoTo(const PagingState& from);
  Status BindKeyScan(const KeyRangeScan& scan);
  Status BindIndexScan(const IndexScan& scan);
  // Decides which index to read, or to read the table itself.
  Status ChooseIndex(const IndexScan& scan);
  // Tests the filter on a few of the table's rows. True if the result suggests that more than `most` of `table_rows`
  // rows pass.
  Result<bool> ManyPass(uint64_t table_rows, uint64_t most);
  uint64_t RowsWanted() const {
    const uint64_t limit = plan_.aggregated || plan_.group_by ? kAllRows : rows_left_;
    return std::min<uint64_t>({limit, expected_, kRowsWantedMax});
  }
  Result<bool> OpenKeySlice(Slice slice);
  Status BindPartitions(const std::vector<KeyValues>& keys, const ClusteringSelection& clustering);
  Result<bool> OpenNextSlice();
  Result<bool> OpenPoint(const Bytes& key);
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
  void BeginPartition(ByteView key);
  Result<bool> Accept();
  Result<bool> AcceptTimed();
  // Both feed meter_: MeterRow after each row read, EndMetered after each partition.
  void MeterRow();
  void EndMetered();
  void Fail(Error error) {
    failure_ = std::move(error);
    stopped_ = true;
  }

  const SelectPlan& plan_;
  const TableSchema& table_;
  StorageEngine& storage_;
  const ViewOpener& open_view_;
  ReadWatch watch_;
  EvaluationContext context_;
  const RowLayout layout_;
  const bool filtered_;
  ScannedRow row_;

  // The access path, bound to values.
  bool nothing_ = false;                  // The access path can match no row.
  bool by_partition_ = false;             // Reads keys_ one by one; otherwise tokens_ or, by_key_, key_ranges_.
  bool by_key_ = false, merged_ = false;  // merged_: reads all key_ranges_ at once, in key order.
  std::vector<Bytes> keys_;
  size_t next_key_ = 0;
  std::vector<ClusteringRange> ranges_;
  bool all_rows_ = true;  // No restriction on the clustering.
  Slice::TokenRange tokens_;
  std::optional<Slice::TokenRange> narrowed_;
  std::vector<StoredKeyRange> key_ranges_;
  bool by_index_ = false;
  std::vector<BoundLookup> lookups_;
  size_t lookup_ = 0;  // Index of the lookup that is read.
  EntryBounds entries_;
  const int64_t now_seconds_;
  size_t next_range_ = 0;
  // by_tokens_: of the partitions found by key, only those in tokens_ count. wanted_: the current partition does.
  bool by_tokens_ = false, wanted_ = true;
  bool scan_opened_ = false;
  std::optional<Slice::ResumePoint> resume_;

  // The current position.
  std::unique_ptr<ReadView> view_;
  std::unique_ptr<RowCursor> cursor_;
  RowView view_row_, point_static_;
  bool row_pending_ = false;  // view_row_ has not been handled yet.
  bool stopped_ = false;      // By the visitor, by failure_, or because the page ends early.
  bool shows_page_ = false, ended_early_ = false;
  Status failure_;
  bool in_partition_ = false;
  Bytes partition_;
  StaticRow statics_;
  bool rows_seen_ = false;       // This partition has had a live row.
  bool partition_done_ = false;  // The rest of this partition is skipped.
  bool last_was_static_only_ = false;
  uint32_t examined_ = 0;
  // kAllRows without a limit. A DISTINCT takes one row of each partition.
  uint64_t rows_left_ = kAllRows, partition_limit_ = kAllRows, partition_rows_left_ = kAllRows;
  uint64_t expected_ = kAllRows;
  uint64_t page_rows_left_ = kAllRows;  // The value of rows_left_ when the page began.
  std::chrono::steady_clock::time_point started_;

  ScanMeter* const meter_;
  struct {
    bool begun = false;
    uint64_t rows = 0, bytes = 0;
    Bytes clustering;  // The first row's clustering.
  } metered_;          // The current partition.
};

template <typename Visitor>
Status RowScan::ForEach(const Visitor& visit) {
  stopped_ = false;
  while (!stopped_ && rows_left_ > 0) {
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
    if (partition_done_ && in_partition_) {
      WR_RETURN_IF_ERROR(cursor_->SkipPartition());
      in_partition_ = false;
      partition_done_ = false;
    }
    WR_ASSIGN_OR_RETURN(const bool more, cursor_->ForEach(view_row_, [&] { return TakeRow(visit); }));
    if (!more) {
      cursor_.reset();
      EndPartition(visit);
    } else if (examined_ >= kRowsPerLook && !stopped_ && !row_pending_) {
      WR_RETURN_IF_ERROR(LookAtView());
    }
  }
  return std::exchange(failure_, OkStatus());
}

template <typename Visitor>
bool RowScan::TakeRow(const Visitor& visit) {
  if (!by_partition_ && (!in_partition_ || view_row_.partition_key != partition_)) {
    EndPartition(visit);
    if (stopped_ || rows_left_ == 0) {
      row_pending_ = true;  // The previous partition had only static content: its row was shown first.
      return false;
    }
    BeginPartition(view_row_.partition_key);
  }
  ++examined_;
  if (meter_ != nullptr) [[unlikely]]
    MeterRow();
  if (!wanted_) [[unlikely]] {
    partition_done_ = table_.clustering_size > 0;
    return !partition_done_ && examined_ < kRowsPerLook;
  }
  if (view_row_.is_static) [[unlikely]] {
    statics_.Assign(view_row_);
  } else {
    row_.Reset(partition_, &view_row_, statics_.present() ? &statics_.view() : nullptr);
    if (row_.RowLive()) {
      rows_seen_ = true;
      Show(visit, false);
    }
  }
  return !stopped_ && !partition_done_ && rows_left_ > 0 && examined_ < kRowsPerLook;
}

// Shows a partition whose only live content is static as one row, if the query selects whole partitions.
template <typename Visitor>
void RowScan::EndPartition(const Visitor& visit) {
  if (!in_partition_) return;
  in_partition_ = false;
  if (rows_seen_ || !statics_.present() || !all_rows_) return;
  row_.Reset(statics_.view().partition_key, nullptr, &statics_.view());
  if (row_.StaticsLive()) Show(visit, true);
}

// Shows row_ to `visit` if it passes the filter.
template <typename Visitor>
void RowScan::Show(const Visitor& visit, bool static_only) {
  if (filtered_) {
    Result<bool> accepted = meter_ == nullptr || !meter_->times_filter ? Accept() : AcceptTimed();
    if (!accepted.ok()) return Fail(std::move(accepted).error());
    if (!*accepted) return;
  }
  if (meter_ != nullptr) [[unlikely]]
    ++meter_->rows_accepted;
  last_was_static_only_ = static_only;
  partition_done_ = static_only || --partition_rows_left_ == 0;
  --rows_left_;
  if (Status shown = visit(row_, stopped_); !shown.ok()) [[unlikely]]
    Fail(std::move(shown).error());
}

}  // namespace widerow
