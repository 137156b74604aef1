// Sweeping: removes in slices of some milliseconds what large deletions, dropped tables and truncated partitions have
// left. purge.h removes what gc_grace no longer protects.
#include <chrono>
#include <functional>

#include "storage/fold/purge.h"
#include "storage/format/key_codec.h"
#include "types/position.h"

namespace widerow {
namespace {

using SteadyTime = std::chrono::steady_clock::time_point;

// The commit needs about 1 ms more.
constexpr auto kSweepSliceTime = std::chrono::milliseconds(4);
constexpr size_t kStepRows = 64;

SteadyTime SliceEnd() { return std::chrono::steady_clock::now() + kSweepSliceTime; }
bool Past(SteadyTime end) { return std::chrono::steady_clock::now() >= end; }

}  // namespace

// One slice of each kind of sweeping. Works on the state of the StoreWriter.
class Sweep {
 public:
  explicit Sweep(StoreWriter& writer) : w_(writer) {}

  // Applies the first pending deletion to some of its rows.
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
        w_.CountSwept(context, *columns, pending->partition_prefix, partition);
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

  // Deletes some rows of the first retired storage id.
  Status RetiredSlice() {
    const StorageId id = w_.retired_.front();
    WR_ASSIGN_OR_RETURN(const bool done,
                        DeleteSome({.storage_id = id, .begin = {}, .end = {}},
                                   [&](WriteContext& context) { return DropRetired(context.txn(), id); }));
    if (!done) return OkStatus();
    w_.retired_.erase(w_.retired_.begin());
    w_.earliest_purgeable_.erase(id);
    w_.purge_rest_until_.erase(id);
    w_.shared_.ledger.Forget(id);
    return OkStatus();
  }

  // Deletes some rows of the first retired extent: a partition that has been truncated or dropped.
  Status RetiredExtentSlice() {
    const KeyExtent extent = w_.retired_extents_.front();
    WR_ASSIGN_OR_RETURN(const bool done, DeleteSome(extent, [&](WriteContext& context) {
                          return DropRetiredExtent(context.txn(), extent);
                        }));
    if (done) w_.retired_extents_.erase(w_.retired_extents_.begin());
    return OkStatus();
  }

 private:
  // Deletes some keys of the extent. With the last of them it runs `at_end` in the same transaction, and returns true.
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

  StoreWriter& w_;
};

bool StoreWriter::SweepIsDue() {
  if (broken_.has_value()) return false;
  TakeTables();
  return !pending_deletions_.empty() || !retired_.empty() || !retired_extents_.empty() || Purge(*this).IsDue();
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
    WR_RETURN_IF_ERROR(Purge(*this).Slice());
  }
  return true;
}

bool StoreWriter::MemtableIsDue() {
  TakeTables();
  return Purge(*this).MemtableIsDue();
}

void StoreWriter::CountSwept(WriteContext& context, const TableColumns& columns, ByteView prefix,
                             const PartitionWriter& writer) {
  const uint32_t partition = PartitionIdOf(*columns.table(), prefix.substr(sizeof(StorageId)));
  StoredCounters& delta = context.state().counters[{columns.table()->storage_id, partition}];
  delta.rows += writer.rows_delta();
  delta.bytes += writer.bytes_delta();
  shared_.sizes.Add(prefix, writer.rows_delta(), writer.bytes_delta());
}

}  // namespace widerow
