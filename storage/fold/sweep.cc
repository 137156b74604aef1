#include "storage/fold/sweep.h"

#include <chrono>

#include "storage/format/key_codec.h"

namespace widerow {
namespace {

using SteadyTime = std::chrono::steady_clock::time_point;

// The time that one slice works before its commit. The commit needs about 1 ms more.
constexpr auto kSweepSliceTime = std::chrono::milliseconds(4);
constexpr size_t kStepRows = 64, kStepPieces = 16;

SteadyTime SliceEnd() { return std::chrono::steady_clock::now() + kSweepSliceTime; }
bool Past(SteadyTime end) { return std::chrono::steady_clock::now() >= end; }

}  // namespace

bool Sweep::IsDue() {
  if (store_.broken().has_value()) return false;
  store_.TakeTables();
  return !store_.pending_deletions().empty() || !store_.retired().empty() || !store_.retired_extents().empty() ||
         store_.shared().large.AnyToSweep() || purge_.IsDue();
}

Result<bool> Sweep::Slice() {
  if (!IsDue()) return false;
  if (!store_.pending_deletions().empty()) {
    WR_RETURN_IF_ERROR(PendingSlice());
  } else if (!store_.retired().empty()) {
    WR_RETURN_IF_ERROR(RetiredSlice());
  } else if (!store_.retired_extents().empty()) {
    WR_RETURN_IF_ERROR(RetiredExtentSlice());
  } else if (const std::optional<LargeObjects::Loose> loose = store_.shared().large.NextToSweep()) {
    WR_RETURN_IF_ERROR(LargeObjectSlice(*loose));
  } else {
    WR_RETURN_IF_ERROR(purge_.Slice());
  }
  return true;
}

bool Sweep::MemtableIsDue() {
  store_.TakeTables();
  return purge_.MemtableIsDue() || store_.shared().large.WantsFold();
}

Status Sweep::PendingSlice() {
  const PendingDeletionPtr pending = store_.pending_deletions().front();
  const TableColumns* columns = FindLive(store_.tables(), pending->partition_prefix);
  std::optional<Bytes> from = pending->begin;
  if (const auto at = sweep_from_.find(pending->sequence); at != sweep_from_.end()) from = at->second;
  Status swept = store_.Transact([&](WriteContext& context) -> Status {
    if (columns == nullptr) {
      from.reset();  // The table or the partition is gone.
    } else {
      PartitionWriter partition(context, *columns, pending->partition_prefix);
      for (const SteadyTime end = SliceEnd(); from.has_value() && !Past(end);) {
        WR_ASSIGN_OR_RETURN(from, partition.DeleteRows(std::move(*from), pending->end, pending->deletion, kStepRows));
      }
      store_.Count(context, *columns, pending->partition_prefix, partition);
    }
    if (from.has_value()) return OkStatus();
    GroupState& state = context.state();
    state.pending_deletions.erase(state.pending_deletions.begin());
    state.pending_changed = true;
    return DropPendingDeletion(context.txn(), pending->sequence);
  });
  WR_RETURN_IF_ERROR(std::move(swept));
  if (from.has_value()) {
    sweep_from_[pending->sequence] = std::move(*from);
  } else {
    sweep_from_.erase(pending->sequence);
  }
  return OkStatus();
}

Status Sweep::RetiredSlice() {
  const StorageId id = store_.retired().front();
  WR_ASSIGN_OR_RETURN(const bool done,
                      DeleteSome({.storage_id = id, .begin = {}, .end = {}},
                                 [&](WriteContext& context) { return DropRetired(context.txn(), id); }));
  if (!done) return OkStatus();
  store_.ForgetRetired(id);
  purge_.Forget(id);
  return OkStatus();
}

Status Sweep::RetiredExtentSlice() {
  const KeyExtent extent = store_.retired_extents().front();
  WR_ASSIGN_OR_RETURN(const bool done, DeleteSome(extent, [&](WriteContext& context) {
                        return DropRetiredExtent(context.txn(), extent);
                      }));
  if (done) store_.ForgetRetired(extent);
  return OkStatus();
}

Status Sweep::LargeObjectSlice(const LargeObjects::Loose& loose) {
  Bytes prefix;
  AppendPiecePrefix(loose.prefix, loose.object, prefix);
  bool done = false;
  Status swept = store_.Transact([&](WriteContext& context) -> Status {
    int64_t removed = 0;
    for (const SteadyTime end = SliceEnd(); !done && !Past(end);) {
      std::vector<Bytes> keys;
      WR_ASSIGN_OR_RETURN(LongKeyCursor * cursor, context.cursor());
      lmdb::Rc rc = cursor->SeekAtOrAfter(prefix);
      for (; rc.ok() && keys.size() < kStepPieces && cursor->key().starts_with(prefix); rc = cursor->Next()) {
        keys.emplace_back(cursor->key());
        removed += static_cast<int64_t>(cursor->key().size() + cursor->value().size());
      }
      WR_RETURN_IF_ERROR(CheckRc(rc, "sweeping"));
      for (const Bytes& key : keys) WR_RETURN_IF_ERROR(context.Delete(key));
      done = keys.size() < kStepPieces;
    }
    store_.CountBytes(context, loose.prefix, -removed);
    return done ? DropLooseObject(context.txn(), loose.object) : OkStatus();
  });
  WR_RETURN_IF_ERROR(std::move(swept));
  if (done) store_.shared().large.Swept(loose.object);
  return OkStatus();
}

Result<bool> Sweep::DeleteSome(const KeyExtent& extent, const std::function<Status(WriteContext&)>& at_end) {
  Bytes begin, id;
  AppendStorageId(extent.storage_id, id);
  begin = id + extent.begin;
  const Bytes past = extent.end.empty() ? SuccessorOfPrefix(id) : id + extent.end;
  bool done = false;
  Status swept = store_.Transact([&](WriteContext& context) -> Status {
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

}  // namespace widerow
