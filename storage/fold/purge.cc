// Slice() does a part of a walk. If no walk has begun, it begins one: through a partition that the PurgeLedger names (a
// visit), or else through a table. It searches a snapshot for candidates for some milliseconds (PurgeScan). It raises
// the fence over their rows, leaves out the candidates whose rows are in a memtable (HoldBack), purges the others in
// one transaction (Drop), and lowers the fence. End() stores the earliest `since` of the records that the walk did not
// purge, and sets the time until which no walk goes through this table or partition.
#include "storage/fold/purge.h"

#include <set>

#include "storage/reconcile/merge.h"

namespace widerow {
namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr auto kScanTime = std::chrono::milliseconds(3);
constexpr int64_t kNone = std::numeric_limits<int64_t>::max();
// After a walk, the sweeper leaves the table alone for at least kWalkRestSecondsMin. After a visit, it leaves the
// partition alone for at least kVisitRestSecondsMin.
constexpr int64_t kWalkRestSecondsMin = 60, kVisitRestSecondsMin = 10;
// After a walk that purged little, the sweeper leaves the table alone for at least this many times the duration of the
// walk.
constexpr int64_t kRestPerWalk = 50;

// Returns a key after all keys of the partition.
Bytes EndOfPartition(ByteView prefix) {
  Bytes end(prefix);
  end.push_back(static_cast<char>(kLastKind) + 1);
  return end;
}

// Returns the part of an element's key with which the keys of all elements of its collection begin.
ByteView CollectionOf(const PurgeCandidate& element) {
  ByteView rest = ByteView(element.key).substr(element.prefix_size + 1);
  WR_CHECK(SkipDelimited(rest));
  const auto size = static_cast<size_t>(rest.data() - element.key.data()) + sizeof(ColumnId);
  return ByteView(element.key).substr(0, size);
}

// Returns the key that must be in no memtable when the candidate is purged. For content of a row it is the key of the
// row.
//
// For the deletion of a partition or a range it is the key under which the memtable has the deletions of the partition.
// Suppose that a memtable has such deletions, and that its fold fails after these deletions and is tried again. The
// second attempt does not store the deletions again. It counts on finding them in the data file when it folds the
// remaining rows. So they must not be purged from there.
Bytes HeldBackBy(const PurgeCandidate& candidate) {
  if (!candidate.row_key.empty()) return candidate.row_key;
  Bytes key(candidate.prefix());
  AppendKind(RecordKind::kHeader, key);
  return key;
}

// Returns how much of a version in the memtable is due: for a header the number of tombstones that are due, for a row 1
// or 0.
size_t CountDue(const Memtable::Version& version, const PurgeTimes& times) {
  if (const PartitionTombstones* tombstones = version.tombstones(); tombstones != nullptr) {
    const DeletionTime& partition = tombstones->partition();
    size_t due = partition.present() && times.IsDue(partition.local_seconds) ? 1 : 0;
    for (const auto& range : tombstones->Ranges()) due += times.IsDue(range->deletion.local_seconds) ? 1 : 0;
    return due;
  }
  for (const Memtable::Version* part = &version; part != nullptr; part = part->rest()) {
    StoredRow row;
    if (!MayBePurgeable(part->record()) || !DecodeRow(part->record(), row)) continue;
    const std::optional<int64_t> since = EarliestSince(row.content, times);
    if (since.has_value() && times.IsDue(*since)) return 1;
  }
  return 0;
}

// Purges the candidates. All of them are in this partition.
Status PurgePartition(PartitionWriter& partition, ByteView prefix, std::span<const PurgeCandidate> candidates) {
  const auto rest_of = [&](ByteView key) { return key.substr(prefix.size() + 1); };
  for (size_t i = 0; i < candidates.size(); ++i) {
    const PurgeCandidate& candidate = candidates[i];
    const ByteView rest = rest_of(candidate.key);
    switch (candidate.kind()) {
      case RecordKind::kHeader: WR_RETURN_IF_ERROR(partition.PurgeHeader()); break;
      case RecordKind::kStatic: WR_RETURN_IF_ERROR(partition.PurgeRow(true, {})); break;
      case RecordKind::kRangeTombstone: WR_RETURN_IF_ERROR(partition.PurgeRangeTombstone(rest)); break;
      case RecordKind::kRow: WR_RETURN_IF_ERROR(partition.PurgeRow(false, rest)); break;
      case RecordKind::kSpill: {
        WR_RETURN_IF_ERROR(partition.PurgeElement(candidate.key));
        const ByteView collection = CollectionOf(candidate);
        const bool last = i + 1 == candidates.size() || !ByteView(candidates[i + 1].key).starts_with(collection);
        if (!last) break;
        const ByteView row = candidate.row_key;
        const auto column = ReadBigEndian<ColumnId>(collection.data() + collection.size() - sizeof(ColumnId));
        WR_ASSIGN_OR_RETURN(const bool any, partition.HasElements(rest_of(row), column));
        const bool is_static = static_cast<RecordKind>(row[prefix.size()]) == RecordKind::kStatic;
        if (!any) WR_RETURN_IF_ERROR(partition.PurgeRow(is_static, rest_of(row)));
        break;
      }
      case RecordKind::kPiece: break;  // Pieces are not purged. The sweeper removes them (sweep.h).
    }
  }
  return OkStatus();
}

}  // namespace

std::optional<int64_t> Purge::PurgeBefore(StorageId table) const {
  const TableColumns* columns = store_.ColumnsOf(table);
  if (columns == nullptr) return std::nullopt;
  return store_.shared().clock.NowSeconds() - columns->table()->options.gc_grace_seconds;
}

std::optional<StorageId> Purge::DueTable() const {
  const int64_t now = store_.shared().clock.NowSeconds();
  for (const auto& [table, since] : store_.earliest_purgeable()) {
    const auto rest = rest_until_.find(table);
    if (rest != rest_until_.end() && now < rest->second) continue;
    const std::optional<int64_t> before = PurgeBefore(table);
    if (before.has_value() && since < *before) return table;
  }
  return std::nullopt;
}

bool Purge::IsDue() const {
  if (walk_.has_value()) return true;
  const auto due = [&](StorageId table) { return PurgeBefore(table); };
  return store_.shared().ledger.NextDue(due, store_.shared().clock.NowSeconds()).has_value() || DueTable().has_value();
}

void Purge::Begin() {
  const int64_t now = store_.shared().clock.NowSeconds();
  const auto due = [&](StorageId table) { return PurgeBefore(table); };
  if (std::optional<Bytes> prefix = store_.shared().ledger.NextDue(due, now)) {
    walk_ = {.table = ReadBigEndian<StorageId>(prefix->data()),
             .end = EndOfPartition(*prefix),
             .whole_table = false,
             .begun = now};
    walk_->from = std::move(*prefix);
    return;
  }
  const StorageId table = DueTable().value();
  walk_ = {.table = table, .end = {}, .whole_table = true, .begun = now};
  AppendStorageId(table, walk_->from);
  walk_->end = SuccessorOfPrefix(walk_->from);
  store_.BeginWalk(table);
  store_.shared().ledger.ForgetPartitions(table);
}

Status Purge::Slice() {
  if (!walk_.has_value()) Begin();
  Walk& walk = *walk_;
  const TableColumns* columns = store_.ColumnsOf(walk.table);
  if (columns == nullptr) {
    store_.shared().ledger.Forget(walk.table);
    store_.AbandonWalk();
    walk_.reset();
    return OkStatus();
  }
  const PurgeTimes times{store_.shared().clock.NowSeconds(), columns->table()->options.gc_grace_seconds};
  Bytes from = walk.from;
  bool done = false;
  std::vector<PurgeCandidate> candidates;
  {
    WR_ASSIGN_OR_RETURN(const lmdb::ReadTxn snapshot, lmdb::ReadTxn::Begin(store_.shared().env));
    PurgeScan scan(snapshot.ref(), *columns, times);
    WR_ASSIGN_OR_RETURN(done, scan.Run(from, walk.end, SteadyClock::now() + kScanTime));
    candidates = scan.candidates();
    WR_ASSIGN_OR_RETURN(const bool dropped, Drop(*columns, times, candidates));
    if (!dropped) return OkStatus();
    walk.Leave(scan.left(), scan.left_since());
    walk.examined += scan.examined();
    store_.shared().ledger.Change(walk.table, [&](PurgeStatistics& out) { out.records_examined += scan.examined(); });
  }
  walk.from = std::move(from);
  return done ? End(*columns) : OkStatus();
}

// The candidates were found in a snapshot that is still current, because only this thread writes to the data file.
Result<bool> Purge::Drop(const TableColumns& columns, const PurgeTimes& times,
                         const std::vector<PurgeCandidate>& found) {
  if (found.empty()) return true;
  std::set<Bytes> rows;
  for (const PurgeCandidate& candidate : found) {
    if (!candidate.row_key.empty()) rows.insert(candidate.row_key);
  }
  struct Fence {
    explicit Fence(PurgeFence& fence, std::vector<Bytes> keys) : fence(fence) { fence.Raise(std::move(keys)); }
    ~Fence() { fence.Lower(); }
    PurgeFence& fence;
  };
  const Fence fence(store_.shared().fence, {rows.begin(), rows.end()});
  std::vector<PurgeCandidate> candidates = found;
  HoldBack(candidates);
  if (candidates.empty()) return true;
  DirectLog* const log = store_.shared().direct;
  if (log != nullptr) {
    WR_ASSIGN_OR_RETURN(const bool logged, log->Log(EncodePurgeGroup({times.now_seconds, candidates})));
    if (!logged) return false;
  }
  const Status dropped = DropAll(columns, candidates);
  if (dropped.ok()) return true;
  if (log != nullptr) log->NotMade();
  return dropped.error();
}

Status Purge::DropAll(const TableColumns& columns, std::span<const PurgeCandidate> candidates) {
  return store_.Transact([&](WriteContext& context) -> Status {
    for (size_t begin = 0, end = 0; begin < candidates.size(); begin = end) {
      const ByteView prefix = candidates[begin].prefix();
      while (end < candidates.size() && candidates[end].prefix() == prefix) ++end;
      WR_RETURN_IF_ERROR(DropInPartition(context, columns, candidates.subspan(begin, end - begin)));
    }
    return OkStatus();
  });
}

Status Purge::Repeat(const PurgeGroup& purge) {
  return store_.Transact([&](WriteContext& context) -> Status {
    // The time of the original purge, not the present time, decides which content is due.
    WriteContext then(context.txn(), context.state(), context.sizes(), purge.now_seconds);
    for (size_t begin = 0, end = 0; begin < purge.candidates.size(); begin = end) {
      const ByteView prefix = purge.candidates[begin].prefix();
      while (end < purge.candidates.size() && purge.candidates[end].prefix() == prefix) ++end;
      const TableColumns* const columns = FindLive(store_.tables(), prefix);
      if (columns == nullptr) continue;
      PartitionWriter partition(then, *columns, Bytes(prefix));
      WR_RETURN_IF_ERROR(PurgePartition(partition, prefix, std::span(purge.candidates).subspan(begin, end - begin)));
      store_.Count(then, *columns, prefix, partition);
    }
    return OkStatus();
  });
}

void Purge::HoldBack(std::vector<PurgeCandidate>& candidates) {
  const ReadStatePtr state = store_.shared().state.Load();
  Walk& walk = *walk_;
  const size_t before = candidates.size();
  std::erase_if(candidates, [&](const PurgeCandidate& candidate) {
    const Bytes key = HeldBackBy(candidate);
    const bool known = std::any_of(state->memtables.begin(), state->memtables.end(),
                                   [&](const MemtablePtr& memtable) { return memtable->Find(key) != nullptr; });
    if (known) walk.Leave(1, candidate.since);
    return known;
  });
  const size_t held = before - candidates.size();
  store_.shared().ledger.Change(walk.table, [&](PurgeStatistics& out) { out.records_held_back += held; });
}

Status Purge::DropInPartition(WriteContext& context, const TableColumns& columns,
                              std::span<const PurgeCandidate> candidates) {
  const Bytes prefix(candidates.front().prefix());
  PartitionWriter partition(context, columns, prefix);
  WR_RETURN_IF_ERROR(PurgePartition(partition, prefix, candidates));
  store_.Count(context, columns, prefix, partition);
  Walk& walk = *walk_;
  walk.Leave(partition.purgeable_records(), partition.purgeable_since());
  walk.purged += candidates.size();
  store_.shared().ledger.Change(walk.table, [&](PurgeStatistics& out) {
    out.records_purged += candidates.size();
    out.bytes_purged += static_cast<uint64_t>(std::max<int64_t>(0, -partition.bytes_delta()));
  });
  return OkStatus();
}

Status Purge::End(const TableColumns& columns) {
  const Walk& walk = *walk_;
  if (walk.whole_table) {
    // If EndWalk fails, the walk is kept, and the next slice tries to end it again. If the walk were dropped, the
    // records that it has not purged would be forgotten.
    WR_RETURN_IF_ERROR(store_.EndWalk(walk.left_since == kNone ? std::nullopt : std::optional(walk.left_since)));
  }
  const int64_t now = store_.shared().clock.NowSeconds(), gc_grace = columns.table()->options.gc_grace_seconds;
  const bool worth_it = walk.examined <= walk.purged * PurgeLedger::kExaminedPerPurgedMax;
  const int64_t rest = std::max({walk.whole_table ? kWalkRestSecondsMin : kVisitRestSecondsMin, gc_grace / 10,
                                 worth_it ? 0 : kRestPerWalk * (now - walk.begun)});
  store_.shared().ledger.Change(walk.table, [&](PurgeStatistics& out) {
    ++(walk.whole_table ? out.walks : out.partition_visits);
    out.last_seconds = now;
  });
  if (walk.whole_table) {
    rest_until_[walk.table] = now + rest;
  } else {
    const ByteView prefix = ByteView(walk.end).substr(0, walk.end.size() - 1);
    store_.shared().ledger.Visited(prefix, walk.examined, walk.left, walk.left_since, now + rest);
  }
  walk_.reset();
  return OkStatus();
}

bool Purge::MemtableIsDue() {
  constexpr size_t kNodesAtOnce = 10'000, kDueMin = 1'000;
  const MemtablePtr memtable = store_.shared().state.active();
  const Memtable::Node* node = memtable->SeekAtOrAfter(memtable_look_from_);
  size_t due = 0;
  for (size_t looked = 0; node != nullptr && looked < kNodesAtOnce; ++looked, node = node->next()) {
    const Memtable::Version* version = node->VersionAt(~uint64_t{0});
    const TableColumns* columns = version == nullptr ? nullptr : FindLive(store_.tables(), node->key());
    if (columns == nullptr) continue;
    due += CountDue(*version, {store_.shared().clock.NowSeconds(), columns->table()->options.gc_grace_seconds});
  }
  memtable_look_from_ = node == nullptr ? Bytes() : Bytes(node->key());
  return due >= kDueMin;
}

}  // namespace widerow
