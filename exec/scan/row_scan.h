// The rows of a SELECT one by one: opens the slices its access path names, joins static rows to their partition's rows, drops
// what is not live or does not pass the filter, and keeps the limits. Knows where it stands, so that a page can end anywhere.
// One thread. All rows that it shows are of one view, whatever is written meanwhile; a ReadWatch ends reads that hold theirs for
// too long.
//
// Rows are shown to a visitor instead of handed out one by one, and that is a template: between a stored row and the answer
// lies one call through a pointer.
#pragma once

#include <chrono>

#include "exec/derived/index_cursor.h"
#include "exec/rows/paging.h"
#include "exec/session/read_watch.h"
#include "exec/meter/scan_meter.h"
#include "exec/rows/scanned_row.h"
#include "planner/access/key_ranges.h"
#include "planner/plan.h"
#include "storage/engine.h"

namespace widerow {

class RowScan {
 public:
  // Borrows everything but `from`. `context.row` is set by the scan. `meter` may be null.
  RowScan(const SelectPlan& plan, StorageEngine& storage, const ViewOpener& open_view, const ReadWatch& watch,
          EvaluationContext context, int64_t now_seconds, ScanMeter* meter);
  ~RowScan();
  // The visitor will hardly want more rows than so many. Before Open.
  void Expect(uint64_t rows) { expected_ = rows; }
  // Binds the access path and goes to `from`, where an earlier page stopped. Before the first ForEach.
  Status Open(std::optional<PagingState> from);
  // The tokens that an opened scan of the table reads; nothing if it reads certain partitions, or none.
  std::optional<Slice::TokenRange> tokens() const {
    const bool of_tokens = table_.partitioning.by_token() && !by_partition_ && !by_key_ && !by_index_ && !nothing_;
    return of_tokens ? std::optional(tokens_) : std::nullopt;
  }
  // Reads only so many of what tokens() was, of this scan once it is open or of another one of the same plan; from the table.
  void Narrow(const Slice::TokenRange& tokens) { tokens_ = *(narrowed_ = tokens); }
  // For scans by tokens in other threads. Another view of the scan's moment, null if there can be none any more; another moment
  // for the scan, which has shown nothing yet; the view that Open takes instead of opening one.
  Result<std::unique_ptr<ReadView>> OpenSameView() { return view_->OpenSame(); }
  Status OpenViewAnew();
  void UseView(std::unique_ptr<ReadView> view) { view_ = std::move(view); }
  // The rows make up a page: where the view has to be given up, the page ends, or goes on with another view if nothing has been
  // shown of it. Otherwise that is an error. After Open.
  void ShowsPage() {
    page_rows_left_ = rows_left_;
    shows_page_ = watch_.of_present();
  }
  // The page has to end here, at Position(): not all that it could hold has been looked at.
  bool ended_early() const { return ended_early_; }

  // Shows the rows to `visit`, each good during its call, until it sets `stop`, fails, or there are no more; a later call goes
  // on after the last one shown.
  template <typename Visitor>  // Status(ScannedRow& row, bool& stop)
  Status ForEach(const Visitor& visit);
  // After the row last shown. Only meaningful if there is one.
  PagingState Position() const;
  // Its encoded clustering, empty if it is a partition's static content; for putting rows of several partitions in order.
  ByteView clustering() const { return last_was_static_only_ ? ByteView() : ByteView(view_row_.clustering); }
  ByteView partition() const { return partition_; }
  // All rows, whatever LIMIT says; whatever PER PARTITION LIMIT says. After Open.
  void IgnoreLimit() { rows_left_ = kAllRows; }
  void IgnorePartitionLimit() {
    if (!plan_.distinct) partition_limit_ = partition_rows_left_ = kAllRows;
  }
  // From within a visit: nothing more of this partition.
  void LeavePartition() { partition_done_ = true; }

 private:
  static constexpr uint32_t kRowsPerLook = ReadWatch::kRowsPerLook;
  // Entries of an index that are gathered at once.
  static constexpr uint64_t kRowsWantedMax = 20'000;

  Status BindAccess();
  Status GoTo(const PagingState& from);
  Status BindKeyScan(const KeyRangeScan& scan);
  Status BindIndexScan(const IndexScan& scan);
  // Settles which index is read, or that the table itself is.
  Status ChooseIndex(const IndexScan& scan);
  // Whether so many of a few of the table's rows pass the filter that more than `most` of all seem to.
  Result<bool> ManyPass(uint64_t table_rows, uint64_t most);
  uint64_t RowsWanted() const {
    const uint64_t limit = plan_.aggregated || plan_.group_by ? kAllRows : rows_left_;
    return std::min<uint64_t>({limit, expected_, kRowsWantedMax});
  }
  Result<bool> OpenKeySlice(Slice slice);
  Status BindPartitions(const std::vector<KeyValues>& keys, const ClusteringSelection& clustering);
  Result<bool> OpenNextSlice();
  Result<bool> OpenPoint(const Bytes& key);
  // Whether to go on with the rows of the cursor.
  template <typename Visitor>
  bool TakeRow(const Visitor& visit);
  template <typename Visitor>
  void EndPartition(const Visitor& visit);
  template <typename Visitor>
  void Show(const Visitor& visit, bool static_only);
  // Whether the view may be kept. If not: fails, ends the page, or goes on with another view.
  Status LookAtView();
  Status RenewView();
  Status ReadStatics();
  void BeginPartition(ByteView key);
  Result<bool> Accept();
  Result<bool> AcceptTimed();
  // For the meter: the row at hand has been read; the partition at hand lies behind us.
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

  // What to read.
  bool nothing_ = false;                      // The access path can match no row.
  bool by_partition_ = false;                 // keys_ in turn; otherwise tokens_ or, by_key_, key_ranges_.
  bool by_key_ = false, merged_ = false;      // merged_: all of them at once, in key order.
  std::vector<Bytes> keys_;
  size_t next_key_ = 0;
  std::vector<ClusteringRange> ranges_;
  bool all_rows_ = true;                      // No restriction on the clustering.
  Slice::TokenRange tokens_;
  std::optional<Slice::TokenRange> narrowed_;
  std::vector<StoredKeyRange> key_ranges_;
  bool by_index_ = false;
  std::vector<BoundLookup> lookups_;
  size_t lookup_ = 0;                         // The one of them that is read.
  EntryBounds entries_;
  const int64_t now_seconds_;
  size_t next_range_ = 0;
  bool by_tokens_ = false, wanted_ = true;    // Of partitions found by key those in tokens_ are wanted; this one is.
  bool scan_opened_ = false;
  std::optional<Slice::ResumePoint> resume_;

  // Where we are.
  std::unique_ptr<ReadView> view_;
  std::unique_ptr<RowCursor> cursor_;
  RowView view_row_, point_static_;
  bool row_pending_ = false;                  // view_row_ is still to be taken.
  bool stopped_ = false;                      // By the visitor, by failure_, or as the page ends early.
  bool shows_page_ = false, ended_early_ = false;
  Status failure_;
  bool in_partition_ = false;
  Bytes partition_;
  StaticRow statics_;
  bool rows_seen_ = false;                    // A live row of this partition was met.
  bool partition_done_ = false;               // Nothing more is wanted of it.
  bool last_was_static_only_ = false;
  uint32_t examined_ = 0;
  // Without a limit as many as can be counted. A DISTINCT wants one row of each partition.
  uint64_t rows_left_ = kAllRows, partition_limit_ = kAllRows, partition_rows_left_ = kAllRows;
  uint64_t expected_ = kAllRows;
  uint64_t page_rows_left_ = kAllRows;        // What rows_left_ was when the page began.
  std::chrono::steady_clock::time_point started_;

  ScanMeter* const meter_;
  struct {
    bool begun = false;
    uint64_t rows = 0, bytes = 0;
    Bytes clustering;  // Of the first row.
  } metered_;  // Of the partition at hand.
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
      row_pending_ = true;  // The partition behind us had only static content: its row went first.
      return false;
    }
    BeginPartition(view_row_.partition_key);
  }
  ++examined_;
  if (meter_ != nullptr) [[unlikely]] MeterRow();
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

// A partition whose only live content is static is one row, if the query asks for whole partitions.
template <typename Visitor>
void RowScan::EndPartition(const Visitor& visit) {
  if (!in_partition_) return;
  in_partition_ = false;
  if (rows_seen_ || !statics_.present() || !all_rows_) return;
  row_.Reset(statics_.view().partition_key, nullptr, &statics_.view());
  if (row_.StaticsLive()) Show(visit, true);
}

// row_, if it passes the filter.
template <typename Visitor>
void RowScan::Show(const Visitor& visit, bool static_only) {
  if (filtered_) {
    Result<bool> accepted = meter_ == nullptr || !meter_->times_filter ? Accept() : AcceptTimed();
    if (!accepted.ok()) return Fail(std::move(accepted).error());
    if (!*accepted) return;
  }
  if (meter_ != nullptr) [[unlikely]] ++meter_->rows_accepted;
  last_was_static_only_ = static_only;
  partition_done_ = static_only || --partition_rows_left_ == 0;
  --rows_left_;
  if (Status shown = visit(row_, stopped_); !shown.ok()) [[unlikely]] Fail(std::move(shown).error());
}

}  // namespace widerow
