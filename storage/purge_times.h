// When something may be purged: a deletion or tombstone gc_grace after it was written, as late writes that it deletes may come
// until then; what expires gc_grace after it was written too, but not before it has expired (Cassandra's Cell.purge).
#pragma once

#include <algorithm>

#include "storage/row.h"

namespace widerow {

// Deletions and expiring content are told apart by one number, `since`: the second from which gc_grace runs. It is kept (in the
// data file as well) rather than the second at which it ends, because gc_grace can be altered.
struct PurgeTimes {
  int64_t now_seconds = 0;
  int64_t gc_grace_seconds = 0;

  bool IsDue(int64_t since) const { return since < now_seconds - gc_grace_seconds; }

  int64_t SinceOfExpiring(int64_t expires_at, int32_t ttl) const {
    return expires_at - std::min<int64_t>(ttl, gc_grace_seconds);
  }
  // Only of a marker that expires.
  int64_t SinceOf(const Liveness& marker) const { return SinceOfExpiring(marker.expires_at, marker.ttl); }
  // Only of a tombstone or a cell that expires.
  template <typename BytesType>
  int64_t SinceOf(const BasicCell<BytesType>& cell) const {
    return cell.tombstone ? cell.expires_at : SinceOfExpiring(cell.expires_at, cell.ttl);
  }
};

}  // namespace widerow
