// Chooses the versions that a read of a family needs. It gets the versions of a row column by column, the newest first.
// Used by one thread.
#pragma once

#include "net/hbase/cells/cell.h"

namespace widerow::hbase {

class VersionCount {
 public:
  // The newest `versions_max` (> 0) versions in `times` are kept.
  VersionCount(int32_t versions_max, const TimeRange& times) : versions_max_(versions_max), times_(times) {}

  // Must be called before the first version of a row.
  void BeginRow() { kept_ = 0, full_ = false; }
  // Returns true if the version is kept. `same_column`: the last kept version of this row has the same column.
  bool Keep(bool same_column, int64_t timestamp) {
    const int place = times_.Compare(timestamp);
    full_ = false;
    if (place > 0) return false;
    kept_ = same_column ? kept_ + 1 : 1;
    full_ = place < 0 || kept_ >= versions_max_;
    return place == 0 && kept_ <= versions_max_;
  }
  // True if no older version of the column is kept.
  bool column_full() const { return full_; }

 private:
  const int32_t versions_max_;
  const TimeRange times_;
  int32_t kept_ = 0;  // How many versions of the present column are kept.
  bool full_ = false;
};

}  // namespace widerow::hbase
