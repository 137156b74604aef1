// Makes writes wait while a tombstone that concerns them is purged.
//
// The tombstones stored for a row delete writes with older timestamps. Suppose that such a write is in a memtable, or
// in a part of the commit log that could be replayed, when its tombstone is purged. The write would then become
// visible: reads would change their answer, and indexes would not know the row.
//
// Therefore the sweeper purges only rows that are in no memtable. It raises a fence over their keys before it looks
// into the memtables, and lowers the fence after its commit. Meanwhile, writes to these keys wait. Few writes do: a
// fence has at most kPurgeCandidatesMax keys (purge_scan.h), and what is purged of their rows was deleted or expired at
// least gc_grace ago.
#pragma once

#include <memory>
#include <vector>

#include "base/bytes.h"
#include "base/mutex.h"

namespace widerow {

class PurgeFence {
 public:
  // Raises a fence over `keys`, which are sorted. Called on the folder's thread only. If the writer is putting a group
  // of writes into the memtable, this function waits until the group ends or sees the fence. So, after it has returned,
  // each write to these keys is in a memtable already or will see the fence.
  void Raise(std::vector<Bytes> keys);
  void Lower();

  // Called on the writer's thread only, before and after it puts a group of writes into memtables.
  void BeginGroup();
  void EndGroup();
  // True if a write of the current group to `key` has to wait.
  bool Guards(ByteView key) const;
  bool is_up() const { return seen_ != nullptr; }
  // Waits until the fence that this group has seen is lowered. Another fence may be up by then, so call Guards() again.
  void WaitUntilLowered();

 private:
  using Keys = std::shared_ptr<const std::vector<Bytes>>;

  // The keys of the fence that was up when the group began or when its last wait ended. Null if no fence was up. Only
  // the writer's thread uses it.
  Keys seen_;
  Mutex mutex_;
  CondVar changed_;
  Keys raised_ WR_GUARDED_BY(mutex_);
  bool in_group_ WR_GUARDED_BY(mutex_) = false;
  bool group_has_seen_ WR_GUARDED_BY(mutex_) = false;
};

}  // namespace widerow
