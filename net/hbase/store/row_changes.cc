#include "net/hbase/store/row_changes.h"

#include <algorithm>
#include <limits>

#include "net/hbase/store/column_matcher.h"
#include "net/hbase/store/row_reader.h"

namespace widerow::hbase {

Status FamilyChanges::NeedRow() {
  if (whole_row_) return OkStatus();
  WR_ASSIGN_OR_RETURN(StoredRow stored,
                      ReadStoredRow(database_, {ReadFamily{&family_, nullptr}}, row_, nullptr, {.unseen = unseen_}));
  for (Cell& cell : stored.families[0]) {
    if (known_.contains(cell.qualifier)) continue;
    before_[cell.qualifier].try_emplace(cell.timestamp, cell.value);
    columns_[cell.qualifier].try_emplace(cell.timestamp, std::move(cell.value));
  }
  whole_row_ = true;
  return OkStatus();
}

Status FamilyChanges::NeedColumn(const Bytes& qualifier) {
  if (whole_row_ || known_.contains(qualifier)) return OkStatus();
  const FamilyColumns columns{.family = family_.name, .qualifiers = {qualifier}};
  WR_ASSIGN_OR_RETURN(StoredRow stored,
                      ReadStoredRow(database_, {ReadFamily{&family_, &columns}}, row_, nullptr, {.unseen = unseen_}));
  Versions& versions = columns_[qualifier];
  for (Cell& cell : stored.families[0]) {
    before_[qualifier].try_emplace(cell.timestamp, cell.value);
    versions.try_emplace(cell.timestamp, std::move(cell.value));
  }
  known_.insert(qualifier);
  return OkStatus();
}

Status FamilyChanges::NeedMarkers() {
  if (markers_) return OkStatus();
  WR_ASSIGN_OR_RETURN(markers_, RowMarkers::Read(catalog_, database_, family_, row_));
  return OkStatus();
}

Status FamilyChanges::Put(Cell cell, int64_t ttl_ms) {
  if (markers_ || cell.timestamp <= family_.state->newest_marker) {
    WR_RETURN_IF_ERROR(NeedMarkers());
    if (markers_->Hides(cell.qualifier, cell.timestamp)) return OkStatus();
  }
  const std::pair<Bytes, int64_t> key{cell.qualifier, cell.timestamp};
  columns_[cell.qualifier][cell.timestamp] = cell.value;
  puts_[key] = {.value = std::move(cell.value), .ttl_ms = ttl_ms};
  return OkStatus();
}

std::vector<Cell> FamilyChanges::Shown(const Bytes& qualifier, const TimeRange& range, int32_t count) const {
  const auto found = before_.find(qualifier);
  if (found == before_.end()) return {};
  ReadSpec spec;
  spec.time_range = range;
  spec.max_versions = count;
  std::vector<Cell> stored, shown;
  for (const auto& [timestamp, value] : found->second) {
    stored.push_back({.family = family_.name, .qualifier = qualifier, .timestamp = timestamp, .value = value});
  }
  ColumnMatcher(ReadFamily{&family_, nullptr}, spec, now_ms_).Match(row_, stored, shown);
  return shown;
}

Result<std::optional<Cell>> FamilyChanges::Newest(const Bytes& qualifier, const TimeRange& range) {
  WR_RETURN_IF_ERROR(NeedColumn(qualifier));
  std::vector<Cell> shown = Shown(qualifier, range, 1);
  if (shown.empty()) return std::optional<Cell>();
  return std::optional<Cell>(std::move(shown.front()));
}

Result<int64_t> FamilyChanges::VisibleFrom(const Bytes& qualifier, int64_t timestamp) {
  if (!markers_ && timestamp > family_.state->newest_marker) return timestamp;
  WR_RETURN_IF_ERROR(NeedMarkers());
  if (markers_->has_added()) return timestamp;
  // Timestamps that lie further ahead of the clock come from clients. As in HBase, such a marker hides the cell.
  constexpr int64_t kAheadMs = 1'000;
  for (int64_t visible = timestamp; visible < now_ms_ + kAheadMs; ++visible) {
    if (!markers_->Hides(qualifier, visible)) return visible;
  }
  return timestamp;
}

Result<int64_t> FamilyChanges::LifeMs(const Cell& cell) const {
  int64_t life_ms = 0;
  const int64_t now_seconds = now_ms_ / 1'000;
  const RowSink sink = [&](const std::vector<ValueView>& row) {
    if (!row[0] || row[0]->size() != 4) return false;
    const int64_t end_ms = (now_seconds + ReadBigEndian<int32_t>(row[0]->data())) * 1'000;
    // AppendPut has rounded the end of the cell's life up to a whole second, so this difference is up to a second too
    // long. If the life is a whole number of seconds, as for most cells, rounding the difference down makes it exact.
    life_ms = end_ms - cell.timestamp;
    if (life_ms > 1'000) life_ms -= life_ms % 1'000;
    return false;
  };
  WR_RETURN_IF_ERROR(database_.Read(family_.statements.read_life,
                                    {BytesValue(row_), BytesValue(cell.qualifier), BigintValue(cell.timestamp)}, sink,
                                    now_seconds));
  return life_ms;
}

std::optional<int64_t> FamilyChanges::ShownTime(const Bytes& qualifier, int32_t nth) {
  const auto [found, is_new] = shown_times_.try_emplace(qualifier);
  if (is_new) {
    for (const Cell& cell : Shown(qualifier, {}, std::numeric_limits<int32_t>::max())) {
      found->second.push_back(cell.timestamp);
    }
  }
  const auto at = static_cast<size_t>(nth) - 1;
  return at < found->second.size() ? std::optional(found->second[at]) : std::nullopt;
}

void FamilyChanges::RemoveTime(const Bytes& qualifier, int64_t timestamp) {
  if (columns_[qualifier].erase(timestamp) == 0) return;
  puts_.erase({qualifier, timestamp});
  deletes_.insert({qualifier, timestamp});  // Has no effect if the cell is not stored.
}

void FamilyChanges::RemoveUpTo(const Bytes& qualifier, int64_t timestamp) {
  const Versions& versions = columns_[qualifier];
  for (auto at = versions.lower_bound(timestamp); at != versions.end();) RemoveTime(qualifier, (at++)->first);
}

void FamilyChanges::RemoveInAllColumns() {
  for (const auto& [qualifier, versions] : columns_) {
    for (auto at = versions.begin(); at != versions.end();) {
      const int64_t timestamp = (at++)->first;
      if (family_deletes_.Has(timestamp)) RemoveTime(qualifier, timestamp);
    }
  }
}

Status FamilyChanges::Delete(const Cell& cell, int32_t nth) {
  const bool whole_family = cell.type == CellType::kDeleteFamily || cell.type == CellType::kDeleteFamilyVersion;
  WR_RETURN_IF_ERROR(whole_family ? NeedRow() : NeedColumn(cell.qualifier));
  WR_RETURN_IF_ERROR(NeedMarkers());
  Marker marker{.type = cell.type, .qualifier = whole_family ? Bytes() : cell.qualifier, .timestamp = cell.timestamp};
  if (marker.timestamp == kLatestTimestamp) {
    marker.timestamp = now_ms_;
    if (cell.type == CellType::kDelete) marker.timestamp = ShownTime(cell.qualifier, nth).value_or(now_ms_);
  }
  switch (marker.type) {
    case CellType::kDeleteColumn: RemoveUpTo(marker.qualifier, marker.timestamp); break;
    case CellType::kDelete: RemoveTime(marker.qualifier, marker.timestamp); break;
    default: family_deletes_.Add(marker); break;
  }
  markers_->Add(marker);
  return OkStatus();
}

BatchEntry FamilyChanges::Entry(const PreparedPtr& statement, std::vector<BoundValue> values) const {
  return {.statement = statement, .values = std::move(values), .names = {}};
}

void FamilyChanges::AppendPut(const Bytes& qualifier, int64_t timestamp, const PutCell& put,
                              std::vector<BatchEntry>& entries) const {
  std::vector<BoundValue> values = {BytesValue(row_), BytesValue(qualifier), BigintValue(timestamp),
                                    BytesValue(put.value)};
  // The storage may forget a cell as soon as no read can show it.
  int64_t life_ms = put.ttl_ms > 0 ? put.ttl_ms : kLatestTimestamp;
  if (family_.options.ttl_seconds != FamilyOptions::kForever && family_.options.min_versions == 0) {
    life_ms = std::min(life_ms, family_.options.ttl_seconds * 1'000);
  }
  constexpr int64_t kLongestMs = 600'000'000'000;  // About 19 years. A cell that lives longer is stored without a TTL.
  if (life_ms >= kLongestMs || timestamp > now_ms_ + kLongestMs) {
    entries.push_back(Entry(family_.statements.insert, std::move(values)));
    return;
  }
  const int64_t end_ms = timestamp + life_ms;
  if (end_ms < now_ms_) return;  // Already expired.
  // The storage forgets a value at the beginning of a second. For this cell, that is the first second that does not
  // begin before the end of the cell's life.
  const int64_t seconds = (end_ms + 999) / 1'000 - now_ms_ / 1'000;
  values.push_back(IntValue(static_cast<int32_t>(std::max<int64_t>(seconds, 1))));
  entries.push_back(Entry(family_.statements.insert_ttl, std::move(values)));
}

void FamilyChanges::AppendDeletes(std::vector<BatchEntry>& entries) const {
  if (deletes_.empty()) return;
  const bool row_is_empty = whole_row_ && puts_.empty() &&
                            std::ranges::all_of(columns_, [](const auto& column) { return column.second.empty(); });
  if (row_is_empty) return entries.push_back(Entry(family_.statements.delete_row, {BytesValue(row_)}));
  for (auto at = deletes_.begin(); at != deletes_.end();) {
    const Bytes& qualifier = at->first;
    const auto end = std::find_if(at, deletes_.end(), [&](const auto& each) { return each.first != qualifier; });
    const auto column = columns_.find(qualifier);
    if (column == columns_.end() || column->second.empty()) {
      entries.push_back(Entry(family_.statements.delete_column, {BytesValue(row_), BytesValue(qualifier)}));
      at = end;
      continue;
    }
    for (; at != end; ++at) {
      if (puts_.contains(*at)) continue;
      entries.push_back(
          Entry(family_.statements.delete_cell, {BytesValue(row_), BytesValue(at->first), BigintValue(at->second)}));
    }
  }
}

Status FamilyChanges::AppendWrites(std::vector<BatchEntry>& entries) {
  RemoveInAllColumns();
  AppendDeletes(entries);
  for (const auto& [key, put] : puts_) AppendPut(key.first, key.second, put, entries);
  if (markers_) WR_RETURN_IF_ERROR(markers_->AppendWrites(catalog_, family_, row_, entries));
  return OkStatus();
}

}  // namespace widerow::hbase
