// The rows of a SELECT whose partition key is derived from several values (MergedPartitions). MergeScan reads several
// partitions at once and merges them in clustering order, as if they were one partition. It has the same interface as
// RowScan, which serves the other access paths.
//
// If the values of a choice come in sequence (for example windows of the leading clustering column), the partitions
// form several groups, which are opened one after the other: a LIMIT opens no more groups than it needs. Otherwise all
// partitions are one group. All rows shown come from one view (a snapshot, ReadView), as with RowScan. Used by one
// thread.
#pragma once

#include "exec/scan/row_limits.h"
#include "exec/scan/scan_filter.h"
#include "exec/scan/scan_view.h"
#include "exec/scan/slice_merger.h"

namespace widerow {

class MergeScan {
 public:
  // Borrows everything but `options`.
  MergeScan(const SelectPlan& plan, StorageEngine& storage, const ViewOpener& open_view, const ScanOptions& options);
  ~MergeScan();
  // Binds the partitions and moves to the place that `paging_state` names; empty: to the beginning. Must be called
  // once, before ForEach. Errors: as RowScan::Open.
  Status Open(ByteView paging_state);

  // Sets the function that asks for the memory of the rows' large values (ScannedRow::SetRoom).
  void SetRoom(ScannedRow::AskForRoom ask) { filter_.row().SetRoom(std::move(ask)); }

  // The functions below have the meaning that they have in RowScan.
  template <typename Visitor>  // Status(ScannedRow& row, bool& stop)
  Status ForEach(const Visitor& visit);
  ReadView& view() { return *view_; }
  PagingState Position() const;
  const std::optional<PagingState>& from() const { return from_; }
  Bytes Encoded(const PagingState& state) const { return EncodePagingState(state, Scope()); }
  bool exhausted() const;
  bool in_last_partition() const { return false; }  // All partitions are read together.
  bool ended_early() const { return view_.page_ended(); }
  void LeavePartition() {}  // No effect: the partition's rows are between rows of other partitions.
  void SkipAlike() {}       // No effect, for the same reason.
  ByteView clustering() const { return at_static_only_ ? ByteView() : ByteView(merger_.row()->clustering); }
  ByteView partition() const { return groups_[group_][*at_].key; }

 private:
  struct Partition {
    Bytes key;
    std::vector<ClusteringRange> ranges;  // Ascending; empty: all rows.
    // Set while the partition's group is open:
    StaticRow statics;
    uint64_t rows_left = kAllRows;  // Rows that PER PARTITION LIMIT leaves.
    PartitionReads reads;           // Counted if there is a meter.
  };
  using Group = std::vector<Partition>;
  class RangeBinder;

  const MergedPartitions& path() const { return std::get<MergedPartitions>(plan_.access); }
  // True if the statement does not restrict the clustering.
  bool all_rows() const { return path().clustering.all(); }
  Status BindGroups();
  uint64_t Scope() const;
  // Returns the partition with this key, in any group. nullptr: no group has it yet.
  Partition* Find(ByteView key);
  // Adds to `group` the partition that the current values of the choices give. If a group already has the partition,
  // only its ranges are extended: several values of an IN list can have the same bucket.
  Status AddPartition(const EvaluationContext& context, RangeBinder& binder, Group& group);
  // Opens the current group. Reading starts at `from` if that is set and in this group.
  Status OpenGroup(const PagingState* from);
  Status ReadStatics(Group& group, const PagingState* from);
  Result<bool> HasLiveRow(const Partition& partition);
  void CloseGroup();
  Status Advance();
  // Checks whether the view may be kept, as RowScan::LookAtView does.
  Status LookAtView();
  template <typename Visitor>
  Status Show(const Visitor& visit, bool& stopped);

  const SelectPlan& plan_;
  const TableSchema& table_;
  StorageEngine& storage_;
  ScanMeter* const meter_;
  ScanFilter filter_;
  ScanView view_;

  RowLimits limits_;
  std::vector<Group> groups_;
  size_t group_ = 0;
  bool group_open_ = false;
  std::vector<size_t> opened_;       // The group's partitions that merger_ reads.
  std::vector<size_t> static_only_;  // Partitions without a live row but with live statics: shown first.
  size_t next_static_only_ = 0;
  std::optional<PagingState> from_;    // The place to which Open has moved.
  std::optional<PagingState> resume_;  // Where reading begins in the next group; nullopt: at its first row.
  SliceMerger merger_;
  std::optional<size_t> at_;  // The row handled last: the index of its partition in the current group.
  bool at_static_only_ = false;
  size_t touched_ = 0;  // Groups 0 to touched_ - 1 have been opened.
};

template <typename Visitor>
Status MergeScan::ForEach(const Visitor& visit) {
  bool stopped = false;
  while (!stopped && !view_.page_ended() && limits_.rows_left > 0) {
    if (at_) {
      WR_RETURN_IF_ERROR(Advance());
      continue;
    }
    if (!group_open_) {
      if (group_ >= groups_.size()) break;
      WR_RETURN_IF_ERROR(OpenGroup(resume_ ? &*resume_ : nullptr));
      resume_.reset();
    }
    Group& group = groups_[group_];
    at_static_only_ = next_static_only_ < static_only_.size();
    if (at_static_only_) {
      at_ = static_only_[next_static_only_++];
      filter_.row().Reset(group[*at_].key, nullptr, &group[*at_].statics.view());
    } else if (const RowView* const row = merger_.row(); row != nullptr) {
      at_ = opened_[merger_.slice()];
      Partition& partition = group[*at_];
      view_.CountRow();
      if (meter_ != nullptr && !row->empty()) [[unlikely]]
        partition.reads.Count(*row);
      filter_.row().Reset(partition.key, row, partition.statics.present() ? &partition.statics.view() : nullptr);
      if (!filter_.row().RowLive()) {
        if (row->empty()) view_.CountDeadRows();
        continue;
      }
    } else {
      CloseGroup();
      ++group_;
      continue;
    }
    WR_RETURN_IF_ERROR(Show(visit, stopped));
  }
  return OkStatus();
}

// Shows the filter's row to `visit` if it passes.
template <typename Visitor>
Status MergeScan::Show(const Visitor& visit, bool& stopped) {
  if (!filter_.empty()) {
    WR_ASSIGN_OR_RETURN(const bool accepted, filter_.Accept());
    if (!accepted) return OkStatus();
  }
  if (meter_ != nullptr) [[unlikely]]
    ++meter_->rows_accepted;
  --groups_[group_][*at_].rows_left;
  --limits_.rows_left;
  return visit(filter_.row(), stopped);
}

}  // namespace widerow
