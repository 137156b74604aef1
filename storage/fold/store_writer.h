// Changes the data file: folds memtables into it, sweeps it, and applies bulk loads and notes (Apply). Each call
// commits its changes. A call for a fold or a sweep takes some milliseconds, a slice of a bulk load up to 200 ms. Used
// on the folder's thread only, or before it starts. The Folder owns it.
#pragma once

#include "storage/fold/direct_log.h"
#include "storage/fold/store_state.h"
#include "storage/fold/sweep.h"

namespace widerow {

class StoreWriter {
 public:
  StoreWriter(SharedState shared, StoredMeta meta);
  StoreWriter(const StoreWriter&) = delete;
  StoreWriter& operator=(const StoreWriter&) = delete;

  // The progress of a fold.
  struct Fold {
    const Memtable* memtable;
    const Memtable::Node* next;  // The next key to fold; null if only the Extras are left.
    size_t bytes = 0;            // Bytes of keys and records folded so far.
    // The deletions of `next` may take several slices. Meanwhile, `ranges` has the range tombstones of `next`, and
    // `ranges_folded` is the number of those that are folded. At other times `ranges` is null.
    std::shared_ptr<const RangeTombstones> ranges;
    size_t ranges_folded = 0;
  };

  // Folds for some milliseconds in one transaction. Returns true if the whole memtable is in LMDB then. After an error
  // the same slice can be tried again. Content of tables that are gone is left out.
  Result<bool> FoldSlice(Fold& fold);
  // Stores pieces in one transaction, and counts their bytes. kInvalid if the table or the partition is gone.
  Status StorePieces(const PiecesGroup& pieces);
  // Stores pieces that are in the log, unless they are stored already, or the table or the partition is gone.
  Status RepeatPieces(const PiecesGroup& pieces);
  Status StoreTimestamp();  // Stores the last timestamp that was given. Called at shutdown.
  // Runs `body` with the current tables in one transaction, and stores the changes that are not rows.
  Status Apply(const std::function<Status(WriteContext&, const LiveTables&)>& body);

  // Sweeps for some milliseconds and commits. Large deletions come first, then the rows of retired storage ids and
  // partitions, then large objects without references, and then content that gc_grace no longer protects. Returns false
  // if there is nothing to sweep.
  Result<bool> SweepSlice() { return sweep_.Slice(); }
  bool SweepIsDue() { return sweep_.IsDue(); }
  // True if the active memtable should be folded: much of its content could then be purged, or large objects wait for a
  // fold. Each call examines a part of the memtable.
  bool MemtableIsDue() { return sweep_.MemtableIsDue(); }

  // Repeats a purge that is in the log (direct_log.h).
  Status RepeatPurge(const PurgeGroup& purge) {
    store_.TakeTables();
    return sweep_.RepeatPurge(purge);
  }

  // Set when a commit has failed for another reason than lack of room. Nothing is written to the data file after that.
  const std::optional<Error>& broken() const { return store_.broken(); }

 private:
  Status FoldSome(WriteContext& context, Fold& fold);
  // Folds as many deletions and rows of one partition as one step may take.
  Status FoldPartition(WriteContext& context, Fold& fold);
  Status StoreSizes(lmdb::WriteTxn& txn);
  Status FoldExtras(WriteContext& context, const Memtable::Extras& extras);
  // Stores the counters of a table whose partition map may have changed.
  Status StoreCountersOf(WriteContext& context, const TableSchema& table);
  void TakeOver(const Memtable::Extras& extras);

  std::map<StorageId, int64_t> newest_tombstones_;
  StoreState store_;
  Sweep sweep_;
};

}  // namespace widerow
