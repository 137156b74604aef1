#include "exec/scan/merge_scan.h"

#include <algorithm>

#include "exec/bind/bind.h"
#include "exec/bind/bind_ranges.h"
#include "exec/bind/key_choices.h"
#include "exec/scan/paging_scope.h"

namespace widerow {
namespace {

// Returns the part of `ranges` after `clustering` in reading direction; if `with` is true, it includes `clustering`.
// nullopt: nothing is left.
std::optional<std::vector<ClusteringRange>> RangesBehind(const std::vector<ClusteringRange>& ranges,
                                                         const Bytes& clustering, bool with, bool forward) {
  // No encoded clustering is a prefix of another. So `clustering` + '\0' is after `clustering` and before all greater
  // ones.
  const Bytes edge = with == forward ? clustering : clustering + '\0';
  std::vector<ClusteringRange> behind;
  std::vector<ClusteringRange> all(1);
  for (const ClusteringRange& range : ranges.empty() ? all : ranges) {
    ClusteringRange rest = range;
    if (range.exact) {
      if ((range.begin >= edge) != forward) continue;
    } else if (forward) {
      rest.begin = std::max(rest.begin, edge);
    } else if (!rest.end || *rest.end > edge) {
      rest.end = edge;
    }
    if (!rest.exact && rest.end && rest.begin >= *rest.end) continue;
    behind.push_back(std::move(rest));
  }
  return behind.empty() ? std::nullopt : std::optional(std::move(behind));
}

// Adds the ranges of `more` that `ranges` does not have yet. Requires that any two ranges are equal or disjoint. An
// empty list means all rows.
void AddRanges(std::vector<ClusteringRange> more, std::vector<ClusteringRange>& ranges) {
  if (ranges.empty() || more.empty()) {
    ranges.clear();
    return;
  }
  std::move(more.begin(), more.end(), std::back_inserter(ranges));
  std::sort(ranges.begin(), ranges.end(),
            [](const ClusteringRange& a, const ClusteringRange& b) { return a.begin < b.begin; });
  const auto same = [](const ClusteringRange& a, const ClusteringRange& b) {
    return a.begin == b.begin && a.end == b.end && a.exact == b.exact;
  };
  ranges.erase(std::unique(ranges.begin(), ranges.end(), same), ranges.end());
}

// Returns the order of choices: first the IN lists that are read in sequence, then the windows that are read in
// sequence, then the others.
std::vector<size_t> ReadingOrder(const std::vector<KeyChoice>& choices) {
  const auto rank = [&](size_t i) {
    if (!choices[i].in_sequence) return 2;
    return choices[i].kind == KeyChoice::Kind::kIn ? 0 : 1;
  };
  std::vector<size_t> order(choices.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return rank(a) < rank(b); });
  return order;
}

}  // namespace

// Binds the clustering ranges of partitions, once if they are the same for all.
class MergeScan::RangeBinder {
 public:
  explicit RangeBinder(const SelectPlan& plan) : plan_(plan) {}

  Result<std::vector<ClusteringRange>> Bind(const EvaluationContext& context) {
    const ClusteringSelection& clustering = std::get<MergedPartitions>(plan_.access).clustering;
    if (vary_) return BindClustering(*plan_.table, clustering, context);
    if (!same_) { WR_ASSIGN_OR_RETURN(same_, BindClustering(*plan_.table, clustering, context)); }
    return *same_;
  }

 private:
  const SelectPlan& plan_;
  // The clustering ranges depend only on the values of IN lists. Buckets and windows affect only the partition keys.
  const bool vary_ = std::any_of(plan_.choices.begin(), plan_.choices.end(),
                                 [](const KeyChoice& choice) { return choice.kind == KeyChoice::Kind::kIn; });
  std::optional<std::vector<ClusteringRange>> same_;
};

MergeScan::MergeScan(const SelectPlan& plan, StorageEngine& storage, const ViewOpener& open_view,
                     const ScanOptions& options)
    : plan_(plan),
      table_(*plan.table),
      storage_(storage),
      meter_(options.meter),
      filter_(plan, options),
      view_(open_view, options.watch, options.page_rows > 0 && ShowsScannedRows(plan)),
      merger_(plan.reversed ? Direction::kBackward : Direction::kForward) {}

MergeScan::~MergeScan() {
  if (group_open_) CloseGroup();
  size_t partitions = 0;
  for (size_t i = 0; i < touched_; ++i) partitions += groups_[i].size();
  if (partitions == 0) return;
  const uint64_t micros = view_.AgeMicros();
  for (size_t i = 0; i < touched_; ++i) {
    for (const Partition& partition : groups_[i]) storage_.CountRead(table_, partition.key, micros / partitions);
  }
}

MergeScan::Partition* MergeScan::Find(ByteView key) {
  for (Group& group : groups_) {
    for (Partition& partition : group) {
      if (partition.key == key) return &partition;
    }
  }
  return nullptr;
}

Status MergeScan::AddPartition(const EvaluationContext& context, RangeBinder& binder, Group& group) {
  WR_ASSIGN_OR_RETURN(std::vector<Bytes> keys, BindPartitionKeys(table_, path().partition_key, context));
  WR_RETURN_IF_ERROR(RefuseEmptyKeys(keys));
  std::vector<ClusteringRange> ranges;
  if (!all_rows()) {
    WR_ASSIGN_OR_RETURN(ranges, binder.Bind(context));
    if (ranges.empty()) return OkStatus();
  }
  if (Partition* const known = Find(keys[0]); known != nullptr) {
    AddRanges(std::move(ranges), known->ranges);
    return OkStatus();
  }
  Partition& partition = group.emplace_back();
  partition.key = std::move(keys[0]);
  partition.ranges = std::move(ranges);
  return OkStatus();
}

Status MergeScan::BindGroups() {
  WR_ASSIGN_OR_RETURN(auto values, BindChoices(plan_.choices, table_, filter_.context()));
  for (size_t i = 0; i < values.size(); ++i) {
    const KeyChoice& choice = plan_.choices[i];
    const bool windows = choice.in_sequence && choice.kind == KeyChoice::Kind::kWindows;
    if (windows && table_.columns[choice.source].descending != plan_.reversed)
      std::reverse(values[i].begin(), values[i].end());
  }
  size_t merged = 1;  // Partitions in a group.
  for (size_t i = 0; i < values.size(); ++i) merged *= plan_.choices[i].in_sequence ? 1 : values[i].size();
  std::vector<size_t> last;
  RangeBinder binder(plan_);
  const auto add = [&](const EvaluationContext& context, const std::vector<size_t>& at) -> Status {
    std::vector<size_t> turn;
    for (size_t i = 0; i < at.size(); ++i) {
      if (plan_.choices[i].in_sequence) turn.push_back(at[i]);
    }
    if (groups_.empty() || turn != last) groups_.emplace_back().reserve(merged);
    last = std::move(turn);
    return AddPartition(context, binder, groups_.back());
  };
  WR_RETURN_IF_ERROR(ForEachCombination(values, ReadingOrder(plan_.choices), filter_.context(), add));
  std::erase_if(groups_, [](const Group& group) { return group.empty(); });
  return OkStatus();
}

uint64_t MergeScan::Scope() const {
  std::vector<ByteView> keys;
  for (const Group& group : groups_) {
    for (const Partition& partition : group) keys.push_back(partition.key);
  }
  return ScopeOf(plan_, keys);
}

Status MergeScan::Open(ByteView paging_state) {
  WR_ASSIGN_OR_RETURN(limits_, BindRowLimits(plan_, filter_.context()));
  WR_RETURN_IF_ERROR(filter_.CheckValues());
  WR_RETURN_IF_ERROR(BindGroups());
  if (!paging_state.empty()) {
    WR_ASSIGN_OR_RETURN(from_, DecodePagingState(paging_state, Scope()));
    WR_RETURN_IF_ERROR(CheckPosition(table_, *from_));
    ContinueFrom(*from_, plan_, limits_);
  }
  WR_RETURN_IF_ERROR(view_.Open());
  if (!from_) return OkStatus();
  const bool known = from_->group < groups_.size() && from_->source < groups_[from_->group].size() &&
                     groups_[from_->group][from_->source].key == from_->at.partition_key;
  if (!known) return ForeignPagingState();
  group_ = from_->group;
  resume_ = from_;
  if (CountsGroups(plan_)) resume_->source_rows_left.clear();
  return OkStatus();
}

bool MergeScan::exhausted() const {
  if (limits_.rows_left == 0) return true;
  if (group_ + 1 < groups_.size() || group_ >= groups_.size()) return group_ >= groups_.size();
  const Group& group = groups_[group_];
  return std::all_of(group.begin(), group.end(), [](const Partition& partition) { return partition.rows_left == 0; });
}

// Reads the static rows of the group. A partition with live statics and no live row makes one row, if the query selects
// whole partitions. These rows come before the other rows of their group, in both directions.
Status MergeScan::ReadStatics(Group& group, const PagingState* from) {
  static_only_.clear();
  next_static_only_ = 0;
  if (!table_.has_statics() || !(plan_.needs_statics || all_rows())) return OkStatus();
  const bool rows_have_begun = from != nullptr && !from->at.partition_done;
  for (size_t i = 0; i < group.size(); ++i) {
    Partition& partition = group[i];
    RowView statics;
    WR_ASSIGN_OR_RETURN(const bool found, view_->GetStaticRow(table_, partition.key, statics));
    if (!found) continue;
    partition.statics.Assign(statics);
    if (!all_rows() || rows_have_begun || (from != nullptr && i <= from->source)) continue;
    filter_.row().Reset(partition.key, nullptr, &partition.statics.view());
    if (!filter_.row().StaticsLive()) continue;
    WR_ASSIGN_OR_RETURN(const bool any, HasLiveRow(partition));
    if (!any) static_only_.push_back(i);
  }
  return OkStatus();
}

Result<bool> MergeScan::HasLiveRow(const Partition& partition) {
  Slice slice;
  slice.table = plan_.table;
  slice.partitions = Slice::OnePartition{partition.key};
  slice.shows_dead = true;
  WR_ASSIGN_OR_RETURN(const std::unique_ptr<RowCursor> cursor, view_->OpenSlice(slice));
  RowView row;
  while (true) {
    WR_ASSIGN_OR_RETURN(const bool found, cursor->Next(row));
    if (!found) return false;
    filter_.row().Reset(partition.key, &row, nullptr);
    if (filter_.row().RowLive()) return true;
    view_.CountRow();
    if (row.empty()) view_.CountDeadRows();
    // Look fails if the view must be given up and the scanned rows are no page. Its verdict is ignored: a page can end,
    // and another view can continue, only after a row of the scan, and here the scan is not at a row. Advance calls
    // Look again.
    if (view_.due()) WR_RETURN_IF_ERROR(view_.Look(true));
  }
}

Status MergeScan::OpenGroup(const PagingState* from) {
  Group& group = groups_[group_];
  for (size_t i = 0; i < group.size(); ++i) {
    group[i].rows_left = limits_.partition_rows;
    if (from != nullptr && i < from->source_rows_left.size())
      group[i].rows_left = std::min(limits_.partition_rows, RowsOfLimit(from->source_rows_left[i]));
  }
  WR_RETURN_IF_ERROR(ReadStatics(group, from));
  const bool inside = from != nullptr && !from->at.partition_done;
  std::vector<Slice> slices;
  slices.reserve(group.size());
  opened_.clear();
  for (size_t i = 0; i < group.size(); ++i) {
    if (group[i].rows_left == 0) continue;
    Slice slice;
    slice.table = plan_.table;
    slice.direction = plan_.reversed ? Direction::kBackward : Direction::kForward;
    slice.partitions = Slice::OnePartition{group[i].key};
    slice.clustering = group[i].ranges;
    slice.shows_dead = true;
    if (inside) {
      // Of the rows with the same clustering, those of later partitions have not been shown yet.
      auto rest = RangesBehind(group[i].ranges, from->at.clustering, i > from->source, !plan_.reversed);
      if (!rest) continue;
      slice.clustering = std::move(*rest);
    }
    slices.push_back(std::move(slice));
    opened_.push_back(i);
  }
  WR_RETURN_IF_ERROR(merger_.Open(*view_, slices));
  group_open_ = true;
  touched_ = std::max(touched_, group_ + 1);
  return OkStatus();
}

void MergeScan::CloseGroup() {
  merger_.Close();
  group_open_ = false;
  if (meter_ == nullptr) return;
  for (const Partition& partition : groups_[group_]) {
    const PartitionReads& reads = partition.reads;
    meter_->Partition(partition.key, reads.first_clustering, reads.rows, reads.bytes);
  }
}

// Moves past the current row.
Status MergeScan::Advance() {
  const bool full = groups_[group_][*at_].rows_left == 0;
  if (view_.due() && !at_static_only_) {
    WR_RETURN_IF_ERROR(LookAtView());
    if (view_.page_ended() || !at_) return OkStatus();
  }
  at_.reset();
  if (at_static_only_) return OkStatus();
  if (!full) return merger_.Next();
  merger_.DropSlice();
  return OkStatus();
}

Status MergeScan::LookAtView() {
  WR_ASSIGN_OR_RETURN(const ScanView::Verdict verdict, view_.Look(limits_.any_shown()));
  if (verdict == ScanView::Verdict::kKeep) return OkStatus();
  if (verdict == ScanView::Verdict::kEndPage) {
    view_.EndPage();
    return OkStatus();
  }
  resume_ = Position();
  at_.reset();
  merger_.Close();
  group_open_ = false;
  return view_.OpenAnew();
}

PagingState MergeScan::Position() const {
  PagingState state;
  state.rows_left = LimitOfRows(limits_.rows_left);
  state.group = static_cast<uint32_t>(group_);
  state.source = static_cast<uint32_t>(*at_);
  const Group& group = groups_[group_];
  state.at.partition_key = group[*at_].key;
  state.at.partition_done = at_static_only_;
  if (!at_static_only_) state.at.clustering = Bytes(merger_.row()->clustering);
  if (limits_.partition_rows == kAllRows) return state;
  for (const Partition& partition : group) state.source_rows_left.push_back(LimitOfRows(partition.rows_left));
  return state;
}

}  // namespace widerow
