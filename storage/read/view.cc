// PooledSnapshot keeps an LMDB read transaction, cursors and memory between uses. SnapshotPool::Take() takes an idle
// snapshot from the thread's slot or from the list. Renew() gives the snapshot a new transaction and the read state
// that belongs to it. Then the snapshot gets the sequence number up to which it sees the memtables. The lease gives the
// snapshot back. SourceView has the reads of one row; slice_cursor.cc has those of slices. DropStale() and GiveBack()
// make sure that no idle snapshot keeps a folded memtable in memory.
#include "storage/read/view.h"

#include <algorithm>

#include "storage/format/damage.h"
#include "storage/read/slice_cursor.h"
#include "storage/reconcile/merge.h"

namespace widerow {
namespace {

// The most cursors and cells that an idle snapshot keeps, and the most idle snapshots in the list.
constexpr size_t kIdleCursorsMax = 16;
constexpr size_t kIdleSnapshotsMax = 64;
constexpr size_t kIdleCellsMax = 1'024;

}  // namespace

namespace {

class SnapshotView final : public SourceView {
 public:
  explicit SnapshotView(SnapshotLease lease) : SourceView(*lease), lease_(std::move(lease)) {}

  Result<std::unique_ptr<ReadView>> OpenSame() override {
    WR_ASSIGN_OR_RETURN(std::optional<SnapshotLease> same, lease_.pool().TakeSame(*lease_));
    if (!same) return std::unique_ptr<ReadView>();
    return std::unique_ptr<ReadView>(std::make_unique<SnapshotView>(*std::move(same)));
  }
  Result<uint64_t> PinnedBytes() const override { return lease_.pool().PinnedBytes(*lease_); }

 private:
  const SnapshotLease lease_;
};

// A view of a HeldSnapshot.
class HeldView final : public SourceView {
 public:
  explicit HeldView(const SnapshotLease& lease) : SourceView(*lease), lease_(lease) {}

  Result<uint64_t> PinnedBytes() const override { return lease_.pool().PinnedBytes(*lease_); }

 private:
  const SnapshotLease& lease_;
};

class PinnedSnapshot final : public HeldSnapshot {
 public:
  explicit PinnedSnapshot(SnapshotLease lease) : lease_(std::move(lease)) {}

  std::unique_ptr<ReadView> OpenView() override {
    lease_->arena.Clear();  // Frees the memory of the previous view.
    return std::make_unique<HeldView>(lease_);
  }
  Result<uint64_t> PinnedBytes() const override { return lease_.pool().PinnedBytes(*lease_); }

 private:
  const SnapshotLease lease_;
};

void DropState(PooledSnapshot& snapshot) {
  snapshot.source.state = nullptr;
  snapshot.state_version = ~uint64_t{0};
}

}  // namespace

SnapshotPool::~SnapshotPool() {
  for (Slot& slot : slots_) delete slot.snapshot.load();
}

Result<std::unique_ptr<ReadView>> SnapshotPool::OpenView() {
  WR_ASSIGN_OR_RETURN(SnapshotLease lease, Take());
  return std::unique_ptr<ReadView>(std::make_unique<SnapshotView>(std::move(lease)));
}

Result<std::unique_ptr<HeldSnapshot>> SnapshotPool::Hold() {
  WR_ASSIGN_OR_RETURN(SnapshotLease lease, Take());
  return std::unique_ptr<HeldSnapshot>(std::make_unique<PinnedSnapshot>(std::move(lease)));
}

Result<std::unique_ptr<SourceView>> SnapshotPool::OpenWriterView() {
  WR_ASSIGN_OR_RETURN(SnapshotLease lease, Take());
  auto view = std::make_unique<SnapshotView>(std::move(lease));
  view->SeeAll();
  return std::unique_ptr<SourceView>(std::move(view));
}

Result<SnapshotLease> SnapshotPool::Take() {
  WR_ASSIGN_OR_RETURN(std::unique_ptr<PooledSnapshot> snapshot, TakeIdle());
  WR_ASSIGN_OR_RETURN(const uint64_t visible, Renew(snapshot));
  snapshot->source.SetSequence(visible);
  return SnapshotLease(*this, std::move(snapshot));
}

// Two transactions with the same last commit see the same data file. With the same memtables and the same sequence
// number, they also see the same rows.
Result<std::optional<SnapshotLease>> SnapshotPool::TakeSame(const PooledSnapshot& other) {
  WR_ASSIGN_OR_RETURN(std::unique_ptr<PooledSnapshot> snapshot, TakeIdle());
  WR_RETURN_IF_ERROR(Renew(snapshot));
  SnapshotLease lease(*this, std::move(snapshot));
  if (lease->source.txn.id() != other.source.txn.id()) return std::optional<SnapshotLease>();
  lease->source.state = other.source.state;
  lease->state_version = other.state_version;
  lease->source.SetSequence(other.source.sequence);
  return std::optional(std::move(lease));
}

Result<uint64_t> SnapshotPool::PinnedBytes(const PooledSnapshot& snapshot) const {
  WR_ASSIGN_OR_RETURN(const lmdb::ReadTxn now, lmdb::ReadTxn::Begin(env_));
  uint64_t pages = 0;
  if (const lmdb::Rc rc = now.ref().CountFreePages(pages, snapshot.source.txn.id()); !rc.ok()) {
    return lmdb::ToError(rc, "counting free pages");
  }
  uint64_t bytes = pages * env_.page_bytes();
  const ReadStatePtr current = state_.Load();
  for (const MemtablePtr& memtable : snapshot.source.state->memtables) {
    const bool in_use =
        std::find(current->memtables.begin(), current->memtables.end(), memtable) != current->memtables.end();
    if (!in_use) bytes += memtable->bytes();
  }
  return bytes;
}

SnapshotPool::Slot& SnapshotPool::SlotOfThread() {
  static std::atomic<size_t> threads{0};
  thread_local const size_t mine = threads.fetch_add(1, std::memory_order_relaxed) % kSlots;
  return slots_[mine];
}

Result<std::unique_ptr<PooledSnapshot>> SnapshotPool::Begin() {
  WR_ASSIGN_OR_RETURN(lmdb::ReadTxn txn, lmdb::ReadTxn::Begin(env_));
  auto snapshot = std::make_unique<PooledSnapshot>(std::move(txn));
  snapshot->source.ledger = &state_.ledger();
  snapshot->txn.Reset();
  return snapshot;
}

Result<std::unique_ptr<PooledSnapshot>> SnapshotPool::TakeIdle() {
  if (PooledSnapshot* snapshot = SlotOfThread().snapshot.exchange(nullptr); snapshot != nullptr) {
    return std::unique_ptr<PooledSnapshot>(snapshot);
  }
  {
    MutexLock lock(mutex_);
    if (!idle_.empty()) {
      std::unique_ptr<PooledSnapshot> snapshot = std::move(idle_.back());
      idle_.pop_back();
      return snapshot;
    }
  }
  return Begin();
}

// The memtables and the overlay must match the transaction. The comment at SharedReadState describes the order of steps
// that ensures this.
Result<uint64_t> SnapshotPool::Renew(std::unique_ptr<PooledSnapshot>& snapshot) {
  while (true) {
    const uint64_t version = state_.version();
    if (version != snapshot->state_version) {
      snapshot->source.state = state_.Load();
      snapshot->state_version = version;
    }
    const uint64_t visible = state_.visible();
    if (const lmdb::Rc rc = snapshot->txn.Renew(); rc.broken()) {
      WR_ASSIGN_OR_RETURN(snapshot, Begin());  // LMDB's environment is broken. Begin() uses a second one.
      continue;
    } else if (!rc.ok()) {
      return lmdb::ToError(rc, "beginning a read");
    }
    if (state_.version() == version) return visible;
    snapshot->txn.Reset();
  }
}

void SnapshotPool::GiveBack(std::unique_ptr<PooledSnapshot> snapshot) {
  snapshot->source.Retire(kIdleCursorsMax);
  snapshot->txn.Reset();
  snapshot->arena.Clear();
  if (snapshot->row.cells.capacity() > kIdleCellsMax) snapshot->row.cells = {};
  Slot& slot = SlotOfThread();
  const uint64_t version = snapshot->state_version;
  PooledSnapshot* const other = slot.snapshot.exchange(snapshot.release());
  if (other != nullptr) PutInList(std::unique_ptr<PooledSnapshot>(other));
  // The read state may have changed before DropStale could see the snapshot in its slot. The exchanges of slots and
  // version() are sequentially consistent. So either DropStale sees the snapshot in the slot, or this thread sees the
  // new version.
  if (version == state_.version()) return;
  if (PooledSnapshot* const stale = slot.snapshot.exchange(nullptr); stale != nullptr) {
    PutInList(std::unique_ptr<PooledSnapshot>(stale));
  }
}

void SnapshotPool::PutInList(std::unique_ptr<PooledSnapshot> snapshot) {
  MutexLock lock(mutex_);
  if (snapshot->state_version != state_.version()) DropState(*snapshot);
  if (idle_.size() < kIdleSnapshotsMax) idle_.push_back(std::move(snapshot));
}

void SnapshotPool::DropStale() {
  for (Slot& slot : slots_) {
    PooledSnapshot* const snapshot = slot.snapshot.exchange(nullptr);
    if (snapshot != nullptr) PutInList(std::unique_ptr<PooledSnapshot>(snapshot));
  }
  MutexLock lock(mutex_);
  const uint64_t version = state_.version();
  for (const auto& snapshot : idle_) {
    if (snapshot->state_version != version) DropState(*snapshot);
  }
}

Result<std::unique_ptr<RowCursor>> SourceView::OpenSlice(const Slice& slice) {
  return SliceCursor::Open(source_, slice);
}

Result<bool> SourceView::GetRow(const TableSchema& table, ByteView partition_key, ByteView clustering, RowView& row) {
  return GetRowInto(arena_, table, arena_.Copy(partition_key), arena_.Copy(clustering), row);
}

Result<bool> SourceView::GetStaticRow(const TableSchema& table, ByteView partition_key, RowView& row) {
  return GetStaticRowInto(arena_, table, arena_.Copy(partition_key), row);
}

Result<bool> SourceView::GetRowInto(Arena& room, const TableSchema& table, ByteView partition_key, ByteView clustering,
                                    RowView& row) {
  row.is_static = false;
  return Get(room, table, partition_key, RecordKind::kRow, clustering, row);
}

Result<bool> SourceView::GetStaticRowInto(Arena& room, const TableSchema& table, ByteView partition_key, RowView& row) {
  row.is_static = true;
  return Get(room, table, partition_key, RecordKind::kStatic, {}, row);
}

Result<int64_t> SourceView::NewestTimestamp(const TableSchema& table, ByteView partition_key, bool is_static,
                                            ByteView clustering) {
  Bytes prefix;
  AppendPartitionPrefix(table, partition_key, prefix);
  WR_ASSIGN_OR_RETURN(const DeletionTime deletion, DeletionOver(prefix, is_static, clustering));
  key_.assign(prefix);
  AppendKind(is_static ? RecordKind::kStatic : RecordKind::kRow, key_);
  if (!is_static) key_.append(clustering);
  RowVersions versions;
  const lmdb::Rc rc = source_.Get(key_, versions);
  if (rc.failed()) return lmdb::ToError(rc, OfTable("reading a row", table));
  if (rc.not_found()) return deletion.timestamp;
  RowReader reader(source_, table, arena_);
  WR_ASSIGN_OR_RETURN(const int64_t newest, reader.NewestTimestamp(key_, prefix.size(), versions));
  return std::max(newest, deletion.timestamp);
}

Result<DeletionTime> SourceView::DeletionOver(ByteView prefix, bool is_static, ByteView clustering) {
  const PartitionCover cover = source_.CoverOf(prefix);
  DeletionTime newest = is_static ? cover.OfStatic() : cover.OfRow(clustering);
  key_.assign(prefix);
  AppendKind(RecordKind::kHeader, key_);
  ByteView record;
  lmdb::Rc rc = GetLong(source_.txn, key_, record);
  if (rc.failed()) return lmdb::ToError(rc, "reading a partition's header");
  if (rc.ok()) {
    DeletionTime header;
    if (!DecodeHeader(record, header)) return ServerError("Damaged partition header, key 0x" + ToHex(key_));
    newest = Newer(newest, header);
  }
  if (is_static) return newest;
  WR_ASSIGN_OR_RETURN(lmdb::Cursor taken, source_.TakeCursor());
  LongKeyCursor cursor(std::move(taken));
  Bytes kind(prefix);
  AppendKind(RecordKind::kRangeTombstone, kind);
  key_.assign(kind).append(clustering).push_back('\0');
  rc = cursor.SeekBefore(key_);
  RangeTombstone range;
  const bool found = rc.ok() && cursor.key().starts_with(kind);
  const bool whole = !found || DecodeRangeTombstone(cursor.value(), range);
  source_.GiveBack(std::move(cursor).Release());
  if (rc.failed()) return lmdb::ToError(rc, "reading range tombstones");
  if (!whole) return ServerError("Damaged range tombstone before key 0x" + ToHex(key_));
  const bool covers = found && (!range.end.has_value() || clustering < ByteView(*range.end));
  return covers ? Newer(newest, range.deletion) : newest;
}

Result<bool> SourceView::Get(Arena& room, const TableSchema& table, ByteView partition_key, RecordKind kind,
                             ByteView clustering, RowView& row) {
  key_.clear();
  AppendPartitionPrefix(table, partition_key, key_);
  const size_t prefix_size = key_.size();
  AppendKind(kind, key_);
  key_.append(clustering);
  RowVersions versions;
  const lmdb::Rc rc = source_.Get(key_, versions);
  if (rc.failed()) return lmdb::ToError(rc, OfTable("reading a row", table));
  if (rc.not_found()) return false;
  row.partition_key = partition_key;
  row.clustering = clustering;
  DeletionTime covering;
  if (source_.any_tombstones) [[unlikely]] {
    const PartitionCover cover = source_.CoverOf(ByteView(key_).substr(0, prefix_size));
    covering = row.is_static ? cover.OfStatic() : cover.OfRow(clustering);
  }
  RowReader reader(source_, table, room);
  WR_RETURN_IF_ERROR(reader.Read(key_, prefix_size, versions, covering, row));
  return true;
}

}  // namespace widerow
