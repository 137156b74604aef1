// What the meta database holds: the schema, and the few facts about the data directory that are not rows.
#pragma once

#include "storage/engine.h"
#include "storage/write_codec.h"
#include "storage/write_context.h"
#include "types/schema.h"

namespace widerow {

// Everything the engine reads once, at open.
struct StoredMeta {
  std::optional<Uuid> database_id;  // Absent until the first open has given one.
  SchemaPtr schema;
  std::vector<StorageId> retired;  // Tables' former storage ids whose rows are still to be swept.
  std::vector<KeyExtent> retired_extents;  // The same of truncated and dropped partitions.
  StorageId next_storage_id = 1;
  int64_t last_timestamp = 0;  // Micros: the greatest that NextTimestampMicros has given.
  uint64_t next_child_id = 1;
  std::map<std::pair<StorageId, uint32_t>, StoredCounters> counters;
  std::vector<PendingDeletionPtr> pending_deletions;
  std::map<StorageId, int64_t> earliest_purgeable;
  uint64_t folded_through = 0;  // The commit log's sequence number up to which everything is in LMDB.
  // By table: no partition or range tombstone in LMDB has a greater timestamp. Tables without one have none.
  std::map<StorageId, int64_t> newest_tombstones;
};

Bytes FormatVersionKey();
Bytes EncodeFormatVersion(uint32_t version);
std::optional<uint32_t> DecodeFormatVersion(ByteView value);

// The meta database as it is stored.
using MetaRecords = std::map<Bytes, Bytes>;
Result<MetaRecords> ReadMeta(lmdb::TxnRef txn);
Result<StoredMeta> LoadMeta(const MetaRecords& records);

// What is known of a table's large partitions (partition_sizes.h) is a note under this and its storage id.
inline constexpr ByteView kSizesNote = "size";

// Notes (engine.h) are not among the records that ReadMeta reads.
Result<std::vector<StorageNote>> ReadNotes(lmdb::TxnRef txn, ByteView prefix);
Status StoreNote(lmdb::WriteTxn& txn, const StorageNote& note);

// What differs between two schemas, keyspaces before tables; tables and keyspaces are compared by pointer.
std::vector<MetaChange> SchemaChanges(const SchemaSnapshot& before, const SchemaSnapshot& after);
MetaChange NextStorageIdChange(StorageId next);
MetaChange RetiredChange(StorageId id);
// The storage id that a RetiredChange retires.
std::optional<StorageId> RetiredBy(const MetaChange& change);
MetaChange RetiredExtentChange(const KeyExtent& extent);
std::optional<KeyExtent> RetiredExtentBy(const MetaChange& change);
// The table that a change puts into the schema; null for other changes and for damaged ones.
TablePtr TablePutBy(const MetaChange& change);
Status StoreChange(lmdb::WriteTxn& txn, const MetaChange& change);

Status StoreDatabaseId(lmdb::WriteTxn& txn, const Uuid& id);
Status StoreLastTimestamp(lmdb::WriteTxn& txn, int64_t micros);
Status StoreNextChildId(lmdb::WriteTxn& txn, uint64_t next);
Status StoreCounters(lmdb::WriteTxn& txn, StorageId table, uint32_t partition, const StoredCounters& counters);
Status StoreEarliestPurgeable(lmdb::WriteTxn& txn, StorageId table, std::optional<int64_t> seconds);
Status StoreFoldedThrough(lmdb::WriteTxn& txn, uint64_t sequence);
Status StoreNewestTombstone(lmdb::WriteTxn& txn, StorageId table, int64_t timestamp);
Status StorePendingDeletion(lmdb::WriteTxn& txn, const PendingDeletion& pending);
Status DropPendingDeletion(lmdb::WriteTxn& txn, uint64_t sequence);
// A retired id has no rows left: forgets it and everything kept by it.
Status DropRetired(lmdb::WriteTxn& txn, StorageId id);
Status DropRetiredExtent(lmdb::WriteTxn& txn, const KeyExtent& extent);

}  // namespace widerow
