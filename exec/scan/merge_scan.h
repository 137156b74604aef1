// The rows of a SELECT whose partition key is derived from several values (MergedPartitions): all partitions at once, merged in
// clustering order, as if they were one. What RowScan is for other access paths, with the same ways of use.
//
// Where values of a choice come in sequence (windows of the leading clustering column), their partitions form groups, which are
// opened one after the other: a LIMIT opens no more of them than it needs. All rows that it shows are of one view, as RowScan's.
#pragma once

#include <chrono>

#include "exec/scan/row_scan.h"
#include "exec/scan/slice_merger.h"

namespace widerow {

class MergeScan {
 public:
  // Borrows everything.
  MergeScan(const SelectPlan& plan, StorageEngine& storage, const ViewOpener& open_view, const ReadWatch& watch,
            EvaluationContext context, int64_t now_seconds, ScanMeter* meter);
  ~MergeScan();
  // Binds the partitions and goes to `from`, where an earlier page stopped. Before the first ForEach.
  Status Open(std::optional<PagingState> from);

  // As RowScan's.
  template <typename Visitor>  // Status(ScannedRow& row, bool& stop)
  Status ForEach(const Visitor& visit);
  PagingState Position() const;
  void IgnoreLimit() { rows_left_ = kAllRows; }
  void IgnorePartitionLimit();
  void ShowsPage() {  // After Open.
    page_rows_left_ = rows_left_;
    shows_page_ = watch_.of_present();
  }
  bool ended_early() const { return ended_early_; }
  void LeavePartition() {}  // Its rows go on coming: they lie between others.
  ByteView clustering() const { return at_static_only_ ? ByteView() : ByteView(merger_.row()->clustering); }
  ByteView partition() const { return groups_[group_][*at_].key; }

 private:
  struct Partition {
    Bytes key;
    std::vector<ClusteringRange> ranges;  // Ascending; empty: all rows.
    // While its group is open:
    StaticRow statics;
    uint64_t rows_left = kAllRows;        // Of PER PARTITION LIMIT.
    uint64_t read_rows = 0, read_bytes = 0;
    Bytes first_clustering;
  };
  using Group = std::vector<Partition>;

  Status BindGroups();
  Status AddPartition(const EvaluationContext& context, Group& group);
  // Opens the group at hand, from `from` on if that is a place in it.
  Status OpenGroup(const PagingState* from);
  Status ReadStatics(Group& group, const PagingState* from);
  Result<bool> HasLiveRow(const Partition& partition);
  void CloseGroup();
  Status Advance();
  // As RowScan's, behind the row at hand.
  Status LookAtView();
  Result<bool> Accept();
  void MeterRow(Partition& partition, const RowView& row);
  template <typename Visitor>
  Status Show(const Visitor& visit, bool& stopped);

  const SelectPlan& plan_;
  const TableSchema& table_;
  StorageEngine& storage_;
  const ViewOpener& open_view_;
  ReadWatch watch_;
  EvaluationContext context_;
  const RowLayout layout_;
  ScannedRow row_;
  ScanMeter* const meter_;

  std::vector<Group> groups_;
  bool all_rows_ = true;                     // No restriction on the clustering.
  std::optional<std::vector<ClusteringRange>> ranges_;  // Of every partition, unless they vary.
  bool ranges_vary_ = false;
  size_t group_ = 0;
  bool group_open_ = false;
  std::vector<size_t> opened_;               // Of the group's partitions, those that the merger has a slice of.
  std::vector<size_t> static_only_;          // Those without a live row, but with live statics: they come first.
  size_t next_static_only_ = 0;
  std::optional<PagingState> from_;
  SliceMerger merger_;
  std::unique_ptr<ReadView> view_;
  std::optional<size_t> at_;                 // The partition of the row at hand, which has been shown.
  bool at_static_only_ = false;
  uint32_t examined_ = 0;
  size_t touched_ = 0;                       // Groups that have been opened: 0 to touched_.
  uint64_t rows_left_ = kAllRows, partition_limit_ = kAllRows;
  uint64_t page_rows_left_ = kAllRows;       // What rows_left_ was when the page began.
  bool shows_page_ = false, ended_early_ = false;
  const std::chrono::steady_clock::time_point started_;
};

template <typename Visitor>
Status MergeScan::ForEach(const Visitor& visit) {
  bool stopped = false;
  while (!stopped && !ended_early_ && rows_left_ > 0) {
    if (at_) {
      WR_RETURN_IF_ERROR(Advance());
      continue;
    }
    if (!group_open_) {
      if (group_ >= groups_.size()) break;
      WR_RETURN_IF_ERROR(OpenGroup(from_ ? &*from_ : nullptr));
      from_.reset();
    }
    Group& group = groups_[group_];
    at_static_only_ = next_static_only_ < static_only_.size();
    if (at_static_only_) {
      at_ = static_only_[next_static_only_++];
      row_.Reset(group[*at_].key, nullptr, &group[*at_].statics.view());
    } else if (const RowView* const row = merger_.row(); row != nullptr) {
      at_ = opened_[merger_.slice()];
      Partition& partition = group[*at_];
      ++examined_;
      if (meter_ != nullptr) [[unlikely]] MeterRow(partition, *row);
      row_.Reset(partition.key, row, partition.statics.present() ? &partition.statics.view() : nullptr);
      if (!row_.RowLive()) continue;
    } else {
      CloseGroup();
      ++group_;
      continue;
    }
    WR_RETURN_IF_ERROR(Show(visit, stopped));
  }
  return OkStatus();
}

// row_, if it passes the filter.
template <typename Visitor>
Status MergeScan::Show(const Visitor& visit, bool& stopped) {
  if (!plan_.filter.empty()) {
    WR_ASSIGN_OR_RETURN(const bool accepted, Accept());
    if (!accepted) return OkStatus();
  }
  if (meter_ != nullptr) [[unlikely]] ++meter_->rows_accepted;
  --groups_[group_][*at_].rows_left;
  --rows_left_;
  return visit(row_, stopped);
}

}  // namespace widerow
