// The ReadState is what reads see in addition to the data file: the memtables, and the large deletions that the sweeper
// has not applied to all rows yet. A change replaces it as a whole (docs/internals/write-path.md, "Snapshots"). The
// engine owns the SharedReadState.
#pragma once

#include <atomic>
#include <functional>

#include "base/published.h"
#include "storage/count/purge_ledger.h"
#include "storage/memtable/memtable.h"
#include "storage/reconcile/overlay.h"

namespace widerow {

// The greatest number of memtables: one takes writes, and one is being folded.
inline constexpr size_t kMemtablesMax = 2;

struct ReadState {                     // Immutable.
  std::vector<MemtablePtr> memtables;  // Newest first; the first one takes writes.
  OverlayPtr overlay;                  // Null: no large deletions, the usual case.
};
using ReadStatePtr = std::shared_ptr<const ReadState>;

// Thread-safe. A reader takes a snapshot in these steps:
// 1. It calls version(), Load() and then visible().
// 2. It renews its LMDB transaction.
// 3. If version() has changed meanwhile, it begins again.
// The following order of changes makes these steps correct. A memtable is removed after the commit that completes its
// fold. A deletion is added to the overlay before the commit that stores it. The pieces of a large object are committed
// before the write that refers to them is visible, so the transaction sees the pieces of all visible references. When a
// memtable is frozen, all of its writes are visible.
class SharedReadState {
 public:
  SharedReadState();

  uint64_t version() const { return version_.load(std::memory_order_seq_cst); }
  ReadStatePtr Load() const { return state_.Load(); }
  // Returns the sequence number up to which reads see writes. Only these writes may be answered as successful.
  uint64_t visible() const { return visible_.load(std::memory_order_acquire); }
  void PublishVisible(uint64_t sequence) { visible_.store(sequence, std::memory_order_release); }

  MemtablePtr active() const { return Load()->memtables.front(); }
  // Freezes the memtable that takes writes, and makes an empty memtable that takes writes from now on. There must be no
  // frozen memtable yet.
  void Freeze();
  // Returns the memtable to fold; null if there is none.
  MemtablePtr frozen() const;
  // Removes the frozen memtable: LMDB has its content.
  void DropFrozen();
  void PublishOverlay(std::vector<PendingDeletionPtr> deletions);
  // The ledger to which reads report the partitions in which they have passed many dead rows.
  PurgeLedger& ledger() const { return ledger_; }

 private:
  void Change(const std::function<void(ReadState&)>& change);

  std::atomic<uint64_t> visible_{0};
  std::atomic<uint64_t> version_{0};
  Mutex mutex_;  // Held while the state is changed.
  Published<ReadState> state_;
  mutable PurgeLedger ledger_;
};

}  // namespace widerow
