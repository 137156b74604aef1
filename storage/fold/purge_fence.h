// Protects against writes that come while a tombstone is purged. The tombstones stored for a row delete writes with
// older timestamps. Suppose such a write is in a memtable, or in a part of the commit log that could be replayed, when
// its tombstone is purged. The write would then become visible: reads would change their answer, and indexes would not
// know the row.
//
// So the sweeper purges only rows that are in no memtable. It raises a fence over their keys before it looks into the
// memtables, and lowers it after its commit. Writes to these keys wait in between. That is rare: a fence has about a
// thousand keys, of rows that were deleted gc_grace ago.
#pragma once

#include <memory>
#include <vector>

#include "base/bytes.h"
#include "base/mutex.h"

namespace widerow {

class PurgeFence {
 public:
  // Raises a fence over `keys`, which are in order. Called on the sweeper's thread only. If the writer is putting a
  // group of writes into the memtable, this function waits until that group ends or sees the fence. So on return each
  // write to these keys is in a memtable, or will see the fence.
  void Raise(std::vector<Bytes> keys);
  void Lower();

  // Called on the writer's thread only, around the writes that it puts into memtables.
  void BeginGroup();
  void EndGroup();
  // True if a write of the group to `key` has to wait.
  bool Guards(ByteView key) const;
  bool is_up() const { return seen_ != nullptr; }
  // Waits until the fence that this group has seen is lowered. Another fence may be up by then: call Guards() again.
  void WaitUntilLowered();

 private:
  using Keys = std::shared_ptr<const std::vector<Bytes>>;

  // The fence that was up when the group began, or when it last stopped waiting. Only the writer's thread uses it.
  Keys seen_;
  Mutex mutex_;
  CondVar changed_;
  Keys raised_ WR_GUARDED_BY(mutex_);
  bool in_group_ WR_GUARDED_BY(mutex_) = false;
  bool group_has_seen_ WR_GUARDED_BY(mutex_) = false;
};

}  // namespace widerow
