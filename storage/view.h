// Read views: over a pooled snapshot (any thread), or over the writer's own transaction (decide steps).
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
  uint64_t overlay_version = ~uint64_t{0};
  Arena arena;
};

class SnapshotView;

// Thread-safe. Views must be gone before it is.
class SnapshotPool {
 public:
  SnapshotPool(lmdb::Env& env, const SharedOverlay& overlay) : env_(env), overlay_(overlay) {}

  Result<std::unique_ptr<ReadView>> OpenView();

 private:
  friend class SnapshotView;
  Result<std::unique_ptr<PooledSnapshot>> Begin();
  Result<std::unique_ptr<PooledSnapshot>> Take();
  void GiveBack(std::unique_ptr<PooledSnapshot> snapshot);

  lmdb::Env& env_;
  const SharedOverlay& overlay_;
  Mutex mutex_;
  std::vector<std::unique_ptr<PooledSnapshot>> idle_ WR_GUARDED_BY(mutex_);
};

// The reads themselves, over any source.
class SourceView : public ReadView {
 public:
  Result<std::unique_ptr<RowCursor>> OpenSlice(const Slice& slice) final;
  Result<bool> GetRow(const TableSchema& table, ByteView partition_key, ByteView clustering, RowView& row) final;
  Result<bool> GetStaticRow(const TableSchema& table, ByteView partition_key, RowView& row) final;

 protected:
  SourceView(ReadSource& source, Arena& arena) : source_(source), arena_(arena) {}

 private:
  Result<bool> Get(const TableSchema& table, ByteView partition_key, RecordKind kind, ByteView clustering,
                   RowView& row);

  ReadSource& source_;
  Arena& arena_;
  Bytes key_;
};

// What the writer's open transaction holds, uncommitted writes of the group included. It must not outlive the next
// write.
class TransactionView final : public SourceView {
 public:
  TransactionView(lmdb::TxnRef txn, OverlayPtr overlay) : SourceView(source_, arena_) {
    source_.txn = txn;
    source_.overlay = std::move(overlay);
  }

 private:
  ReadSource source_;
  Arena arena_;
};

}  // namespace widerow
