// Open binds the access path (bound_access.h) and the limits, opens the view, and decides about indexes. ForEach, in
// the header, then repeats two steps: OpenNextSlice opens a cursor over the next slice of the bound access, and TakeRow
// handles each of its rows. LookAtView may change the view in between.

#include "exec/scan/row_scan.h"

#include <algorithm>

#include "exec/derived/index_entries.h"
#include "exec/meter/table_size.h"
#include "exec/nearest/nearest_cursor.h"
#include "exec/scan/choose_index.h"
#include "exec/scan/key_order_merge.h"
#include "exec/virtual/virtual_tables.h"
#include "planner/access/partition_key.h"
#include "types/order_codec.h"

namespace widerow {
namespace {

uint64_t RowsExpected(const SelectPlan& plan, const ScanOptions& options) {
  return options.page_rows > 0 && ShowsScannedRows(plan) ? options.page_rows : kAllRows;
}

bool HasTokenOf(const Slice::TokenRange& tokens, const TableSchema& table, ByteView key) {
  const int64_t token = TokenOfStoredKey(table, key);
  return token >= tokens.first && token <= tokens.last;
}

// Returns part `i` of `parts` equal parts of `whole`.
Slice::TokenRange PartOf(const Slice::TokenRange& whole, unsigned i, unsigned parts) {
  const uint64_t step = (static_cast<uint64_t>(whole.last) - static_cast<uint64_t>(whole.first)) / parts;
  const auto at = [&](unsigned n) { return static_cast<int64_t>(static_cast<uint64_t>(whole.first) + step * n); };
  return {.first = at(i), .last = i + 1 == parts ? whole.last : at(i + 1) - 1};
}

}  // namespace

RowScan::RowScan(const SelectPlan& plan, StorageEngine& storage, const ViewOpener& open_view,
                 const ScanOptions& options)
    : plan_(plan),
      table_(*plan.table),
      storage_(storage),
      meter_(options.meter),
      now_seconds_(options.now_seconds),
      rows_expected_(RowsExpected(plan, options)),
      filter_(plan, options),
      view_(open_view, options.watch, options.page_rows > 0 && ShowsScannedRows(plan)) {}

RowScan::~RowScan() {
  EndMetered();
  const bool by_ranges =
      std::holds_alternative<KeyRanges>(access_.rows) || std::holds_alternative<MergedKeyRanges>(access_.rows);
  if (by_ranges && !position_.partition.empty()) storage_.CountRead(table_, position_.partition, 0);
  const auto* const partitions = std::get_if<PartitionsByKey>(&access_.rows);
  if (partitions == nullptr || partitions->keys.empty() || IsVirtual(table_)) return;
  const uint64_t micros = view_.AgeMicros();
  const size_t touched = std::max<size_t>(partitions->next, 1);
  for (size_t i = 0; i < touched && i < partitions->keys.size(); ++i) {
    storage_.CountRead(table_, partitions->keys[i], micros / touched);
  }
}

Status RowScan::Open(ByteView paging_state) {
  WR_RETURN_IF_ERROR(Begin());
  WR_ASSIGN_OR_RETURN(access_, BindAccess(plan_, filter_.context()));
  if (!paging_state.empty()) {
    WR_ASSIGN_OR_RETURN(from_, DecodePagingState(paging_state, ScopeOf(plan_, access_)));
    WR_RETURN_IF_ERROR(CheckPosition(table_, *from_));
    ContinueFrom(*from_, plan_, limits_);
  }
  WR_RETURN_IF_ERROR(view_.Open());
  WR_RETURN_IF_ERROR(ChooseIndex(plan_.table, storage_, *view_, filter_, RowsWanted(), access_));
  return from_ ? GoTo(*from_) : OkStatus();
}

Status RowScan::OpenPart(ScanPart part) {
  access_ = {.rows = PartitionsByToken{.tokens = part.tokens}};
  view_.Use(std::move(part.view));
  return Begin();
}

// Checks and binds what does not depend on the access path. As in Cassandra, this comes before the keys are bound.
Status RowScan::Begin() {
  WR_ASSIGN_OR_RETURN(limits_, BindRowLimits(plan_, filter_.context()));
  return filter_.CheckValues();
}

Result<bool> RowScan::FindPartition(const PagingState& from) {
  const Bytes& key = from.at.partition_key;
  if (auto* const partitions = std::get_if<PartitionsByKey>(&access_.rows); partitions != nullptr) {
    const auto found = std::find(partitions->keys.begin(), partitions->keys.end(), key);
    if (found == partitions->keys.end()) return ForeignPagingState();
    const bool inside = !from.at.partition_done;
    partitions->next = static_cast<size_t>(found - partitions->keys.begin()) + (inside ? 0 : 1);
    return inside;
  }
  const auto* const rows = std::get_if<RowsByIndex>(&access_.rows);
  if (rows != nullptr && rows->partition) {
    if (key == *rows->partition) return true;
    return ForeignPagingState();
  }
  const auto* const partitions = std::get_if<PartitionsByToken>(&access_.rows);
  if ((rows == nullptr && partitions == nullptr) || !table_.partitioning.by_token()) return true;
  const Slice::TokenRange& tokens = rows != nullptr ? rows->tokens : partitions->tokens;
  const int64_t token = TokenOfStoredKey(table_, key);
  if (token > tokens.last) access_ = BoundAccess{};
  return token >= tokens.first && token <= tokens.last;
}

Status RowScan::GoTo(const PagingState& from) {
  if (from.order_term) {
    order_after_ = {.entry = EntryClustering(table_, from.at.partition_key, false, from.at.clustering)};
    if (!from.order_term->empty()) order_after_->value = from.order_term;
    return OkStatus();
  }
  WR_ASSIGN_OR_RETURN(const bool resumes, FindPartition(from));
  if (!resumes) return OkStatus();
  resume_ = from.at;
  if (from.at.partition_done) return OkStatus();
  BeginPartition(from.at.partition_key);
  if (!CountsGroups(plan_)) {
    position_.rows_left = std::min(position_.rows_left, RowsOfLimit(from.partition_rows_left));
    if (position_.rows_left == 0) position_.Skip();
  }
  position_.rows_seen = true;
  return ReadStatics();
}

bool RowScan::in_last_partition() const {
  if (const auto* const partitions = std::get_if<PartitionsByKey>(&access_.rows); partitions != nullptr)
    return partitions->next >= partitions->keys.size();
  const auto* const rows = std::get_if<RowsByIndex>(&access_.rows);
  return rows != nullptr && rows->partition;
}

std::optional<Slice::TokenRange> RowScan::tokens() const {
  const auto* const partitions = std::get_if<PartitionsByToken>(&access_.rows);
  if (partitions == nullptr || !table_.partitioning.by_token()) return std::nullopt;
  return partitions->tokens;
}

Result<std::vector<ScanPart>> RowScan::Divide(unsigned others) {
  std::vector<ScanPart> parts;
  WR_ASSIGN_OR_RETURN(auto views, OpenSameViews(others));
  if (views.empty()) return parts;
  const Slice::TokenRange whole = *tokens();
  for (unsigned i = 0; i < others; ++i) {
    parts.push_back({.tokens = PartOf(whole, i + 1, others + 1), .view = std::move(views[i])});
  }
  std::get<PartitionsByToken>(access_.rows).tokens = PartOf(whole, 0, others + 1);
  return parts;
}

Result<std::vector<std::unique_ptr<ReadView>>> RowScan::OpenSameViews(unsigned count) {
  // The views show one moment only if no fold (a merge of a memtable into the data file) commits while they are opened.
  // Folds commit every 20 ms, and opening a view takes microseconds, so a few tries are enough.
  constexpr int kTries = 20;
  std::vector<std::unique_ptr<ReadView>> views;
  for (int i = 0; i < kTries && views.size() < count; ++i) {
    if (i > 0) WR_RETURN_IF_ERROR(view_.OpenAnew());
    views.clear();
    for (bool same = true; same && views.size() < count;) {
      WR_ASSIGN_OR_RETURN(std::unique_ptr<ReadView> view, view_->OpenSame());
      same = view != nullptr;
      if (same) views.push_back(std::move(view));
    }
  }
  if (views.size() < count) views.clear();
  return views;
}

Result<bool> RowScan::OpenNextSlice() {
  Slice slice;
  slice.table = plan_.table;
  slice.direction = plan_.reversed ? Direction::kBackward : Direction::kForward;
  slice.want_statics = table_.has_statics();
  slice.resume = std::move(resume_);
  resume_.reset();
  return std::visit([&](auto& rows) { return OpenNext(rows, slice); }, access_.rows);
}

Result<bool> RowScan::OpenNext(NoRows& /*rows*/, Slice& /*slice*/) { return false; }

Result<bool> RowScan::OpenNext(PartitionsByKey& partitions, Slice& slice) {
  const auto& ranges = partitions.ranges;
  if (partitions.next >= partitions.keys.size() || (ranges && ranges->empty())) return false;
  const Bytes& key = partitions.keys[partitions.next++];
  if (!slice.resume && partitions.one_row_each(table_))
    return OpenPoint(key, table_.clustering_size == 0 ? ByteView() : ByteView((*ranges)[0].begin));
  slice.partitions = Slice::OnePartition{key};
  if (ranges) slice.clustering = *ranges;
  if (!slice.resume) BeginPartition(key);
  return OpenSlice(slice);
}

Result<bool> RowScan::OpenNext(PartitionsByToken& partitions, Slice& slice) {
  if (std::exchange(partitions.opened, true)) return false;
  if (table_.partitioning.by_token())
    slice.partitions = partitions.tokens;
  else
    slice.partitions = Slice::KeyRange{};
  return OpenSlice(slice);
}

Result<bool> RowScan::OpenNext(KeyRanges& keys, Slice& slice) {
  if (slice.resume) {
    const auto behind = [&](const StoredKeyRange& range) {
      return range.end && slice.resume->partition_key >= *range.end;
    };
    const auto first = std::find_if_not(keys.ranges.begin(), keys.ranges.end(), behind);
    keys.next = static_cast<size_t>(first - keys.ranges.begin());
  }
  if (keys.next >= keys.ranges.size()) return false;
  const StoredKeyRange& range = keys.ranges[keys.next++];
  slice.partitions = Slice::KeyRange{range.first, range.end};
  return OpenSlice(slice);
}

Result<bool> RowScan::OpenNext(MergedKeyRanges& keys, Slice& slice) {
  if (keys.ranges.empty() || std::exchange(keys.opened, true)) return false;
  WR_ASSIGN_OR_RETURN(cursor_, OpenInKeyOrder(*view_, std::move(slice), keys.ranges));
  return true;
}

Result<bool> RowScan::OpenNext(RowsByIndex& rows, Slice& slice) {
  if (std::exchange(rows.opened, true)) return false;
  if (rows.order) return OpenInOrder(rows, slice);
  if (rows.nearest) return OpenNearestRows(rows, slice);
  WR_ASSIGN_OR_RETURN(cursor_,
                      OpenIndexCursor(*view_, slice, rows.conditions[0], rows.entries, now_seconds_, RowsWanted() + 1));
  return true;
}

void RowScan::ReadPartitions(const RowsByIndex& rows, Slice& slice) const {
  if (rows.partition)
    slice.partitions = Slice::OnePartition{*rows.partition};
  else if (table_.partitioning.by_token())
    slice.partitions = rows.tokens;
  else
    slice.partitions = Slice::KeyRange{};
}

Result<bool> RowScan::OpenNearestRows(RowsByIndex& rows, Slice& slice) {
  ReadPartitions(rows, slice);
  const TableSize size =
      rows.partition ? SizeOfPartition(table_, *rows.partition, storage_) : SizeOfTokens(table_, rows.tokens, storage_);
  RowsToCompare to_compare{.nearest = *rows.nearest,
                           .condition = rows.conditions.empty() ? nullptr : &rows.conditions[0],
                           .bounds = rows.entries,
                           .slice = std::move(slice),
                           .rows_expected = size.rows,
                           .meter = meter_};
  WR_ASSIGN_OR_RETURN(cursor_, OpenNearest(*view_, std::move(to_compare), now_seconds_, RowsWanted() + 1));
  return true;
}

Result<bool> RowScan::OpenInOrder(RowsByIndex& rows, Slice& slice) {
  ReadPartitions(rows, slice);
  const TableSize size = rows.partition ? SizeOfPartition(table_, *rows.partition, storage_) : TableSize{};
  RowsToOrder to_order{
      .order = *rows.order, .bounds = rows.entries, .slice = std::move(slice), .slice_size = size, .meter = meter_};
  if (!rows.conditions.empty()) to_order.condition = &rows.conditions[0];
  to_order.table_size = SizeOfTokens(table_, Slice::TokenRange{}, storage_);
  WR_ASSIGN_OR_RETURN(
      auto cursor, OpenOrdered(*view_, std::move(to_order), std::move(order_after_), now_seconds_, RowsWanted() + 1));
  ordered_ = cursor.get();
  cursor_ = std::move(cursor);
  return true;
}

Result<bool> RowScan::OpenSlice(Slice& slice) {
  slice.shows_dead = true;
  WR_ASSIGN_OR_RETURN(cursor_, view_->OpenSlice(slice));
  return true;
}

Result<bool> RowScan::OpenPoint(const Bytes& key, ByteView clustering) {
  BeginPartition(key);
  point_room_.Clear();
  if (plan_.needs_statics) WR_RETURN_IF_ERROR(ReadStatics());
  WR_ASSIGN_OR_RETURN(row_pending_, view_->GetRowInto(point_room_, table_, key, clustering, row_));
  return true;
}

void RowScan::BeginPartition(ByteView key) {
  if (meter_ != nullptr) [[unlikely]] {
    EndMetered();
    reads_.emplace();
  }
  position_.Begin(key, limits_.partition_rows, !access_.tokens_shown || HasTokenOf(*access_.tokens_shown, table_, key));
}

Status RowScan::MoveToOther() {
  position_.state = State::kReading;
  if (cursor_ == nullptr || row_.is_static || table_.clustering_size < 2) return OkStatus();
  ByteView last = row_.clustering;
  for (uint32_t i = 0; i + 1 < table_.clustering_size; ++i) {
    const ColumnSchema& column = table_.clustering(i);
    WR_RETURN_IF_ERROR(SkipComparable(*column.type, column.descending, last));
  }
  return cursor_->SkipAlike(row_.clustering.size() - last.size());
}

// Reads the static row of the current partition. Called if the cursor does not return this row: because the cursor
// begins after a resume point, or because there is no cursor.
Status RowScan::ReadStatics() {
  position_.statics.Clear();
  if (!table_.has_statics()) return OkStatus();
  WR_ASSIGN_OR_RETURN(const bool found,
                      view_->GetStaticRowInto(point_room_, table_, position_.partition, point_static_));
  if (found) position_.statics.Assign(point_static_);
  return OkStatus();
}

void RowScan::EndMetered() {
  if (!reads_) return;
  meter_->Partition(position_.partition, reads_->first_clustering, reads_->rows, reads_->bytes);
  reads_.reset();
}

PagingState RowScan::Position() const {
  PagingState state = position_.After(row_, table_);
  state.rows_left = LimitOfRows(limits_.rows_left);
  if (ordered_ != nullptr && ordered_->place()) state.order_term = ordered_->place()->value.value_or(Bytes());
  return state;
}

Status RowScan::LookAtView() {
  WR_ASSIGN_OR_RETURN(const ScanView::Verdict verdict, view_.Look(limits_.any_shown()));
  if (verdict == ScanView::Verdict::kKeep) return OkStatus();
  if (verdict == ScanView::Verdict::kRenew) return RenewView();
  // In a table with statics, Position is valid only after a live row of the partition. So the page cannot end before
  // such a row.
  if (table_.has_statics() && !position_.rows_seen && position_.state != State::kSkipping) return OkStatus();
  position_.at_statics = false;
  view_.EndPage();
  stopped_ = true;
  return OkStatus();
}

// Continues after the current row in another view.
Status RowScan::RenewView() {
  Slice::ResumePoint at{.partition_key = Bytes(row_.partition_key)};
  at.after_static = row_.is_static;
  at.partition_done = position_.state == State::kSkipping || (!row_.is_static && table_.clustering_size == 0);
  at.clustering = Bytes(row_.clustering);
  if (ordered_ != nullptr) order_after_ = ordered_->place();
  ordered_ = nullptr;
  cursor_.reset();
  if (position_.state == State::kLeaving) position_.state = State::kReading;
  WR_RETURN_IF_ERROR(view_.OpenAnew());
  resume_ = std::move(at);
  access_.Reopen();
  return position_.inside() ? ReadStatics() : OkStatus();
}

}  // namespace widerow
