// The part of the database that reads see in addition to the data file: memtables, and large deletions that the sweeper
// has not applied everywhere yet. It is replaced as a whole (docs/internals/write-path.md, "Snapshots"). The engine
// owns the SharedReadState.
#pragma once

#include <atomic>
#include <functional>

#include "base/published.h"
#include "storage/count/purge_ledger.h"
#include "storage/memtable/memtable.h"
#include "storage/reconcile/overlay.h"

namespace widerow {

// The memtable that takes writes and the one that is being folded.
inline constexpr size_t kMemtablesMax = 2;

struct ReadState {                     // Immutable.
  std::vector<MemtablePtr> memtables;  // Newest first; the first one takes writes.
  OverlayPtr overlay;                  // Null: no large deletions, the usual case.
};
using ReadStatePtr = std::shared_ptr<const ReadState>;

// Thread-safe. A reader takes a snapshot in these steps: version(), Load(), renew the LMDB transaction; again from the
// start if version() has changed; then visible(). Changes keep an order that makes this correct: a memtable is removed
// after the commit that completes its fold, and a deletion is added to the overlay before the commit that stores it.
class SharedReadState {
 public:
  SharedReadState();

  uint64_t version() const { return version_.load(std::memory_order_seq_cst); }
  ReadStatePtr Load() const { return state_.Load(); }
  // Reads see the writes up to this sequence number. Only these writes may be answered as successful.
  uint64_t visible() const { return visible_.load(std::memory_order_acquire); }
  void PublishVisible(uint64_t sequence) { visible_.store(sequence, std::memory_order_release); }

  MemtablePtr active() const { return Load()->memtables.front(); }
  // Puts an empty memtable in front; the previous one is frozen then. There must be no frozen memtable yet.
  void Freeze();
  // Returns the memtable to fold; null if there is none.
  MemtablePtr frozen() const;
  // Removes the frozen memtable: LMDB has its content.
  void DropFrozen();
  void PublishOverlay(std::vector<PendingDeletionPtr> deletions);
  // Reads report to this ledger the partitions in which they passed many dead rows.
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
