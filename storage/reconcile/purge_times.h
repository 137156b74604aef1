// Decides when content may be purged, by the rules of Cassandra (Cell.purge). A deletion or a tombstone may be purged
// gc_grace after it was written, because writes that it deletes may arrive until then. Expiring content may be purged
// gc_grace after it was written, but not before it has expired.
#pragma once

#include <algorithm>

#include "storage/row.h"

namespace widerow {

// Each piece of content has one number for this, `since`: the second from which gc_grace runs. The data file stores
// `since` and not the second at which gc_grace ends, because the gc_grace of a table can be altered.
struct PurgeTimes {
  int64_t now_seconds = 0;
  int64_t gc_grace_seconds = 0;

  bool IsDue(int64_t since) const { return since < now_seconds - gc_grace_seconds; }

  int64_t SinceOfExpiring(int64_t expires_at, int32_t ttl) const {
    return expires_at - std::min<int64_t>(ttl, gc_grace_seconds);
  }
  // Returns the `since` of a marker that expires.
  int64_t SinceOf(const Liveness& marker) const { return SinceOfExpiring(marker.expires_at, marker.ttl); }
  // Returns the `since` of a tombstone, or of a cell that expires.
  template <typename BytesType>
  int64_t SinceOf(const BasicCell<BytesType>& cell) const {
    return cell.tombstone ? cell.expires_at : SinceOfExpiring(cell.expires_at, cell.ttl);
  }
};

}  // namespace widerow
