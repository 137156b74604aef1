// Changes the data file: folds memtables into it, sweeps it, and applies bulk loads and notes (Apply). Each call
// commits what it has done. A fold or sweep takes some milliseconds, a slice of a bulk load up to 200 ms. Used on the
// folder's thread only, or before it starts. The Folder owns it.
#pragma once

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
    const Memtable::Node* next;  // The next key; null: only Extras are left.
    size_t bytes = 0;            // Bytes of keys and records folded so far.
    // While the deletions of `next` are being folded, which may take several slices: the range tombstones, and the
    // number of those that are folded. Null: none of them is.
    std::shared_ptr<const RangeTombstones> ranges;
    size_t ranges_folded = 0;
  };

  // Folds for some milliseconds in a transaction of its own. True if that was the last slice: the whole memtable is in
  // LMDB. After an error the same slice can be tried again. Content of tables that are gone is left out.
  Result<bool> FoldSlice(Fold& fold);
  Status StoreTimestamp();  // Called at shutdown.
  // Runs `body` with the current tables in a transaction of its own, and stores what has to be stored beside rows.
  Status Apply(const std::function<Status(WriteContext&, const LiveTables&)>& body);

  // Sweeps for some milliseconds and commits: first large deletions, then rows of retired storage ids and partitions,
  // then what gc_grace no longer protects. False if there is nothing to sweep.
  Result<bool> SweepSlice() { return sweep_.Slice(); }
  bool SweepIsDue() { return sweep_.IsDue(); }
  // True if the memtable should be folded because much of its content could be purged then. Each call looks at a part
  // of the memtable.
  bool MemtableIsDue() { return sweep_.MemtableIsDue(); }

  // Set after a commit failed for another reason than lack of room: nothing is written any more.
  const std::optional<Error>& broken() const { return store_.broken(); }

 private:
  Status FoldSome(WriteContext& context, Fold& fold);
  // Folds deletions and rows of one partition, as many of them as one step takes.
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
