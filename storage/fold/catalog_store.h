// Reads and writes the `meta` database, which stores the schema and the facts about the data directory that are not
// rows. A function that reads needs a transaction of the calling thread. The functions Store… and Drop… are called on
// the folder's thread, or before it starts.
#pragma once

#include "storage/fold/write_context.h"
#include "storage/large/large_objects.h"
#include "storage/log/write_codec.h"
#include "storage/storage_engine.h"
#include "types/schema.h"

namespace widerow {

// Everything that the engine reads once, at open.
struct StoredMeta {
  std::optional<Uuid> database_id;  // Absent until the first open stores one.
  std::optional<Uuid> log_id;       // The commit log that belongs to data.mdb. Absent before format version 3.
  SchemaPtr schema;
  // Storage ids that no table uses. Their rows are still to be swept.
  std::vector<StorageId> retired;
  // Ranges of keys of truncated and dropped partitions that are still to be swept.
  std::vector<KeyExtent> retired_extents;
  StorageId next_storage_id = 1;
  // The greatest timestamp that NextTimestampMicros has given, in microseconds.
  int64_t last_timestamp = 0;
  uint64_t next_child_id = 1;
  std::map<std::pair<StorageId, uint32_t>, StoredCounters> counters;
  std::vector<PendingDeletionPtr> pending_deletions;
  std::map<StorageId, int64_t> earliest_purgeable;
  // Every write up to this sequence number of the commit log is in LMDB.
  uint64_t folded_through = 0;
  // By table: the greatest timestamp of its partition and range tombstones in LMDB. A table without such tombstones has
  // no entry.
  std::map<StorageId, int64_t> newest_tombstones;
  // Large objects to which no row in LMDB refers.
  std::vector<LargeObjects::Loose> loose_objects;
};

Bytes FormatVersionKey();
Bytes EncodeFormatVersion(uint32_t version);
std::optional<uint32_t> DecodeFormatVersion(ByteView value);

// The records of the meta database, without notes.
using MetaRecords = std::map<Bytes, Bytes>;
Result<MetaRecords> ReadMeta(lmdb::TxnRef txn);
Result<StoredMeta> LoadMeta(const MetaRecords& records);

// The beginning of the key of a note about a table's large partitions (partition_sizes.h). The table's storage id
// follows.
inline constexpr ByteView kSizesNote = "size";
// The key of the note which says that the data file stores the newest tombstone of each table. If the note is missing,
// the build that wrote the data file last did not store them.
inline constexpr ByteView kKnowsTombstonesNote = "tombstones";

// Notes: see StorageNote in storage_engine.h. A damaged note is skipped.
Result<std::vector<StorageNote>> ReadNotes(lmdb::TxnRef txn, ByteView prefix);
Status StoreNote(lmdb::WriteTxn& txn, const StorageNote& note);

// Returns the changes that turn the schema `before` into `after`. A new keyspace comes before its tables, a dropped
// keyspace after them. Tables and keyspaces are compared by pointer.
std::vector<MetaChange> SchemaChanges(const SchemaSnapshot& before, const SchemaSnapshot& after);
MetaChange NextStorageIdChange(StorageId next);
MetaChange RetiredChange(StorageId id);
// Returns the storage id that a RetiredChange retires; nullopt for other changes.
std::optional<StorageId> RetiredBy(const MetaChange& change);
MetaChange RetiredExtentChange(const KeyExtent& extent);
std::optional<KeyExtent> RetiredExtentBy(const MetaChange& change);
// Returns the table that a change puts into the schema; null for other changes and damaged ones.
TablePtr TablePutBy(const MetaChange& change);
Status StoreChange(lmdb::WriteTxn& txn, const MetaChange& change);

// Stores the ids of the database and of its commit log.
Status StoreIds(lmdb::WriteTxn& txn, const Uuid& database, const Uuid& log);
Status StoreLastTimestamp(lmdb::WriteTxn& txn, int64_t micros);
Status StoreNextChildId(lmdb::WriteTxn& txn, uint64_t next);
Status StoreCounters(lmdb::WriteTxn& txn, StorageId table, uint32_t partition, const StoredCounters& counters);
Status StoreEarliestPurgeable(lmdb::WriteTxn& txn, StorageId table, std::optional<int64_t> seconds);
Status StoreFoldedThrough(lmdb::WriteTxn& txn, uint64_t sequence);
Status StoreNewestTombstone(lmdb::WriteTxn& txn, StorageId table, int64_t timestamp);
Status StorePendingDeletion(lmdb::WriteTxn& txn, const PendingDeletion& pending);
Status DropPendingDeletion(lmdb::WriteTxn& txn, uint64_t sequence);
// Removes the record of a retired id whose rows have all been removed, and everything else that is stored for the id.
Status DropRetired(lmdb::WriteTxn& txn, StorageId id);
// The next two functions store and remove the record which says that no row in the data file refers to a large object.
Status StoreLooseObject(lmdb::WriteTxn& txn, uint64_t object, ByteView partition_prefix);
Status DropLooseObject(lmdb::WriteTxn& txn, uint64_t object);
Status DropRetiredExtent(lmdb::WriteTxn& txn, const KeyExtent& extent);

}  // namespace widerow
