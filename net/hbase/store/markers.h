// Delete markers. In HBase, a delete hides cells with old timestamps, even cells that are put after the delete. The
// server removes the cells that a delete hides, and keeps the delete as a marker, a row of hbase.markers. A put that a
// marker hides is not stored. A marker is kept for the gc_grace_seconds of its family.
#pragma once

#include <compare>
#include <map>
#include <set>

#include "net/hbase/store/catalog.h"

namespace widerow::hbase {

struct Marker {
  CellType type = CellType::kDelete;
  Bytes qualifier;  // Empty for kinds that hide a whole family.
  int64_t timestamp = 0;

  bool of_family() const { return type == CellType::kDeleteFamily || type == CellType::kDeleteFamilyVersion; }
  std::strong_ordering operator<=>(const Marker&) const = default;
};

// The timestamps that some markers hide.
struct HiddenTimes {
  std::optional<int64_t> up_to;  // This timestamp and all older ones.
  std::set<int64_t> exact;

  void Add(const Marker& marker);
  bool HasUpTo(int64_t timestamp) const { return up_to && timestamp <= *up_to; }
  bool Has(int64_t timestamp) const { return HasUpTo(timestamp) || exact.contains(timestamp); }
};

// The markers of a family in one row. The row's lock is held.
class RowMarkers {
 public:
  // Reads the markers of the family in the row.
  static Result<RowMarkers> Read(Catalog& catalog, const Database& database, const HFamily& family, const Bytes& row);

  // True if a marker hides a cell. The time of Hides and Add grows with the logarithm of the number of markers.
  bool Hides(const Bytes& column, int64_t timestamp) const;
  void Add(const Marker& marker);
  bool has_added() const { return !added_.empty(); }
  // Appends the writes that store the added markers, and that remove stored markers which other markers cover. Raises
  // the family's newest_marker.
  Status AppendWrites(Catalog& catalog, const HFamily& family, const Bytes& row,
                      std::vector<BatchEntry>& entries) const;

 private:
  void Count(const Marker& marker);
  // True if no other marker hides everything that the marker hides.
  bool IsNeeded(const Marker& marker) const;

  HiddenTimes family_;
  std::map<Bytes, HiddenTimes> columns_;
  std::vector<Marker> stored_;
  std::set<Marker> added_;
};

}  // namespace widerow::hbase
