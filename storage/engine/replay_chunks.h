// Divides the log of a backup into chunks. Each chunk is replayed by one opening of the engine, as a start replays the
// commit log: first the writes go into a memtable, then the direct groups (storage/fold/direct_log.h) are repeated,
// then the memtable is folded. The result must be the same as if the groups were replayed one by one, in the order of
// the log.
#pragma once

#include <set>

#include "base/bytes.h"
#include "storage/log/recovery.h"

namespace widerow {

class ReplayChunk {
 public:
  explicit ReplayChunk(size_t bytes_max) : bytes_max_(bytes_max) {}

  // True if the group may be replayed in the same chunk as the groups added before. It returns false if
  // - the chunk is full;
  // - the group purges in a partition to which the chunk writes. The purge must come after the write is folded;
  // - the group changes the schema, and the chunk has a direct group, which must be replayed with the earlier schema.
  bool Takes(const LogGroup& group) const;
  void Add(const LogGroup& group);

 private:
  const size_t bytes_max_;
  size_t bytes_ = 0;
  bool has_direct_ = false;
  std::set<Bytes, std::less<>> written_;  // The prefixes of the partitions to which the chunk writes.
};

}  // namespace widerow
