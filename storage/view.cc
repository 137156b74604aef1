#include "storage/view.h"

#include "storage/slice_cursor.h"

namespace widerow {
namespace {

// What a view may keep for the next one.
constexpr size_t kIdleCursorsMax = 16;
constexpr size_t kIdleSnapshotsMax = 64;

}  // namespace

class SnapshotView final : public SourceView {
 public:
  SnapshotView(SnapshotPool& pool, std::unique_ptr<PooledSnapshot> snapshot)
      : SourceView(snapshot->source, snapshot->arena), pool_(pool), snapshot_(std::move(snapshot)) {}
  ~SnapshotView() override { pool_.GiveBack(std::move(snapshot_)); }

 private:
  SnapshotPool& pool_;
  std::unique_ptr<PooledSnapshot> snapshot_;
};

Result<std::unique_ptr<ReadView>> SnapshotPool::OpenView() {
  WR_ASSIGN_OR_RETURN(std::unique_ptr<PooledSnapshot> snapshot, Take());
  return std::unique_ptr<ReadView>(std::make_unique<SnapshotView>(*this, std::move(snapshot)));
}

Result<std::unique_ptr<PooledSnapshot>> SnapshotPool::Begin() {
  WR_ASSIGN_OR_RETURN(lmdb::ReadTxn txn, lmdb::ReadTxn::Begin(env_));
  auto snapshot = std::make_unique<PooledSnapshot>(std::move(txn));
  snapshot->txn.Reset();
  return snapshot;
}

Result<std::unique_ptr<PooledSnapshot>> SnapshotPool::Take() {
  std::unique_ptr<PooledSnapshot> snapshot;
  {
    MutexLock lock(mutex_);
    if (!idle_.empty()) {
      snapshot = std::move(idle_.back());
      idle_.pop_back();
    }
  }
  if (snapshot == nullptr) {
    WR_ASSIGN_OR_RETURN(snapshot, Begin());
  }
  // The overlay must fit the snapshot: see SharedOverlay.
  while (true) {
    const uint64_t version = overlay_.version();
    if (version != snapshot->overlay_version) {
      snapshot->source.overlay = overlay_.Load();
      snapshot->overlay_version = version;
    }
    if (const lmdb::Rc rc = snapshot->txn.Renew(); rc.broken()) {
      WR_ASSIGN_OR_RETURN(snapshot, Begin());  // Of the environment that only reads.
      continue;
    } else if (!rc.ok()) {
      return lmdb::ToError(rc, "beginning a read");
    }
    if (overlay_.version() == version) break;
    snapshot->txn.Reset();
  }
  return snapshot;
}

void SnapshotPool::GiveBack(std::unique_ptr<PooledSnapshot> snapshot) {
  ReadSource& source = snapshot->source;
  source.Retire(kIdleCursorsMax);
  snapshot->txn.Reset();
  snapshot->arena.Clear();
  MutexLock lock(mutex_);
  if (idle_.size() < kIdleSnapshotsMax) idle_.push_back(std::move(snapshot));
}

Result<std::unique_ptr<RowCursor>> SourceView::OpenSlice(const Slice& slice) {
  return SliceCursor::Open(source_, slice);
}

Result<bool> SourceView::GetRow(const TableSchema& table, ByteView partition_key, ByteView clustering, RowView& row) {
  row.is_static = false;
  return Get(table, partition_key, RecordKind::kRow, clustering, row);
}

Result<bool> SourceView::GetStaticRow(const TableSchema& table, ByteView partition_key, RowView& row) {
  row.is_static = true;
  return Get(table, partition_key, RecordKind::kStatic, {}, row);
}

Result<bool> SourceView::Get(const TableSchema& table, ByteView partition_key, RecordKind kind, ByteView clustering,
                             RowView& row) {
  key_.clear();
  AppendPartitionPrefix(table.storage_id, partition_key, key_);
  const size_t prefix_size = key_.size();
  AppendKind(kind, key_);
  key_.append(clustering);
  ByteView record;
  const lmdb::Rc rc = GetLong(source_.txn, key_, record);
  if (rc.failed()) return lmdb::ToError(rc, "reading a row");
  if (rc.not_found()) return false;
  row.partition_key = arena_.Copy(partition_key);
  row.clustering = arena_.Copy(clustering);
  RowReader reader(source_, table, arena_);
  WR_RETURN_IF_ERROR(reader.Read(key_, prefix_size, record, row));
  return true;
}

}  // namespace widerow
