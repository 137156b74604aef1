// A ReadSource is what a reader reads from: a snapshot of the data file, and the memtables that are newer than it. It
// is a part of PooledSnapshot (view.h). One thread at a time may use it.
#pragma once

#include <array>

#include "storage/lmdb/long_keys.h"
#include "storage/memtable/read_state.h"

namespace widerow {

// The versions of one key: the record in the data file, and the versions in memtables, newest first.
struct RowVersions {
  std::optional<ByteView> stored;
  std::array<const Memtable::Version*, kMemtablesMax> fragments;
  size_t fragment_count = 0;

  static RowVersions Stored(ByteView record) { return {.stored = record, .fragments = {}}; }
  void Add(const Memtable::Version* fragment) { fragments[fragment_count++] = fragment; }
  bool empty() const { return !stored.has_value() && fragment_count == 0; }
  // Calls `use` with each record, from the newest to the oldest, until it returns an error. The row is the result of
  // merging all records. The order of merging does not change the result. It costs least to begin with the newest
  // records, because they are small.
  template <typename Use>
  Status ForEachRecord(const Use& use) const {
    for (size_t i = 0; i < fragment_count; ++i) {
      for (const Memtable::Version* part = fragments[i]; part != nullptr; part = part->rest()) {
        WR_RETURN_IF_ERROR(use(part->record()));
      }
    }
    return stored.has_value() ? use(*stored) : OkStatus();
  }
};

// The deletions in memtables that cover rows of one partition. It points into the memtables.
struct PartitionCover {
  std::array<const PartitionTombstones*, kMemtablesMax> tombstones = {};
  size_t count = 0;

  DeletionTime OfStatic() const;
  DeletionTime OfRow(ByteView clustering) const;
};

struct ReadSource final : LargeValues {
  Result<Bytes> ReadWhole(ByteView prefix, ByteView reference) override;

  lmdb::TxnRef txn;
  ReadStatePtr state;
  PurgeLedger* ledger = nullptr;  // Where reads note the dead rows that they pass.
  uint64_t sequence = 0;          // Writes up to this sequence number are seen.
  // The memtables of `state` that are not empty.
  std::array<const Memtable*, kMemtablesMax> memtables = {};
  size_t memtable_count = 0;
  bool any_tombstones = false;  // True if one of `memtables` has tombstones.
  std::vector<lmdb::Cursor> idle_cursors;
  std::vector<lmdb::Cursor> stale_cursors;  // Cursors of an earlier snapshot. They are renewed before use.

  // Sets `sequence`, and the fields that follow from it and from `state`. Call it whenever `state` has changed.
  void SetSequence(uint64_t up_to);
  const Overlay* overlay() const { return state->overlay.get(); }

  lmdb::Rc Get(ByteView key, RowVersions& versions) const;
  // Returns the deletions in memtables that cover rows of a partition. `prefix` is the partition's prefix
  // (key_codec.h).
  PartitionCover CoverOf(ByteView prefix) const;

  Result<lmdb::Cursor> TakeCursor();
  void GiveBack(lmdb::Cursor cursor) { idle_cursors.push_back(std::move(cursor)); }
  // Ends the snapshot. All its cursors become stale, and at most `kept_max` of them are kept for the next use.
  void Retire(size_t kept_max);
};

}  // namespace widerow
