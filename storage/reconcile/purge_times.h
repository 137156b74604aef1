// The times at which content may be purged (Cassandra's Cell.purge). A deletion or tombstone: gc_grace after it was
// written. Until then, writes that it deletes may arrive late. Expiring content: gc_grace after it was written, but not
// before it has expired.
#pragma once

#include <algorithm>

#include "storage/row.h"

namespace widerow {

// One number, `since`, represents these times: the second from which gc_grace runs. The data file stores it, and not
// the second at which gc_grace ends, because gc_grace can be altered.
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
