// Read views over pooled snapshots.
#pragma once

#include "base/mutex.h"
#include "storage/engine.h"
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
};

class SourceView;
class SnapshotView;

// Thread-safe. Views must be gone before it is.
class SnapshotPool {
 public:
  SnapshotPool(lmdb::Env& env, const SharedReadState& state) : env_(env), state_(state) {}

  // Sees what has been published as visible.
  Result<std::unique_ptr<ReadView>> OpenView();
  // The writer's: sees everything in the memtables, published or not.
  Result<std::unique_ptr<SourceView>> OpenWriterView();
  // Lets go of what idle snapshots keep of an older state.
  void DropStale();

 private:
  friend class SnapshotView;
  Result<std::unique_ptr<PooledSnapshot>> Begin();
  Result<std::unique_ptr<PooledSnapshot>> Take();
  void GiveBack(std::unique_ptr<PooledSnapshot> snapshot);

  lmdb::Env& env_;
  const SharedReadState& state_;
  Mutex mutex_;
  std::vector<std::unique_ptr<PooledSnapshot>> idle_ WR_GUARDED_BY(mutex_);
};

// The reads themselves.
class SourceView : public ReadView {
 public:
  Result<std::unique_ptr<RowCursor>> OpenSlice(const Slice& slice) final;
  Result<bool> GetRow(const TableSchema& table, ByteView partition_key, ByteView clustering, RowView& row) final;
  Result<bool> GetStaticRow(const TableSchema& table, ByteView partition_key, RowView& row) final;
  Result<int64_t> NewestTimestamp(const TableSchema& table, ByteView partition_key, bool is_static,
                                  ByteView clustering) final;

  // Sees what has come into the memtables since it was opened. Writer's views.
  void SeeAll() { source_.SetSequence(~uint64_t{0}); }
  // The newest deletion of a partition or a range over a row or the static row, wherever it is. `prefix` as in keys.
  Result<DeletionTime> DeletionOver(ByteView prefix, bool is_static, ByteView clustering);

 protected:
  // `key` is room for keys that are being made.
  SourceView(ReadSource& source, Arena& arena, Bytes& key) : source_(source), arena_(arena), key_(key) {}

 private:
  Result<bool> Get(const TableSchema& table, ByteView partition_key, RecordKind kind, ByteView clustering,
                   RowView& row);

  ReadSource& source_;
  Arena& arena_;
  Bytes& key_;
};

}  // namespace widerow
