// Sweeping: what deletions, dropped tables and elapsed gc_grace leave behind is removed in slices of some milliseconds.
#include <chrono>
#include <functional>

#include "storage/key_codec.h"
#include "storage/store_writer.h"

namespace widerow {
namespace {

using SteadyTime = std::chrono::steady_clock::time_point;

constexpr auto kSliceTime = std::chrono::milliseconds(4);  // With the commit's own work: about 5 ms.
constexpr size_t kStepRows = 64;
constexpr int64_t kWalkEverySecondsMin = 60;

SteadyTime SliceEnd() { return std::chrono::steady_clock::now() + kSliceTime; }
bool Past(SteadyTime end) { return std::chrono::steady_clock::now() >= end; }

}  // namespace

// One slice of each kind of sweeping, over the writer's state.
class Sweep {
 public:
  explicit Sweep(StoreWriter& writer) : w_(writer) {}

  std::optional<StorageId> TableToPurge() const {
    const int64_t now = w_.shared_.clock.NowSeconds();
    for (const auto& [table, seconds] : w_.earliest_purgeable_) {
      const TableColumns* columns = w_.ColumnsOf(table);
      if (columns == nullptr) continue;
      const int64_t gc_grace = columns->table()->options.gc_grace_seconds;
      const auto not_before = w_.next_walk_seconds_.find(table);
      const bool rested = not_before == w_.next_walk_seconds_.end() || now >= not_before->second;
      if (rested && seconds + gc_grace < now) return table;
    }
    return std::nullopt;
  }

  // The first pending deletion: applied to some of its rows.
  Status PendingSlice() {
    const PendingDeletionPtr pending = w_.pending_deletions_.front();
    const TableColumns* columns = FindLive(*w_.tables_, pending->partition_prefix);
    std::optional<Bytes> from = pending->begin;
    if (const auto at = w_.sweep_from_.find(pending->sequence); at != w_.sweep_from_.end()) from = at->second;
    Status swept = w_.Transact([&](WriteContext& context) -> Status {
      if (columns == nullptr) {
        from.reset();  // The table or the partition is gone.
      } else {
        PartitionWriter partition(context, *columns, pending->partition_prefix);
        for (const SteadyTime end = SliceEnd(); from.has_value() && !Past(end);) {
          WR_ASSIGN_OR_RETURN(from, partition.DeleteRows(std::move(*from), pending->end, pending->deletion, kStepRows));
        }
        Count(context, *columns, pending->partition_prefix, partition);
      }
      if (from.has_value()) return OkStatus();
      GroupState& state = context.state();
      state.pending_deletions.erase(state.pending_deletions.begin());
      state.pending_changed = true;
      return DropPendingDeletion(context.txn(), pending->sequence);
    });
    WR_RETURN_IF_ERROR(std::move(swept));
    if (from.has_value()) {
      w_.sweep_from_[pending->sequence] = std::move(*from);
    } else {
      w_.sweep_from_.erase(pending->sequence);
    }
    return OkStatus();
  }

  // Some rows of the first retired storage id.
  Status RetiredSlice() {
    const StorageId id = w_.retired_.front();
    WR_ASSIGN_OR_RETURN(const bool done, DeleteSome({.storage_id = id, .begin = {}, .end = {}}, [&](WriteContext& context) {
                          return DropRetired(context.txn(), id);
                        }));
    if (!done) return OkStatus();
    w_.retired_.erase(w_.retired_.begin());
    w_.earliest_purgeable_.erase(id);
    w_.next_walk_seconds_.erase(id);
    return OkStatus();
  }

  // Some rows of the first partition that has been truncated or dropped.
  Status RetiredExtentSlice() {
    const KeyExtent extent = w_.retired_extents_.front();
    WR_ASSIGN_OR_RETURN(const bool done, DeleteSome(extent, [&](WriteContext& context) {
                          return DropRetiredExtent(context.txn(), extent);
                        }));
    if (done) w_.retired_extents_.erase(w_.retired_extents_.begin());
    return OkStatus();
  }

  // Some rows of the walk over a table.
  Status PurgeSlice() {
    if (!w_.walk_.has_value()) {
      const StorageId table = TableToPurge().value();
      w_.walk_ = {.table = table};
      AppendStorageId(table, w_.walk_->from);
      w_.earliest_purgeable_.erase(table);  // What stays is noted anew on the way.
    }
    const StorageId table = w_.walk_->table;
    const TableColumns* columns = w_.ColumnsOf(table);
    Bytes from = w_.walk_->from;
    bool done = columns == nullptr;
    if (!done) {
      Status swept = w_.Transact([&](WriteContext& context) -> Status {
        for (const SteadyTime end = SliceEnd(); !done && !Past(end);) {
          WR_ASSIGN_OR_RETURN(done, PurgeStep(context, *columns, from));
        }
        return OkStatus();
      });
      WR_RETURN_IF_ERROR(std::move(swept));
    }
    w_.walk_->from = std::move(from);
    if (!done) return OkStatus();
    w_.walk_.reset();
    if (columns == nullptr) return OkStatus();
    const int64_t rest = std::max<int64_t>(kWalkEverySecondsMin, columns->table()->options.gc_grace_seconds / 10);
    w_.next_walk_seconds_[table] = w_.shared_.clock.NowSeconds() + rest;
    const auto left = w_.earliest_purgeable_.find(table);
    return w_.Transact([&](WriteContext& context) {
      return StoreEarliestPurgeable(context.txn(), table,
                                    left == w_.earliest_purgeable_.end() ? std::nullopt : std::optional(left->second));
    });
  }

 private:
  struct Found {
    Bytes key;
    size_t prefix_size;
  };

  // Deletes some of what is stored there; with the last of it comes `at_end`, in the same transaction. True: that was all.
  Result<bool> DeleteSome(const KeyExtent& extent, const std::function<Status(WriteContext&)>& at_end) {
    Bytes begin, id;
    AppendStorageId(extent.storage_id, id);
    begin = id + extent.begin;
    const Bytes past = extent.end.empty() ? SuccessorOfPrefix(id) : id + extent.end;
    bool done = false;
    Status swept = w_.Transact([&](WriteContext& context) -> Status {
      for (const SteadyTime end = SliceEnd(); !done && !Past(end);) {
        std::vector<Bytes> keys;
        WR_ASSIGN_OR_RETURN(LongKeyCursor * cursor, context.cursor());
        lmdb::Rc rc = cursor->SeekAtOrAfter(begin);
        for (; rc.ok() && keys.size() < kStepRows && cursor->key() < past; rc = cursor->Next()) {
          keys.emplace_back(cursor->key());
        }
        WR_RETURN_IF_ERROR(CheckRc(rc, "sweeping"));
        for (const Bytes& key : keys) WR_RETURN_IF_ERROR(context.Delete(key));
        done = keys.size() < kStepRows;
      }
      return done ? at_end(context) : OkStatus();
    });
    WR_RETURN_IF_ERROR(std::move(swept));
    return done;
  }

  static void Count(WriteContext& context, const TableColumns& columns, ByteView prefix,
                    const PartitionWriter& writer) {
    const uint32_t partition = PartitionIdOf(*columns.table(), prefix.substr(sizeof(StorageId)));
    StoredCounters& delta = context.state().counters[{columns.table()->storage_id, partition}];
    delta.rows += writer.rows_delta();
    delta.bytes += writer.bytes_delta();
  }

  // Looks at some records from `from` on and purges those that ask for it. True at the end of the table.
  static Result<bool> PurgeStep(WriteContext& context, const TableColumns& columns, Bytes& from) {
    const Bytes table(from, 0, sizeof(StorageId));
    std::vector<Found> found;
    size_t seen = 0;
    WR_ASSIGN_OR_RETURN(LongKeyCursor * cursor, context.cursor());
    lmdb::Rc rc = cursor->SeekAtOrAfter(from);
    for (; rc.ok() && seen < kStepRows && cursor->key().starts_with(table); rc = cursor->Next()) {
      ++seen;
      const ByteView key = cursor->key();
      from.assign(key).push_back('\0');
      const size_t prefix_size = PartitionPrefixSize(key);
      if (prefix_size == 0) continue;
      const auto kind = static_cast<RecordKind>(key[prefix_size]);
      if (kind == RecordKind::kSpill) {
        // Spilled elements go with their rows.
        from.assign(key.substr(0, prefix_size)).push_back(static_cast<char>(RecordKind::kSpill) + 1);
        break;
      }
      const bool is_row = kind == RecordKind::kRow || kind == RecordKind::kStatic;
      if (!is_row || MayBePurgeable(cursor->value())) found.push_back({Bytes(key), prefix_size});
    }
    WR_RETURN_IF_ERROR(CheckRc(rc, "sweeping"));
    const bool done = !rc.ok() || !cursor->key().starts_with(table);
    for (const Found& record : found) WR_RETURN_IF_ERROR(PurgeRecord(context, columns, record));
    return done;
  }

  static Status PurgeRecord(WriteContext& context, const TableColumns& columns, const Found& record) {
    const ByteView key = record.key;
    if (!IsLive(*columns.table(), key)) return OkStatus();  // Of a partition that is being swept.
    const ByteView rest = key.substr(record.prefix_size + 1);
    PartitionWriter partition(context, columns, Bytes(key.substr(0, record.prefix_size)));
    Status status = OkStatus();
    switch (static_cast<RecordKind>(key[record.prefix_size])) {
      case RecordKind::kHeader: status = partition.PurgeHeader(); break;
      case RecordKind::kStatic: status = partition.PurgeRow(true, {}); break;
      case RecordKind::kRangeTombstone: status = partition.PurgeRangeTombstone(rest); break;
      case RecordKind::kRow: status = partition.PurgeRow(false, rest); break;
      case RecordKind::kSpill: break;
    }
    WR_RETURN_IF_ERROR(std::move(status));
    Count(context, columns, key.substr(0, record.prefix_size), partition);
    return OkStatus();
  }

  StoreWriter& w_;
};

bool StoreWriter::SweepIsDue() {
  if (broken_.has_value()) return false;
  TakeTables();
  return !pending_deletions_.empty() || !retired_.empty() || !retired_extents_.empty() || walk_.has_value() ||
         Sweep(*this).TableToPurge().has_value();
}

Result<bool> StoreWriter::SweepSlice() {
  if (!SweepIsDue()) return false;
  Sweep sweep(*this);
  if (!pending_deletions_.empty()) {
    WR_RETURN_IF_ERROR(sweep.PendingSlice());
  } else if (!retired_.empty()) {
    WR_RETURN_IF_ERROR(sweep.RetiredSlice());
  } else if (!retired_extents_.empty()) {
    WR_RETURN_IF_ERROR(sweep.RetiredExtentSlice());
  } else {
    WR_RETURN_IF_ERROR(sweep.PurgeSlice());
  }
  return true;
}

}  // namespace widerow
