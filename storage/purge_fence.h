// Keeps writes from slipping under a tombstone that is being purged. A write with an old timestamp is deleted by the tombstones
// stored for its row; if one of them went while such a write is in a memtable, or in a part of the commit log that would be
// replayed, the write would come to life: a read would change its answer, and an index would not know of the row.
//
// So the sweeper purges only rows that no memtable knows of, and puts their keys behind the fence from before it looks until
// its commit: a write to one of them waits until then. That is rare: the keys are some hundred of rows deleted gc_grace ago.
#pragma once

#include <memory>
#include <vector>

#include "base/bytes.h"
#include "base/mutex.h"

namespace widerow {

class PurgeFence {
 public:
  // The sweeper, one thread. `keys` in order. On return every write that comes into a memtable either has or will meet the
  // fence. Waits for the group that is being applied, if that began before; never for one that waits for the fence.
  void Raise(std::vector<Bytes> keys);
  void Lower();

  // The writer's thread, around what it puts into memtables.
  void BeginGroup();
  void EndGroup();
  // In a group: whether a write to `key` has to wait.
  bool Guards(ByteView key) const;
  bool is_up() const { return seen_ != nullptr; }
  // What stands afterwards, if anything, is another fence: ask again.
  void WaitUntilLowered();

 private:
  using Keys = std::shared_ptr<const std::vector<Bytes>>;

  Keys seen_;  // The writer's thread's: what stood when the group began.
  Mutex mutex_;
  CondVar changed_;
  Keys raised_ WR_GUARDED_BY(mutex_);
  bool in_group_ WR_GUARDED_BY(mutex_) = false;
  bool group_has_seen_ WR_GUARDED_BY(mutex_) = false;
};

}  // namespace widerow
