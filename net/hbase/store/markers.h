// Delete markers. In HBase, a delete hides cells with old timestamps, also those that are put after it. The server
// removes the cells that a delete hides, and keeps the delete as a marker, a row of hbase.markers. A put that a marker
// hides is not stored. A marker is kept for the gc_grace_seconds of its family.
#pragma once

#include "net/hbase/store/catalog.h"

namespace widerow::hbase {

struct Marker {
  CellType type = CellType::kDelete;
  Bytes qualifier;  // Empty for kinds that hide a whole family.
  int64_t timestamp = 0;

  bool Hides(const Bytes& column, int64_t cell_timestamp) const;
  // True if everything that `other` hides is hidden by this marker.
  bool Covers(const Marker& other) const;
};

// The markers of a family in one row. The row's lock is held.
class RowMarkers {
 public:
  // Reads the markers.
  static Result<RowMarkers> Read(Catalog& catalog, const Database& database, const HFamily& family, const Bytes& row);

  bool Hides(const Bytes& column, int64_t timestamp) const;
  // Adds a marker, and removes those that it covers.
  void Add(const Marker& marker);
  // Appends the writes for the changes. Raises the family's newest_marker.
  Status AppendWrites(Catalog& catalog, const HFamily& family, const Bytes& row,
                      std::vector<BatchEntry>& entries) const;

 private:
  std::vector<Marker> markers_, added_, removed_;
};

}  // namespace widerow::hbase
