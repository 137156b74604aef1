#include "exec/select/group_rows.h"

#include <algorithm>

#include "exec/bind/bind.h"
#include "exec/select/aggregation.h"
#include "exec/select/ordered_rows.h"

namespace widerow {
namespace {

// The values in which the rows of a group agree.
class GroupKey {
 public:
  explicit GroupKey(const SelectPlan& plan) : plan_(plan), group_by_(*plan.group_by) {
    prefix_columns_ = group_by_.clustering_columns - static_cast<uint32_t>(group_by_.function.size());
  }

  bool SamePartition(ByteView partition) const { return group_by_.across_partitions || partition == partition_; }
  // True if a row of the same partition belongs to the group.
  Result<bool> Same(ByteView clustering, const EvaluationContext& context) {
    const bool by_clustering = group_by_.clustering_columns > 0;
    if (by_clustering && (clustering.empty() != no_clustering_ || !clustering.starts_with(prefix_))) return false;
    if (group_by_.function.empty()) return true;
    WR_ASSIGN_OR_RETURN(next_, Evaluate(group_by_.function[0], context));
    return next_ == function_;
  }

  void SetPartition(ByteView partition) { partition_ = partition; }
  Status Set(ByteView clustering, const EvaluationContext& context) {
    WR_ASSIGN_OR_RETURN(prefix_, ClusteringPrefix(*plan_.table, clustering, prefix_columns_));
    no_clustering_ = clustering.empty();
    if (group_by_.function.empty()) return OkStatus();
    WR_ASSIGN_OR_RETURN(function_, Evaluate(group_by_.function[0], context));
    return OkStatus();
  }

 private:
  const SelectPlan& plan_;
  const GroupBy& group_by_;
  uint32_t prefix_columns_ = 0;
  Bytes partition_, prefix_;    // prefix_: the clustering's leading columns, as stored.
  bool no_clustering_ = false;  // True if the group's rows have no clustering, such as a row of static content only.
  Value function_, next_;
};

template <typename Scan>  // RowScan, MergeScan
class GroupRun {
 public:
  GroupRun(const SelectPlan& plan, const SelectRequest& request, Scan& scan)
      : plan_(plan),
        request_(request),
        scan_(scan),
        context_(request.context),
        key_(plan),
        kept_(rows_),
        group_(plan, kept_),
        ordered_(plan) {
    rows_.SetLimits(request.answer);
    if (request.index_rows) rows_.IndexRows();
  }

  Result<RowsPage> Run() {
    const std::optional<PagingState>& from = scan_.from();
    WR_ASSIGN_OR_RETURN(const auto limit, BindLimit(plan_.limit, context_));
    WR_ASSIGN_OR_RETURN(const auto partition_limit, BindLimit(plan_.per_partition_limit, context_));
    partition_limit_ = partition_limit.value_or(UINT32_MAX);
    groups_left_ = plan_.merge_partitions ? UINT32_MAX : limit.value_or(UINT32_MAX);
    partition_groups_left_ = partition_limit_;
    if (from) {
      key_.SetPartition(from->at.partition_key);
      groups_left_ = std::min(groups_left_, from->rows_left);
      partition_groups_left_ = std::min(partition_groups_left_, from->partition_rows_left);
    }
    scan_.SetRoom([this](size_t bytes) { return rows_.AskForRoom(bytes); });
    const auto visit = [&](ScannedRow& row, bool& stop) { return Take(row, stop); };
    WR_RETURN_IF_ERROR(scan_.ForEach(visit));
    if (open_) WR_RETURN_IF_ERROR(Close());
    if (plan_.merge_partitions) return std::move(ordered_).Finish(rows_, request_, limit.value_or(UINT32_MAX));
    RowsPage page = std::move(rows_).Finish(request_.columns);
    if (last_of_page_ && (more_ || !Exhausted())) page.paging_state = scan_.Encoded(*position_);
    return page;
  }

 private:
  Status Take(ScannedRow& row, bool& stop) {
    context_.row = &row;
    const bool same_partition = key_.SamePartition(scan_.partition());
    bool same = open_ && same_partition;
    if (same) { WR_ASSIGN_OR_RETURN(same, key_.Same(scan_.clustering(), context_)); }
    if (!same) {
      if (open_) WR_RETURN_IF_ERROR(Close());
      if (!same_partition) {
        key_.SetPartition(scan_.partition());
        partition_groups_left_ = partition_limit_;
      }
      WR_ASSIGN_OR_RETURN(const bool wanted, Begin(stop));
      if (!wanted) return OkStatus();
    }
    WR_RETURN_IF_ERROR(group_.Add(context_));
    // A page ends after the last row of its last group. Only the next group's beginning shows which row is the last, so
    // each row of the group sets the position.
    if (last_of_page_) {
      position_ = scan_.Position();
      position_->rows_left = groups_left_;
      position_->partition_rows_left = partition_groups_left_;
      exhausted_ = scan_.exhausted() || (partition_groups_left_ == 0 && scan_.in_last_partition());
    }
    return OkStatus();
  }

  // True if the current row begins a group of this page.
  Result<bool> Begin(bool& stop) {
    if (groups_left_ == 0) {
      stop = true;
    } else if (partition_groups_left_ == 0) {
      scan_.LeavePartition();
    } else if (last_of_page_) {
      stop = more_ = true;
    } else {
      WR_RETURN_IF_ERROR(key_.Set(scan_.clustering(), context_));
      if (plan_.merge_partitions) WR_RETURN_IF_ERROR(ordered_.Begin(scan_.clustering(), rows_));
      last_of_page_ = request_.page_rows > 0 && (rows_.rows() + 1 >= request_.page_rows || rows_.PageIsFull());
      if (groups_left_ != UINT32_MAX) --groups_left_;
      if (partition_groups_left_ != UINT32_MAX) --partition_groups_left_;
      open_ = true;
      return true;
    }
    return false;
  }

  // True if it is known without reading on that no group follows a full page. Otherwise the client gets a paging state,
  // and the next page may be empty.
  bool Exhausted() const { return exhausted_ || groups_left_ == 0 || plan_.distinct; }

  Status Close() {
    open_ = false;
    WR_RETURN_IF_ERROR(group_.Finish(context_, rows_));
    if (plan_.merge_partitions) return ordered_.End(rows_);
    return request_.page_rows == 0 ? rows_.CheckWhole() : OkStatus();
  }

  const SelectPlan& plan_;
  const SelectRequest& request_;
  Scan& scan_;
  EvaluationContext context_;
  GroupKey key_;
  RowsWriter rows_;
  KeptRoom kept_;
  Aggregation group_;
  OrderedRows ordered_;        // Used only if partitions are merged.
  bool open_ = false;          // True if a group has been started and not closed.
  bool last_of_page_ = false;  // True if the current group, or the group closed last, fills the page.
  bool more_ = false;          // True if a group is known to follow the page.
  bool exhausted_ = false;     // True if it is known that no group follows position_.
  // UINT32_MAX: no limit.
  uint32_t groups_left_ = UINT32_MAX, partition_groups_left_ = UINT32_MAX, partition_limit_ = UINT32_MAX;
  std::optional<PagingState> position_;  // After the last row of the page's last group.
};

}  // namespace

Result<RowsPage> RunGroups(const SelectPlan& plan, const SelectRequest& request, RowScan& scan) {
  return GroupRun(plan, request, scan).Run();
}
Result<RowsPage> RunGroups(const SelectPlan& plan, const SelectRequest& request, MergeScan& scan) {
  return GroupRun(plan, request, scan).Run();
}

}  // namespace widerow
