// A key of the meta database is a letter (MetaKind) and a rest that depends on the letter. SchemaChanges compares two
// schemas and returns the changes. These and the results of the functions …Change go to the log and later, with
// StoreChange, into LMDB. All other records are written directly, by the Store… functions. catalog_load.cc reads the
// records.
#include "storage/fold/catalog_store.h"

#include <xxhash.h>

#include "storage/fold/catalog_records.h"
#include "storage/format/catalog_codec.h"
#include "storage/format/key_codec.h"
#include "storage/format/role_codec.h"
#include "storage/format/row_codec.h"

namespace widerow {
namespace {

using catalog::Fixed;
using catalog::KeyOf;
using catalog::MetaKind;
using catalog::TakeFixed;
using lmdb::Db;

Bytes TableKey(ByteView keyspace, ByteView table) {
  return KeyOf(MetaKind::kTable, Bytes(keyspace) + '\0' + Bytes(table));
}

Bytes CountersKey(StorageId table, uint32_t partition) {
  return KeyOf(MetaKind::kCounters, Fixed(table) + Fixed(partition));
}

Bytes Sealed(Bytes value) {
  Seal(value);
  return value;
}

Status Put(lmdb::WriteTxn& txn, const Bytes& key, Bytes value) {
  Seal(value);
  return CheckRc(txn.Put(Db::kMeta, key, value), "writing the catalog");
}

Status Delete(lmdb::WriteTxn& txn, const Bytes& key) {
  return CheckRc(txn.Delete(Db::kMeta, key), "writing the catalog");
}

// Returns the extent's key. It has a hash of the bounds, because the bounds may be too long for a key of LMDB.
Bytes ExtentKey(const KeyExtent& extent) {
  const Bytes record = catalog::ExtentRecord(extent);
  return KeyOf(MetaKind::kRetiredExtent,
               Fixed(extent.storage_id) + Fixed(uint64_t{XXH3_64bits(record.data(), record.size())}));
}

void AppendRoleChanges(const AccessPtr& before, const AccessPtr& after, std::vector<MetaChange>& changes) {
  if (before == after) return;
  const AccessCatalog none;
  const AccessCatalog& was = before == nullptr ? none : *before;
  const AccessCatalog& is = after == nullptr ? none : *after;
  for (const auto& [name, role] : is.roles) {
    const auto old = was.roles.find(name);
    if (old != was.roles.end() && old->second == role) continue;
    changes.push_back({KeyOf(MetaKind::kRole, name), EncodeRole(*role)});
  }
  for (const auto& [name, role] : was.roles) {
    if (!is.roles.contains(name)) changes.push_back({KeyOf(MetaKind::kRole, name), std::nullopt});
  }
}

void AppendKeyspaceChanges(const KeyspaceSchema* before, const KeyspaceSchema& after,
                           std::vector<MetaChange>& changes) {
  Bytes record = EncodeKeyspace(after);
  if (before == nullptr || EncodeKeyspace(*before) != record) {
    changes.push_back({KeyOf(MetaKind::kKeyspace, after.name), std::move(record)});
  }
  for (const auto& [name, table] : after.tables) {
    if (before != nullptr) {
      const auto old = before->tables.find(name);
      if (old != before->tables.end() && old->second == table) continue;
    }
    changes.push_back({TableKey(after.name, name), EncodeTable(*table)});
  }
  if (before == nullptr) return;
  for (const auto& [name, table] : before->tables) {
    if (!after.tables.contains(name)) changes.push_back({TableKey(after.name, name), std::nullopt});
  }
}

}  // namespace

Bytes FormatVersionKey() { return KeyOf(MetaKind::kFormatVersion); }

// Returns the version without a checksum, so that every version of Widerow can read it.
Bytes EncodeFormatVersion(uint32_t version) { return Fixed(version); }

std::optional<uint32_t> DecodeFormatVersion(ByteView value) {
  uint32_t version = 0;
  if (value.size() != sizeof version || !TakeFixed(value, version)) return std::nullopt;
  return version;
}

Status StoreNote(lmdb::WriteTxn& txn, const StorageNote& note) {
  const Bytes key = KeyOf(MetaKind::kNote, note.key);
  return note.value ? Put(txn, key, *note.value) : Delete(txn, key);
}

std::vector<MetaChange> SchemaChanges(const SchemaSnapshot& before, const SchemaSnapshot& after) {
  std::vector<MetaChange> changes;
  for (const auto& [name, keyspace] : after.keyspaces) {
    const auto old = before.keyspaces.find(name);
    const KeyspaceSchema* old_keyspace = old == before.keyspaces.end() ? nullptr : old->second.get();
    if (old_keyspace != keyspace.get()) AppendKeyspaceChanges(old_keyspace, *keyspace, changes);
  }
  for (const auto& [name, keyspace] : before.keyspaces) {
    if (after.keyspaces.contains(name)) continue;
    for (const auto& [table, unused] : keyspace->tables) changes.push_back({TableKey(name, table), std::nullopt});
    changes.push_back({KeyOf(MetaKind::kKeyspace, name), std::nullopt});
  }
  AppendRoleChanges(before.access, after.access, changes);
  changes.push_back({KeyOf(MetaKind::kSchemaVersion), Sealed(Bytes(after.version.view()))});
  return changes;
}

MetaChange NextStorageIdChange(StorageId next) { return {KeyOf(MetaKind::kNextStorageId), Sealed(Fixed(next))}; }
MetaChange RetiredChange(StorageId id) { return {KeyOf(MetaKind::kRetired, Fixed(id)), Sealed({})}; }

std::optional<StorageId> RetiredBy(const MetaChange& change) {
  ByteView rest = change.key;
  StorageId id = 0;
  if (rest.empty() || rest[0] != static_cast<char>(MetaKind::kRetired) || !change.value.has_value())
    return std::nullopt;
  rest.remove_prefix(1);
  return TakeFixed(rest, id) ? std::optional(id) : std::nullopt;
}

MetaChange RetiredExtentChange(const KeyExtent& extent) {
  return {ExtentKey(extent), Sealed(catalog::ExtentRecord(extent))};
}

std::optional<KeyExtent> RetiredExtentBy(const MetaChange& change) {
  ByteView rest = change.key;
  if (rest.empty() || rest[0] != static_cast<char>(MetaKind::kRetiredExtent) || !change.value) return std::nullopt;
  ByteView record = *change.value;
  return Unseal(record) ? catalog::TakeExtent(rest.substr(1), record) : std::nullopt;
}

TablePtr TablePutBy(const MetaChange& change) {
  if (change.key.empty() || change.key[0] != static_cast<char>(MetaKind::kTable)) return nullptr;
  auto table = std::make_shared<TableSchema>();
  return change.value.has_value() && DecodeTable(*change.value, *table) ? table : nullptr;
}

Status StoreChange(lmdb::WriteTxn& txn, const MetaChange& change) {
  if (!change.value.has_value()) return Delete(txn, change.key);
  return CheckRc(txn.Put(Db::kMeta, change.key, *change.value), "writing the catalog");
}

Status StoreIds(lmdb::WriteTxn& txn, const Uuid& database, const Uuid& log) {
  WR_RETURN_IF_ERROR(Put(txn, KeyOf(MetaKind::kDatabaseId), Bytes(database.view())));
  return Put(txn, KeyOf(MetaKind::kLogId), Bytes(log.view()));
}
Status StoreLastTimestamp(lmdb::WriteTxn& txn, int64_t micros) {
  return Put(txn, KeyOf(MetaKind::kLastTimestamp), Fixed(micros));
}
Status StoreNextChildId(lmdb::WriteTxn& txn, uint64_t next) {
  return Put(txn, KeyOf(MetaKind::kNextChildId), Fixed(next));
}
Status StoreCounters(lmdb::WriteTxn& txn, StorageId table, uint32_t partition, const StoredCounters& counters) {
  return Put(txn, CountersKey(table, partition), Fixed(counters.rows) + Fixed(counters.bytes));
}
Status StoreFoldedThrough(lmdb::WriteTxn& txn, uint64_t sequence) {
  return Put(txn, KeyOf(MetaKind::kFoldedThrough), Fixed(sequence));
}
Status StoreNewestTombstone(lmdb::WriteTxn& txn, StorageId table, int64_t timestamp) {
  return Put(txn, KeyOf(MetaKind::kNewestTombstone, Fixed(table)), Fixed(timestamp));
}

Status StoreEarliestPurgeable(lmdb::WriteTxn& txn, StorageId table, std::optional<int64_t> seconds) {
  const Bytes key = KeyOf(MetaKind::kEarliestPurgeable, Fixed(table));
  return seconds.has_value() ? Put(txn, key, Fixed(*seconds)) : Delete(txn, key);
}

Status StorePendingDeletion(lmdb::WriteTxn& txn, const PendingDeletion& pending) {
  const Bytes key = KeyOf(MetaKind::kPendingDeletion, Fixed(pending.sequence));
  return CheckRc(txn.Put(Db::kMeta, key, EncodePendingDeletion(pending)), "writing the catalog");
}
Status DropPendingDeletion(lmdb::WriteTxn& txn, uint64_t sequence) {
  return Delete(txn, KeyOf(MetaKind::kPendingDeletion, Fixed(sequence)));
}

Status DropRetiredExtent(lmdb::WriteTxn& txn, const KeyExtent& extent) { return Delete(txn, ExtentKey(extent)); }

Status DropRetired(lmdb::WriteTxn& txn, StorageId id) {
  const Bytes prefix = KeyOf(MetaKind::kCounters, Fixed(id));
  while (true) {
    Bytes found;
    {
      WR_ASSIGN_OR_RETURN(lmdb::Cursor cursor, lmdb::Cursor::Open(txn.ref(), Db::kMeta));
      ByteView key, value;
      const lmdb::Rc rc = cursor.SeekAtOrAfter(prefix, key, value);
      WR_RETURN_IF_ERROR(CheckRc(rc, "reading the catalog"));
      if (rc.ok() && key.starts_with(prefix)) found.assign(key);
    }
    if (found.empty()) break;
    WR_RETURN_IF_ERROR(Delete(txn, found));
  }
  WR_RETURN_IF_ERROR(StoreEarliestPurgeable(txn, id, std::nullopt));
  WR_RETURN_IF_ERROR(Delete(txn, KeyOf(MetaKind::kNewestTombstone, Fixed(id))));
  WR_RETURN_IF_ERROR(StoreNote(txn, {Bytes(kSizesNote) + Fixed(id), std::nullopt}));
  return Delete(txn, KeyOf(MetaKind::kRetired, Fixed(id)));
}

Status StoreLooseObject(lmdb::WriteTxn& txn, uint64_t object, ByteView partition_prefix) {
  return Put(txn, KeyOf(MetaKind::kLooseObject, Fixed(object)), Bytes(partition_prefix));
}

Status DropLooseObject(lmdb::WriteTxn& txn, uint64_t object) {
  return Delete(txn, KeyOf(MetaKind::kLooseObject, Fixed(object)));
}

}  // namespace widerow
