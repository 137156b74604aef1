#include "exec/scan/row_scan.h"

#include <algorithm>

#include "base/limits.h"
#include "base/overloaded.h"
#include "exec/bind/bind.h"
#include "exec/bind/bind_ranges.h"
#include "exec/derived/index_choice.h"
#include "exec/derived/index_entries.h"
#include "exec/meter/table_size.h"
#include "exec/scan/key_order_merge.h"
#include "exec/virtual/virtual_tables.h"
#include "planner/access/partition_key.h"

namespace widerow {

RowScan::RowScan(const SelectPlan& plan, StorageEngine& storage, const ViewOpener& open_view, const ReadWatch& watch,
                 EvaluationContext context, int64_t now_seconds, ScanMeter* meter)
    : plan_(plan),
      table_(*plan.table),
      storage_(storage),
      open_view_(open_view),
      watch_(watch),
      context_(context),
      layout_(plan),
      filtered_(!plan.filter.empty()),
      row_(layout_, now_seconds),
      now_seconds_(now_seconds),
      started_(std::chrono::steady_clock::now()),
      meter_(meter) {
  context_.row = &row_;
  watch_.Begin(started_);
}

RowScan::~RowScan() {
  EndMetered();
  if (by_key_ && !partition_.empty()) storage_.CountRead(table_, partition_, 0);
  if (!by_partition_ || keys_.empty() || IsVirtual(table_)) return;
  const auto spent = std::chrono::steady_clock::now() - started_;
  const auto micros = std::chrono::duration_cast<std::chrono::microseconds>(spent).count();
  const size_t touched = std::max<size_t>(next_key_, 1);
  for (size_t i = 0; i < touched && i < keys_.size(); ++i) {
    storage_.CountRead(table_, keys_[i], static_cast<uint64_t>(micros) / touched);
  }
}

Status RowScan::BindPartitions(const std::vector<KeyValues>& keys, const ClusteringSelection& clustering) {
  by_partition_ = true;
  WR_ASSIGN_OR_RETURN(keys_, BindPartitionKeys(table_, keys, context_));
  all_rows_ = clustering.all();
  if (!all_rows_) {
    WR_ASSIGN_OR_RETURN(ranges_, BindClustering(table_, clustering, context_));
    if (ranges_.empty()) {
      nothing_ = true;
      return OkStatus();
    }
  }
  return RefuseEmptyKeys(keys_);
}

Status RowScan::BindAccess() {
  const auto scan = [&](const TokenBounds& bounds) -> Status {
    WR_ASSIGN_OR_RETURN(auto tokens, BindTokens(bounds, context_));
    if (tokens)
      tokens_ = *tokens;
    else
      nothing_ = true;
    return OkStatus();
  };
  return std::visit(Overloaded{
                        [&](const PointLookup& path) { return BindPartitions(path.partition_key, path.clustering); },
                        [&](const PartitionSlice& path) { return BindPartitions(path.partition_key, path.clustering); },
                        [&](const MultiPartition& path) { return BindPartitions(path.partition_key, path.clustering); },
                        [&](const MergedPartitions&) -> Status {
                          return ServerError("merged partitions are not scanned one by one");
                        },
                        [&](const TokenScan& path) { return scan(path.bounds); },
                        [&](const FilteredScan& path) { return scan(path.bounds); },
                        [&](const KeyRangeScan& path) { return BindKeyScan(path); },
                        [&](const IndexScan& path) { return BindIndexScan(path); },
                    },
                    plan_.access);
}

Status RowScan::BindKeyScan(const KeyRangeScan& scan) {
  by_key_ = true;
  merged_ = plan_.key_order && table_.partitioning.kind != PartitionKind::kRange;
  WR_ASSIGN_OR_RETURN(key_ranges_, BindKeyRange(table_, scan, merged_, context_));
  nothing_ = key_ranges_.empty();
  if (merged_ && key_ranges_.size() > limits::kFanOutMax) {
    return InvalidError("ORDER BY would merge " + std::to_string(key_ranges_.size()) + " partitions",
                        "at most " + std::to_string(limits::kFanOutMax) + " in one statement");
  }
  by_tokens_ = scan.tokens.lower || scan.tokens.upper;
  if (!by_tokens_) return OkStatus();
  WR_ASSIGN_OR_RETURN(const auto tokens, BindTokens(scan.tokens, context_));
  nothing_ = nothing_ || !tokens;
  if (tokens) tokens_ = *tokens;
  return OkStatus();
}

Status RowScan::BindIndexScan(const IndexScan& scan) {
  by_index_ = true;
  for (const IndexLookup& lookup : scan.lookups) {
    WR_ASSIGN_OR_RETURN(std::optional<BoundLookup> bound, BindLookup(table_, lookup, context_));
    nothing_ = nothing_ || !bound;
    if (bound) lookups_.push_back(std::move(*bound));
  }
  WR_ASSIGN_OR_RETURN(const auto tokens, BindTokens(scan.tokens, context_));
  nothing_ = nothing_ || !tokens;
  if (tokens) tokens_ = *tokens;
  by_tokens_ = !table_.partitioning.by_token() && (scan.tokens.lower || scan.tokens.upper);
  if (scan.partition_key.empty()) {
    entries_ = EntriesOfTokens(table_, tokens_);
    return OkStatus();
  }
  WR_ASSIGN_OR_RETURN(const std::vector<Bytes> keys, BindPartitionKeys(table_, scan.partition_key, context_));
  WR_RETURN_IF_ERROR(RefuseEmptyKeys(keys));
  nothing_ = nothing_ || keys.size() != 1;
  if (nothing_) return OkStatus();
  ClusteringRange range = EntriesOfPartition(table_, keys[0]);
  entries_ = {.begin = std::move(range.begin), .end = std::move(range.end)};
  return OkStatus();
}

Status RowScan::ChooseIndex(const IndexScan& scan) {
  std::vector<Bytes> keys;
  if (!scan.partition_key.empty()) {
    WR_ASSIGN_OR_RETURN(keys, BindPartitionKeys(table_, scan.partition_key, context_));
  }
  const auto worth = [&]() -> Result<uint64_t> {
    const TableSize size =
        keys.empty() ? SizeOfTokens(table_, tokens_, storage_) : SizeOfPartition(table_, keys[0], storage_);
    const uint64_t most = EntriesWorthGathering(size, RowsWanted());
    if (!keys.empty()) return most;
    // If many rows pass, counting entries would take longer than reading the table.
    WR_ASSIGN_OR_RETURN(const bool many, ManyPass(size.rows, most));
    return many ? 0 : most;
  };
  WR_ASSIGN_OR_RETURN(const std::optional<size_t> chosen, ChooseLookup(*view_, lookups_, entries_, worth));
  if (chosen) {
    lookup_ = *chosen;
    return OkStatus();
  }
  by_index_ = false;
  by_partition_ = !keys.empty();
  keys_ = std::move(keys);
  return OkStatus();
}

Result<bool> RowScan::ManyPass(uint64_t table_rows, uint64_t most) {
  constexpr uint64_t kPlaces = 8, kRowsOfPlace = 32, kEnoughToTell = 8;
  if (!table_.partitioning.by_token()) return false;  // Neighbouring rows may be alike.
  uint64_t seen = 0, passed = 0;
  RowView row;
  for (uint64_t place = 0; place < kPlaces; ++place) {
    Slice slice;
    slice.table = plan_.table;
    const uint64_t span = static_cast<uint64_t>(tokens_.last) - static_cast<uint64_t>(tokens_.first);
    const auto first = static_cast<int64_t>(static_cast<uint64_t>(tokens_.first) + span / kPlaces * place);
    slice.partitions = Slice::TokenRange{.first = first, .last = tokens_.last};
    WR_ASSIGN_OR_RETURN(const std::unique_ptr<RowCursor> cursor, view_->OpenSlice(slice));
    for (uint64_t i = 0; i < kRowsOfPlace; ++i) {
      WR_ASSIGN_OR_RETURN(const bool more, cursor->Next(row));
      if (!more) break;
      ++seen;
      row_.Reset(row.partition_key, &row, nullptr);
      if (!row_.RowLive()) continue;
      WR_ASSIGN_OR_RETURN(const bool accepted, Accept());
      passed += accepted ? 1 : 0;
    }
  }
  return passed >= kEnoughToTell && table_rows / seen * passed > most;
}

// Opens the next of key_ranges_, or all of them at once; from `slice`'s resume point on, if it has one.
Result<bool> RowScan::OpenKeySlice(Slice slice) {
  if (merged_) {
    if (scan_opened_) return false;
    scan_opened_ = true;
    WR_ASSIGN_OR_RETURN(cursor_, OpenInKeyOrder(*view_, std::move(slice), key_ranges_));
    return true;
  }
  if (slice.resume) {
    next_range_ = 0;
    const auto behind = [&](const StoredKeyRange& range) {
      return range.end && slice.resume->partition_key >= *range.end;
    };
    while (next_range_ < key_ranges_.size() && behind(key_ranges_[next_range_])) ++next_range_;
  }
  if (next_range_ >= key_ranges_.size()) return false;
  const StoredKeyRange& range = key_ranges_[next_range_++];
  slice.partitions = Slice::KeyRange{range.first, range.end};
  WR_ASSIGN_OR_RETURN(cursor_, view_->OpenSlice(slice));
  return true;
}

Status RowScan::Open(std::optional<PagingState> from) {
  WR_RETURN_IF_ERROR(BindAccess());
  if (narrowed_) {
    tokens_ = *narrowed_;
    by_index_ = false;
  }
  for (const Predicate& predicate : plan_.filter) {
    WR_RETURN_IF_ERROR(CheckFilterValues(predicate, table_, context_));
  }
  WR_ASSIGN_OR_RETURN(auto limit, BindLimit(plan_.limit, context_));
  WR_ASSIGN_OR_RETURN(auto partition_limit, BindLimit(plan_.per_partition_limit, context_));
  rows_left_ = RowsOfLimit(limit.value_or(UINT32_MAX));
  partition_limit_ = plan_.distinct ? 1 : RowsOfLimit(partition_limit.value_or(UINT32_MAX));
  if (view_ == nullptr) { WR_ASSIGN_OR_RETURN(view_, open_view_()); }
  if (from) {
    rows_left_ = RowsOfLimit(from->rows_left);
    resume_ = from->at;
  }
  if (by_index_ && !nothing_) WR_RETURN_IF_ERROR(ChooseIndex(std::get<IndexScan>(plan_.access)));
  return from ? GoTo(*from) : OkStatus();
}

Status RowScan::GoTo(const PagingState& from) {
  const bool inside = !from.at.partition_done;
  if (by_partition_) {
    const auto key = std::find(keys_.begin(), keys_.end(), from.at.partition_key);
    if (key == keys_.end()) return ServerError("the paging state names a partition that the statement does not select");
    next_key_ = static_cast<size_t>(key - keys_.begin()) + (inside ? 0 : 1);
    if (!inside) resume_.reset();
  }
  if (inside) {
    BeginPartition(from.at.partition_key);
    partition_rows_left_ = RowsOfLimit(from.partition_rows_left);
    rows_seen_ = true;
    return ReadStatics();
  }
  return OkStatus();
}

// Reads the static row of the current partition. It is before the resume point, so the cursor does not return it.
Status RowScan::ReadStatics() {
  statics_.Clear();
  if (!table_.has_statics()) return OkStatus();
  WR_ASSIGN_OR_RETURN(const bool found, view_->GetStaticRow(table_, partition_, point_static_));
  if (found) statics_.Assign(point_static_);
  return OkStatus();
}

void RowScan::MeterRow() {
  if (metered_.rows++ == 0) metered_.clustering = Bytes(view_row_.clustering);
  metered_.bytes += BytesOf(view_row_);
}

void RowScan::EndMetered() {
  if (!metered_.begun) return;
  meter_->Partition(partition_, metered_.clustering, metered_.rows, metered_.bytes);
  metered_ = {};
}

Result<bool> RowScan::AcceptTimed() {
  const auto begin = std::chrono::steady_clock::now();
  Result<bool> accepted = Accept();
  const auto spent = std::chrono::steady_clock::now() - begin;
  meter_->filter_nanos += static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(spent).count());
  return accepted;
}

void RowScan::BeginPartition(ByteView key) {
  if (meter_ != nullptr) [[unlikely]] {
    EndMetered();
    metered_.begun = true;
  }
  partition_ = Bytes(key);
  in_partition_ = true;
  statics_.Clear();
  rows_seen_ = false;
  partition_done_ = false;
  partition_rows_left_ = partition_limit_;
  if (!by_tokens_) [[likely]]
    return;
  const int64_t token = TokenOfStoredKey(table_, key);
  wanted_ = token >= tokens_.first && token <= tokens_.last;
}

// Opens the next slice; false if there are no more.
Result<bool> RowScan::OpenNextSlice() {
  if (nothing_) return false;
  Slice slice;
  slice.table = plan_.table;
  slice.direction = plan_.reversed ? Direction::kBackward : Direction::kForward;
  slice.want_statics = table_.has_statics();
  slice.resume = std::move(resume_);
  resume_.reset();
  if (by_partition_) {
    if (next_key_ >= keys_.size()) return false;
    const Bytes& key = keys_[next_key_++];
    const bool one_row = table_.clustering_size == 0 || (ranges_.size() == 1 && ranges_[0].exact);
    if (one_row && !slice.resume) return OpenPoint(key);
    slice.partitions = Slice::OnePartition{key};
    slice.clustering = ranges_;
    if (!slice.resume) BeginPartition(key);
  } else if (by_key_) {
    return OpenKeySlice(std::move(slice));
  } else if (by_index_) {
    if (scan_opened_) return false;
    scan_opened_ = true;
    WR_ASSIGN_OR_RETURN(cursor_,
                        OpenIndexCursor(*view_, slice, lookups_[lookup_], entries_, now_seconds_, RowsWanted() + 1));
    return true;
  } else {
    if (scan_opened_) return false;
    scan_opened_ = true;
    if (table_.partitioning.by_token())
      slice.partitions = tokens_;
    else
      slice.partitions = Slice::KeyRange{};
  }
  WR_ASSIGN_OR_RETURN(cursor_, view_->OpenSlice(slice));
  return true;
}

Result<bool> RowScan::OpenPoint(const Bytes& key) {
  BeginPartition(key);
  if (plan_.needs_statics && table_.has_statics()) {
    WR_ASSIGN_OR_RETURN(const bool found, view_->GetStaticRow(table_, key, point_static_));
    if (found) statics_.Assign(point_static_);
  }
  const ByteView clustering = table_.clustering_size == 0 ? ByteView() : ByteView(ranges_[0].begin);
  WR_ASSIGN_OR_RETURN(row_pending_, view_->GetRow(table_, key, clustering, view_row_));
  return true;
}

Result<bool> RowScan::Accept() {
  for (const Predicate& predicate : plan_.filter) {
    WR_ASSIGN_OR_RETURN(const bool matches, Matches(predicate, context_));
    if (!matches) return false;
  }
  return true;
}

PagingState RowScan::Position() const {
  PagingState state;
  state.rows_left = LimitOfRows(rows_left_);
  state.partition_rows_left = LimitOfRows(partition_rows_left_);
  state.at.partition_key = partition_;
  state.at.partition_done = partition_done_ || last_was_static_only_ || table_.clustering_size == 0;
  if (!state.at.partition_done) state.at.clustering = Bytes(view_row_.clustering);
  return state;
}

Status RowScan::OpenViewAnew() {
  view_.reset();
  watch_.Begin(std::chrono::steady_clock::now());
  WR_ASSIGN_OR_RETURN(view_, open_view_());
  return OkStatus();
}

Status RowScan::LookAtView() {
  examined_ = 0;
  Status kept = watch_.Look(*view_);
  if (kept.ok() || !shows_page_) return kept;
  if (rows_left_ == page_rows_left_) return RenewView();
  // In a table with statics, Position is valid only after a live row of the partition.
  if (table_.has_statics() && !rows_seen_ && !partition_done_) return OkStatus();
  last_was_static_only_ = false;
  ended_early_ = stopped_ = true;
  return OkStatus();
}

// Continues after the current row in another view.
Status RowScan::RenewView() {
  Slice::ResumePoint at{.partition_key = Bytes(view_row_.partition_key)};
  at.after_static = view_row_.is_static;
  at.partition_done = partition_done_ || (!view_row_.is_static && table_.clustering_size == 0);
  at.clustering = Bytes(view_row_.clustering);
  cursor_.reset();
  WR_RETURN_IF_ERROR(OpenViewAnew());
  resume_ = std::move(at);
  if (by_partition_) --next_key_;
  scan_opened_ = false;
  return in_partition_ ? ReadStatics() : OkStatus();
}

}  // namespace widerow
