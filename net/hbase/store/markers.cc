#include "net/hbase/store/markers.h"

#include <algorithm>

namespace widerow::hbase {

Result<RowMarkers> RowMarkers::Read(Catalog& catalog, const Database& database, const HFamily& family,
                                    const Bytes& row) {
  RowMarkers made;
  WR_ASSIGN_OR_RETURN(const auto system, catalog.SystemIfExists());
  if (system == nullptr) return made;
  const RowSink sink = [&](const std::vector<ValueView>& values) {
    if (!values[0] || values[0]->size() != 1 || !values[1] || !values[2] || values[2]->size() != 8) return true;
    made.stored_.push_back({.type = static_cast<CellType>(values[0]->front()),
                            .qualifier = Bytes(*values[1]),
                            .timestamp = ReadBigEndian<int64_t>(values[2]->data())});
    made.Count(made.stored_.back());
    return true;
  };
  WR_RETURN_IF_ERROR(database.Read(system->read_markers, {BytesValue(family.state->id), BytesValue(row)}, sink));
  return made;
}

void HiddenTimes::Add(const Marker& marker) {
  if (marker.type == CellType::kDeleteFamily || marker.type == CellType::kDeleteColumn) {
    up_to = std::max(up_to.value_or(marker.timestamp), marker.timestamp);
  } else {
    exact.insert(marker.timestamp);
  }
}

void RowMarkers::Count(const Marker& marker) {
  (marker.of_family() ? family_ : columns_[marker.qualifier]).Add(marker);
}

bool RowMarkers::Hides(const Bytes& column, int64_t timestamp) const {
  if (family_.Has(timestamp)) return true;
  const auto found = columns_.find(column);
  return found != columns_.end() && found->second.Has(timestamp);
}

void RowMarkers::Add(const Marker& marker) {
  Count(marker);
  added_.insert(marker);
}

bool RowMarkers::IsNeeded(const Marker& marker) const {
  if (marker.type == CellType::kDeleteFamily) return marker.timestamp == family_.up_to;
  if (family_.HasUpTo(marker.timestamp)) return false;
  if (marker.type == CellType::kDeleteFamilyVersion) return true;
  const HiddenTimes& times = columns_.at(marker.qualifier);
  return marker.type == CellType::kDeleteColumn ? marker.timestamp == times.up_to : !times.HasUpTo(marker.timestamp);
}

Status RowMarkers::AppendWrites(Catalog& catalog, const HFamily& family, const Bytes& row,
                                std::vector<BatchEntry>& entries) const {
  const int32_t kept_seconds = family.table->options.gc_grace_seconds;
  if (added_.empty() || kept_seconds == 0) return OkStatus();
  WR_ASSIGN_OR_RETURN(const auto system, catalog.System());
  std::atomic<int64_t>& newest = family.state->newest_marker;
  const auto key = [&](const Marker& marker) {
    return std::vector<BoundValue>{BytesValue(family.state->id), BytesValue(row),
                                   TinyintValue(static_cast<uint8_t>(marker.type)), BytesValue(marker.qualifier),
                                   BigintValue(marker.timestamp)};
  };
  for (const Marker& marker : stored_) {
    if (IsNeeded(marker)) continue;
    entries.push_back({.statement = system->remove_marker, .values = key(marker), .names = {}});
  }
  // A marker that exists is written again, so that its gc_grace_seconds begin anew.
  for (const Marker& marker : added_) {
    if (!IsNeeded(marker)) continue;
    std::vector<BoundValue> values = key(marker);
    values.push_back(IntValue(kept_seconds));
    entries.push_back({.statement = system->add_marker, .values = std::move(values), .names = {}});
    for (int64_t known = newest; known < marker.timestamp && !newest.compare_exchange_weak(known, marker.timestamp);) {}
  }
  return OkStatus();
}

}  // namespace widerow::hbase
