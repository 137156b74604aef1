// Where a reader reads: a snapshot of the data file and the memtables over it.
#pragma once

#include <array>

#include "storage/long_keys.h"
#include "storage/read_state.h"

namespace widerow {

// What is there under one key: the record of the data file, and fragments in memtables, newest first.
struct RowVersions {
  std::optional<ByteView> stored;
  std::array<ByteView, kMemtablesMax> fragments;
  size_t fragment_count = 0;

  static RowVersions Stored(ByteView record) { return {.stored = record, .fragments = {}}; }
  void Add(ByteView fragment) { fragments[fragment_count++] = fragment; }
  bool empty() const { return !stored.has_value() && fragment_count == 0; }
};

// The deletions in memtables that cover rows of one partition.
struct PartitionCover {
  std::array<const PartitionTombstones*, kMemtablesMax> tombstones = {};
  size_t count = 0;

  DeletionTime OfStatic() const;
  DeletionTime OfRow(ByteView clustering) const;
};

struct ReadSource {
  lmdb::TxnRef txn;
  ReadStatePtr state;
  PurgeLedger* ledger = nullptr;  // Where dead rows that were passed are noted.
  uint64_t sequence = 0;  // Writes up to here are seen.
  // Of `state`, those with something in them.
  std::array<const Memtable*, kMemtablesMax> memtables = {};
  size_t memtable_count = 0;
  bool any_tombstones = false;  // In the memtables.
  std::vector<lmdb::Cursor> idle_cursors;
  std::vector<lmdb::Cursor> stale_cursors;  // Of an earlier snapshot: to be renewed before use.

  // To be called whenever `state` or `sequence` has been set.
  void SetSequence(uint64_t up_to);
  const Overlay* overlay() const { return state->overlay.get(); }

  lmdb::Rc Get(ByteView key, RowVersions& versions) const;
  // `prefix` as in keys.
  PartitionCover CoverOf(ByteView prefix) const;

  Result<lmdb::Cursor> TakeCursor();
  void GiveBack(lmdb::Cursor cursor) { idle_cursors.push_back(std::move(cursor)); }
  // The snapshot ends: all cursors become stale, at most `kept_max` are kept.
  void Retire(size_t kept_max);
};

}  // namespace widerow
