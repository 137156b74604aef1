#include "net/hbase/store/markers.h"

#include <algorithm>

namespace widerow::hbase {

bool Marker::Hides(const Bytes& column, int64_t cell_timestamp) const {
  switch (type) {
    case CellType::kDelete: return cell_timestamp == timestamp && column == qualifier;
    case CellType::kDeleteColumn: return cell_timestamp <= timestamp && column == qualifier;
    case CellType::kDeleteFamily: return cell_timestamp <= timestamp;
    case CellType::kDeleteFamilyVersion: return cell_timestamp == timestamp;
    case CellType::kPut: break;
  }
  return false;
}

bool Marker::Covers(const Marker& other) const {
  if (type == CellType::kDeleteFamily) return other.timestamp <= timestamp;
  if (type == CellType::kDeleteColumn) {
    return (other.type == CellType::kDelete || other.type == CellType::kDeleteColumn) && other.qualifier == qualifier &&
           other.timestamp <= timestamp;
  }
  return other.type == type && other.qualifier == qualifier && other.timestamp == timestamp;
}

Result<RowMarkers> RowMarkers::Read(Catalog& catalog, const Database& database, const HFamily& family,
                                    const Bytes& row) {
  RowMarkers made;
  WR_ASSIGN_OR_RETURN(const auto system, catalog.SystemIfExists());
  if (system == nullptr) return made;
  const RowSink sink = [&](const std::vector<ValueView>& values) {
    if (!values[0] || values[0]->size() != 1 || !values[1] || !values[2] || values[2]->size() != 8) return true;
    made.markers_.push_back({.type = static_cast<CellType>(values[0]->front()),
                             .qualifier = Bytes(*values[1]),
                             .timestamp = ReadBigEndian<int64_t>(values[2]->data())});
    return true;
  };
  WR_RETURN_IF_ERROR(database.Read(*system->read_markers, {BytesValue(family.state->id), BytesValue(row)}, sink));
  return made;
}

bool RowMarkers::Hides(const Bytes& column, int64_t timestamp) const {
  return std::ranges::any_of(markers_, [&](const Marker& marker) { return marker.Hides(column, timestamp); });
}

void RowMarkers::Add(const Marker& marker) {
  if (std::ranges::any_of(markers_, [&](const Marker& other) { return other.Covers(marker); })) {
    // A marker that exists is written again, so that its gc_grace_seconds begin anew.
    const bool same = std::ranges::any_of(
        markers_, [&](const Marker& other) { return other.Covers(marker) && marker.Covers(other); });
    if (!same) return;
  }
  for (const Marker& other : markers_) {
    if (marker.Covers(other) && !other.Covers(marker)) removed_.push_back(other);
  }
  std::erase_if(markers_, [&](const Marker& other) { return marker.Covers(other); });
  std::erase_if(added_, [&](const Marker& other) { return marker.Covers(other); });
  markers_.push_back(marker);
  added_.push_back(marker);
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
  for (const Marker& marker : removed_) {
    entries.push_back({.statement = system->remove_marker, .values = key(marker), .names = {}});
  }
  for (const Marker& marker : added_) {
    std::vector<BoundValue> values = key(marker);
    values.push_back(IntValue(kept_seconds));
    entries.push_back({.statement = system->add_marker, .values = std::move(values), .names = {}});
    for (int64_t known = newest; known < marker.timestamp && !newest.compare_exchange_weak(known, marker.timestamp);) {}
  }
  return OkStatus();
}

}  // namespace widerow::hbase
