// What reads see besides the data file: memtables, and big deletions that are still being swept. Replaced whole; see
// docs/internals/write-path.md, "Snapshots".
#pragma once

#include <atomic>
#include <functional>

#include "base/published.h"
#include "storage/memtable.h"
#include "storage/overlay.h"
#include "storage/purge_ledger.h"

namespace widerow {

// The one being written and the one being folded.
inline constexpr size_t kMemtablesMax = 2;

struct ReadState {  // Immutable.
  std::vector<MemtablePtr> memtables;  // Newest first; the first is the one being written.
  OverlayPtr overlay;                  // Null: none, the usual case.
};
using ReadStatePtr = std::shared_ptr<const ReadState>;

// Thread-safe. A snapshot is: version(), Load(), renew the LMDB transaction, and again if version() has moved; then
// visible(). What leaves a memtable for LMDB, or comes into the overlay, does so in this order: a memtable leaves after the
// commit that completes its fold, a deletion comes in before the commit that stores it.
class SharedReadState {
 public:
  SharedReadState();

  uint64_t version() const { return version_.load(std::memory_order_seq_cst); }
  ReadStatePtr Load() const { return state_.Load(); }
  // Writes up to here have been answered, or may be.
  uint64_t visible() const { return visible_.load(std::memory_order_acquire); }
  void PublishVisible(uint64_t sequence) { visible_.store(sequence, std::memory_order_release); }

  MemtablePtr active() const { return Load()->memtables.front(); }
  // Puts an empty memtable in front. None may be frozen.
  void Freeze();
  // The one to be folded; null if there is none.
  MemtablePtr frozen() const;
  // It is in LMDB now.
  void DropFrozen();
  void PublishOverlay(std::vector<PendingDeletionPtr> deletions);
  // Reads say there where they met many dead rows.
  PurgeLedger& ledger() const { return ledger_; }

 private:
  void Change(const std::function<void(ReadState&)>& change);

  std::atomic<uint64_t> visible_{0};
  std::atomic<uint64_t> version_{0};
  Mutex mutex_;  // Held by those who change the state.
  Published<ReadState> state_;
  mutable PurgeLedger ledger_;
};

}  // namespace widerow
