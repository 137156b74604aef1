// The rows of a SELECT whose partition key is derived from several values (MergedPartitions). It reads all partitions
// at once and merges them in clustering order, as if they were one partition. It has the same interface as RowScan,
// which serves the other access paths.
//
// If the values of a choice come in sequence (windows of the leading clustering column), the partitions form groups,
// which are opened one after the other: a LIMIT opens no more groups than it needs. All rows shown come from one view,
// as with RowScan. One thread.
#pragma once

#include <chrono>

#include "exec/scan/row_scan.h"
#include "exec/scan/slice_merger.h"

namespace widerow {

class MergeScan {
 public:
  // Borrows everything but `watch`, `context` and `now_seconds`. `meter` may be null.
  MergeScan(const SelectPlan& plan, StorageEngine& storage, const ViewOpener& open_view, const ReadWatch& watch,
            EvaluationContext context, int64_t now_seconds, ScanMeter* meter);
  ~MergeScan();
  // Binds the partitions and moves to `from`, where an earlier page stopped. Must be called before the first ForEach.
  Status Open(std::optional<PagingState> from);

  // The functions below have the meaning that they have in RowScan.
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
  void LeavePartition() {}  // No effect: the partition's rows are between rows of other partitions.
  ByteView clustering() const { return at_static_only_ ? ByteView() : ByteView(merger_.row()->clustering); }
  ByteView partition() const { return groups_[group_][*at_].key; }

 private:
  struct Partition {
    Bytes key;
    std::vector<ClusteringRange> ranges;  // Ascending; empty: all rows.
    // Set while the partition's group is open:
    StaticRow statics;
    uint64_t rows_left = kAllRows;  // Rows that PER PARTITION LIMIT leaves.
    uint64_t read_rows = 0, read_bytes = 0;
    Bytes first_clustering;
  };
  using Group = std::vector<Partition>;

  Status BindGroups();
  Status AddPartition(const EvaluationContext& context, Group& group);
  // Opens the current group. Reading starts at `from` if that is set and in this group.
  Status OpenGroup(const PagingState* from);
  Status ReadStatics(Group& group, const PagingState* from);
  Result<bool> HasLiveRow(const Partition& partition);
  void CloseGroup();
  Status Advance();
  // See RowScan::LookAtView; for the row shown last.
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
  bool all_rows_ = true;                                // No restriction on the clustering.
  std::optional<std::vector<ClusteringRange>> ranges_;  // The ranges of every partition, unless ranges_vary_.
  bool ranges_vary_ = false;
  size_t group_ = 0;
  bool group_open_ = false;
  std::vector<size_t> opened_;       // The group's partitions that merger_ reads.
  std::vector<size_t> static_only_;  // Partitions without a live row but with live statics: shown first.
  size_t next_static_only_ = 0;
  std::optional<PagingState> from_;
  SliceMerger merger_;
  std::unique_ptr<ReadView> view_;
  std::optional<size_t> at_;  // The partition of the current row, which has been shown.
  bool at_static_only_ = false;
  uint32_t examined_ = 0;
  size_t touched_ = 0;  // Groups 0 to touched_ - 1 have been opened.
  uint64_t rows_left_ = kAllRows, partition_limit_ = kAllRows;
  uint64_t page_rows_left_ = kAllRows;  // The value of rows_left_ when the page began.
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
      if (meter_ != nullptr) [[unlikely]]
        MeterRow(partition, *row);
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

// Shows row_ to `visit` if it passes the filter.
template <typename Visitor>
Status MergeScan::Show(const Visitor& visit, bool& stopped) {
  if (!plan_.filter.empty()) {
    WR_ASSIGN_OR_RETURN(const bool accepted, Accept());
    if (!accepted) return OkStatus();
  }
  if (meter_ != nullptr) [[unlikely]]
    ++meter_->rows_accepted;
  --groups_[group_][*at_].rows_left;
  --rows_left_;
  return visit(row_, stopped);
}

}  // namespace widerow
