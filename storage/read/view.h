// Read views over snapshots that are kept in a pool. The SnapshotPool belongs to the engine and is thread-safe. A
// snapshot, a lease and a view may be used by one thread at a time.
#pragma once

#include <array>
#include <atomic>
#include <optional>

#include "base/mutex.h"
#include "storage/count/partition_counters.h"
#include "storage/read/row_reader.h"
#include "storage/storage_engine.h"

namespace widerow {

// A snapshot that is used again and again: its transaction is renewed, and its cursors and memory are kept.
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

// Owns a snapshot while it is used, and gives it back to the pool.
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

// Thread-safe. Views and leases must be destroyed before the pool. Each thread finds the snapshot that it used last in
// a slot, without a lock. If there are more threads than slots, some threads share a slot and also use a list.
class SnapshotPool {
 public:
  SnapshotPool(lmdb::Env& env, const SharedReadState& state) : env_(env), state_(state) {}
  ~SnapshotPool();

  // Takes a snapshot that sees everything published as visible (SharedReadState).
  Result<SnapshotLease> Take();
  // Takes a snapshot that sees exactly what `other` sees. Another thread may be reading `other`. Returns nullopt if
  // there was a commit after `other` was taken.
  Result<std::optional<SnapshotLease>> TakeSame(const PooledSnapshot& other);
  // Returns the bytes that `snapshot` keeps from being reused or freed: pages of the data file, and memtables. Other
  // snapshots may keep the same bytes. Safe on any thread.
  Result<uint64_t> PinnedBytes(const PooledSnapshot& snapshot) const;
  Result<std::unique_ptr<ReadView>> OpenView();
  Result<std::unique_ptr<HeldSnapshot>> Hold();
  // Opens a view for the writer's thread. It sees everything in the memtables, even what is not published as visible
  // yet.
  Result<std::unique_ptr<SourceView>> OpenWriterView();
  // Makes idle snapshots release memtables and overlays that are no longer current.
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
  // Renews the transaction of a snapshot, and sets the memtables and the overlay that belong to it. Returns the
  // greatest sequence number of a write that the snapshot sees.
  Result<uint64_t> Renew(std::unique_ptr<PooledSnapshot>& snapshot);
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

// A view that reads from one snapshot.
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
  // Reads a row as GetRow does, but the row borrows the given keys and does not copy them.
  Result<bool> FindRow(const TableSchema& table, ByteView partition_key, ByteView clustering, RowView& row) {
    return SourceView::GetRowInto(arena_, table, partition_key, clustering, row);
  }
  Result<int64_t> NewestTimestamp(const TableSchema& table, ByteView partition_key, bool is_static,
                                  ByteView clustering) final;

  // Makes everything visible that was put into the memtables after the view was opened. Only for views of the writer's
  // thread.
  void SeeAll() { source_.SetSequence(~uint64_t{0}); }
  // Returns the bytes that the view holds for the rows that it has returned.
  size_t row_bytes() const { return arena_.bytes(); }
  // Returns the newest deletion, in memtables or in the data file, that covers a row or the static row: a deletion of
  // the partition or of a range. `prefix` is the partition's prefix (key_codec.h).
  Result<DeletionTime> DeletionOver(ByteView prefix, bool is_static, ByteView clustering);

 private:
  Result<bool> Get(Arena& room, const TableSchema& table, ByteView partition_key, RecordKind kind, ByteView clustering,
                   RowView& row);

  ReadSource& source_;
  Arena& arena_;
  Bytes& key_;  // Buffer in which keys are built.
};

}  // namespace widerow
