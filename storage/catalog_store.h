// What the meta database holds: the schema, and the few facts about the data directory that are not rows.
#pragma once

#include <set>

#include "storage/write_context.h"
#include "types/schema.h"

namespace widerow {

struct StoredCounters {
  int64_t rows = 0, bytes = 0;
};

// Everything the engine reads once, at open.
struct StoredMeta {
  std::optional<Uuid> database_id;  // Absent until the first open has given one.
  SchemaPtr schema;
  std::vector<StorageId> retired;  // Tables' former storage ids whose rows are still to be swept.
  StorageId next_storage_id = 1;
  int64_t last_timestamp = 0;  // Micros: the greatest that NextTimestampMicros has given.
  uint64_t next_child_id = 1;
  std::map<std::pair<StorageId, uint32_t>, StoredCounters> counters;
  std::vector<PendingDeletionPtr> pending_deletions;
  std::map<StorageId, int64_t> earliest_purgeable;
};

Bytes FormatVersionKey();
Bytes EncodeFormatVersion(uint32_t version);
std::optional<uint32_t> DecodeFormatVersion(ByteView value);

Result<StoredMeta> LoadMeta(lmdb::TxnRef txn);

// Writes what differs between two schemas; tables and keyspaces are compared by pointer.
Status StoreSchema(lmdb::WriteTxn& txn, const SchemaSnapshot& before, const SchemaSnapshot& after);
// All storage ids a schema uses.
std::set<StorageId> StorageIdsOf(const SchemaSnapshot& schema);

Status StoreDatabaseId(lmdb::WriteTxn& txn, const Uuid& id);
Status StoreNextStorageId(lmdb::WriteTxn& txn, StorageId next);
Status StoreLastTimestamp(lmdb::WriteTxn& txn, int64_t micros);
Status StoreNextChildId(lmdb::WriteTxn& txn, uint64_t next);
Status StoreCounters(lmdb::WriteTxn& txn, StorageId table, uint32_t partition, const StoredCounters& counters);
Status StoreRetired(lmdb::WriteTxn& txn, StorageId id);
Status StoreEarliestPurgeable(lmdb::WriteTxn& txn, StorageId table, std::optional<int64_t> seconds);
Status StorePendingDeletion(lmdb::WriteTxn& txn, const PendingDeletion& pending);
Status DropPendingDeletion(lmdb::WriteTxn& txn, uint64_t sequence);
// A retired id has no rows left: forgets it and everything kept by it.
Status DropRetired(lmdb::WriteTxn& txn, StorageId id);

}  // namespace widerow
