// Read views over pooled snapshots.
#pragma once

#include <array>
#include <atomic>

#include "base/mutex.h"
#include "storage/engine.h"
#include "storage/partition_counters.h"
#include "storage/row_reader.h"

namespace widerow {

// A snapshot that is used again and again: its transaction is renewed, its cursors and memory stay.
struct PooledSnapshot {
  explicit PooledSnapshot(lmdb::ReadTxn begun) : txn(std::move(begun)) { source.txn = txn.ref(); }

  lmdb::ReadTxn txn;
  ReadSource source;
  uint64_t state_version = ~uint64_t{0};
  Arena arena;
  Bytes key;
  RowView row;
  PartitionCounters::LastRead last_read;
};

class SnapshotPool;

// Holds a snapshot and gives it back.
class SnapshotLease {
 public:
  SnapshotLease(SnapshotPool& pool, std::unique_ptr<PooledSnapshot> snapshot)
      : pool_(pool), snapshot_(std::move(snapshot)) {}
  SnapshotLease(SnapshotLease&&) = default;
  ~SnapshotLease();
  PooledSnapshot& operator*() const { return *snapshot_; }
  PooledSnapshot* operator->() const { return snapshot_.get(); }
  SnapshotPool& pool() const { return pool_; }

 private:
  SnapshotPool& pool_;
  std::unique_ptr<PooledSnapshot> snapshot_;
};

class SourceView;

// Thread-safe. Views and leases must be gone before it is. Each thread finds the snapshot that it used last without a lock, as
// long as there are not more threads than slots; the others wait in a list.
class SnapshotPool {
 public:
  SnapshotPool(lmdb::Env& env, const SharedReadState& state) : env_(env), state_(state) {}
  ~SnapshotPool();

  // Sees what has been published as visible.
  Result<SnapshotLease> Take();
  // Sees exactly what `other` sees, which another thread may be reading. nullopt: there has been a commit since it was taken.
  Result<std::optional<SnapshotLease>> TakeSame(const PooledSnapshot& other);
  // What nobody but `snapshot`, and others as old, needs any more. Any thread.
  Result<uint64_t> PinnedBytes(const PooledSnapshot& snapshot) const;
  Result<std::unique_ptr<ReadView>> OpenView();
  Result<std::unique_ptr<HeldSnapshot>> Hold();
  // The writer's: sees everything in the memtables, published or not.
  Result<std::unique_ptr<SourceView>> OpenWriterView();
  // Lets go of what idle snapshots keep of an older state.
  void DropStale();

 private:
  friend class SnapshotLease;
  static constexpr size_t kSlots = 32;
  struct alignas(64) Slot {
    std::atomic<PooledSnapshot*> snapshot{nullptr};
  };

  Slot& SlotOfThread();
  Result<std::unique_ptr<PooledSnapshot>> Begin();
  Result<std::unique_ptr<PooledSnapshot>> TakeIdle();
  // As it is in the LMDB file and the memtables now.
  Status Renew(std::unique_ptr<PooledSnapshot>& snapshot);
  void GiveBack(std::unique_ptr<PooledSnapshot> snapshot);
  void PutInList(std::unique_ptr<PooledSnapshot> snapshot);

  lmdb::Env& env_;
  const SharedReadState& state_;
  std::array<Slot, kSlots> slots_;
  Mutex mutex_;
  std::vector<std::unique_ptr<PooledSnapshot>> idle_ WR_GUARDED_BY(mutex_);
};

inline SnapshotLease::~SnapshotLease() {
  if (snapshot_ != nullptr) pool_.GiveBack(std::move(snapshot_));
}

// The reads themselves.
class SourceView : public ReadView {
 public:
  // Borrows `snapshot`.
  explicit SourceView(PooledSnapshot& snapshot)
      : source_(snapshot.source), arena_(snapshot.arena), key_(snapshot.key) {}
  Result<std::unique_ptr<RowCursor>> OpenSlice(const Slice& slice) final;
  Result<bool> GetRow(const TableSchema& table, ByteView partition_key, ByteView clustering, RowView& row) final;
  Result<bool> GetStaticRow(const TableSchema& table, ByteView partition_key, RowView& row) final;
  Result<bool> GetRowInto(Arena& room, const TableSchema& table, ByteView partition_key, ByteView clustering,
                          RowView& row) final;
  Result<bool> GetStaticRowInto(Arena& room, const TableSchema& table, ByteView partition_key, RowView& row) final;
  // As GetRow, but the row's keys are those given, not copies of them.
  Result<bool> FindRow(const TableSchema& table, ByteView partition_key, ByteView clustering, RowView& row) {
    return SourceView::GetRowInto(arena_, table, partition_key, clustering, row);
  }
  Result<int64_t> NewestTimestamp(const TableSchema& table, ByteView partition_key, bool is_static,
                                  ByteView clustering) final;

  // Sees what has come into the memtables since it was opened. Writer's views.
  void SeeAll() { source_.SetSequence(~uint64_t{0}); }
  // The newest deletion of a partition or a range over a row or the static row, wherever it is. `prefix` as in keys.
  Result<DeletionTime> DeletionOver(ByteView prefix, bool is_static, ByteView clustering);

 private:
  Result<bool> Get(Arena& room, const TableSchema& table, ByteView partition_key, RecordKind kind, ByteView clustering,
                   RowView& row);

  ReadSource& source_;
  Arena& arena_;
  Bytes& key_;  // Room for keys that are being made.
};

}  // namespace widerow
