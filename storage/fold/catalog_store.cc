// A key of the meta database is a letter (MetaKind) and a rest that depends on the letter. At open, ReadMeta reads all
// records but notes; after the log's changes are applied to them, LoadMeta makes a StoredMeta (MetaLoader).
// SchemaChanges compares two schemas and returns the changes, which go to the log and later, with StoreChange, into
// LMDB. All other records are written directly, by the Store… functions.
#include "storage/fold/catalog_store.h"

#include <xxhash.h>

#include "storage/format/catalog_codec.h"
#include "storage/format/key_codec.h"
#include "storage/format/role_codec.h"
#include "storage/format/row_codec.h"
#include "types/schema_difference.h"

namespace widerow {
namespace {

using lmdb::Db;

// The first byte of a key of the meta database. Stored: never change a letter.
enum class MetaKind : char {
  kFormatVersion = 'F',
  kSchemaVersion = 'V',
  kKeyspace = 'K',  // name
  kTable = 'T',     // keyspace, 00, name
  kRole = 'A',      // name
  kNextStorageId = 'N',
  kLastTimestamp = 'M',
  kNextChildId = 'C',
  kDatabaseId = 'I',
  kLogId = 'J',
  kCounters = 'S',           // storage id (4), partition id (4)
  kRetired = 'R',            // storage id (4)
  kRetiredExtent = 'X',      // storage id (4), hash of the bounds (8)
  kEarliestPurgeable = 'G',  // storage id (4)
  kPendingDeletion = 'D',    // sequence (8)
  kFoldedThrough = 'L',
  kNewestTombstone = 'Z',  // storage id (4)
  kNote = 'H',             // The note's key. Not read at open.
};

Bytes KeyOf(MetaKind kind, ByteView rest = {}) { return Bytes(1, static_cast<char>(kind)) + Bytes(rest); }

template <std::integral T>
Bytes Fixed(T value) {
  Bytes out;
  AppendBigEndian(out, value);
  return out;
}

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

Error Damaged(ByteView key) {
  return ServerError("Damaged catalog record, key 0x" + ToHex(key) + ": its bytes do not match its checksum or format",
                     "restore the data directory from a backup");
}

template <std::integral T>
bool TakeFixed(ByteView& in, T& value) {
  if (in.size() < sizeof(T)) return false;
  value = ReadBigEndian<T>(in.data());
  in.remove_prefix(sizeof(T));
  return true;
}

// Returns the record without its checksum: the beginning, sized, then the end.
Bytes ExtentRecord(const KeyExtent& extent) {
  Bytes record;
  AppendVarint(record, extent.begin.size());
  return record + extent.begin + extent.end;
}

// Returns the extent's key. It has a hash of the bounds, because the bounds may be too long for a key of LMDB.
Bytes ExtentKey(const KeyExtent& extent) {
  const Bytes record = ExtentRecord(extent);
  return KeyOf(MetaKind::kRetiredExtent,
               Fixed(extent.storage_id) + Fixed(uint64_t{XXH3_64bits(record.data(), record.size())}));
}

std::optional<KeyExtent> TakeExtent(ByteView key_rest, ByteView record) {
  KeyExtent extent;
  uint64_t size = 0;
  if (!TakeFixed(key_rest, extent.storage_id) || !TakeVarint(record, size) || size > record.size()) return std::nullopt;
  extent.begin = Bytes(record.substr(0, size));
  extent.end = Bytes(record.substr(size));
  return extent;
}

// Reads records, in the order of their keys, into a StoredMeta. Keyspaces come before tables ('K' < 'T'), so a table
// finds its keyspace.
class MetaLoader {
 public:
  bool Load(ByteView key, ByteView record) {
    const auto kind = static_cast<MetaKind>(key[0]);
    ByteView rest = key.substr(1);
    if (kind == MetaKind::kKeyspace) return LoadKeyspace(record);
    if (kind == MetaKind::kTable) return LoadTable(record);
    if (kind == MetaKind::kRole) return LoadRole(record);
    if (kind == MetaKind::kPendingDeletion) return LoadPending(rest, record);
    if (kind == MetaKind::kFormatVersion) return true;
    if (!Unseal(record)) return false;
    StorageId id = 0;
    switch (kind) {
      case MetaKind::kSchemaVersion:
        if (record.size() != 16) return false;
        schema_->version = Uuid::FromBytes(record);
        return true;
      case MetaKind::kDatabaseId:
      case MetaKind::kLogId:
        if (record.size() != 16) return false;
        (kind == MetaKind::kLogId ? meta_.log_id : meta_.database_id) = Uuid::FromBytes(record);
        return true;
      case MetaKind::kNextStorageId: return TakeFixed(record, meta_.next_storage_id);
      case MetaKind::kLastTimestamp: return TakeFixed(record, meta_.last_timestamp);
      case MetaKind::kNextChildId: return TakeFixed(record, meta_.next_child_id);
      case MetaKind::kFoldedThrough: return TakeFixed(record, meta_.folded_through);
      case MetaKind::kNewestTombstone: return TakeFixed(rest, id) && TakeFixed(record, meta_.newest_tombstones[id]);
      case MetaKind::kRetired:
        if (!TakeFixed(rest, id)) return false;
        meta_.retired.push_back(id);
        return true;
      case MetaKind::kRetiredExtent: {
        std::optional<KeyExtent> extent = TakeExtent(rest, record);
        if (!extent) return false;
        meta_.retired_extents.push_back(std::move(*extent));
        return true;
      }
      case MetaKind::kEarliestPurgeable: return TakeFixed(rest, id) && TakeFixed(record, meta_.earliest_purgeable[id]);
      case MetaKind::kCounters: {
        uint32_t partition = 0;
        if (!TakeFixed(rest, id) || !TakeFixed(rest, partition)) return false;
        StoredCounters& counters = meta_.counters[{id, partition}];
        return TakeFixed(record, counters.rows) && TakeFixed(record, counters.bytes);
      }
      default: return false;
    }
  }

  StoredMeta Finish() {
    for (auto& [name, keyspace] : keyspaces_) schema_->keyspaces.emplace(name, std::move(keyspace));
    ForEachStoredTable(*schema_, [&](const TablePtr& table) {
      for (const StorageId id : StorageIdsOf(*table)) meta_.next_storage_id = std::max(meta_.next_storage_id, id + 1);
    });
    schema_->access = std::move(access_);
    meta_.schema = std::move(schema_);
    return std::move(meta_);
  }

 private:
  bool LoadKeyspace(ByteView record) {
    auto keyspace = std::make_shared<KeyspaceSchema>();
    if (!DecodeKeyspace(record, *keyspace)) return false;
    keyspaces_[keyspace->name] = keyspace;
    return true;
  }

  bool LoadTable(ByteView record) {
    auto table = std::make_shared<TableSchema>();
    if (!DecodeTable(record, *table)) return false;
    const auto keyspace = keyspaces_.find(table->keyspace);
    if (keyspace == keyspaces_.end()) return false;
    keyspace->second->tables[table->name] = table;
    return true;
  }

  bool LoadRole(ByteView record) {
    auto role = std::make_shared<RoleSchema>();
    if (!DecodeRole(record, *role)) return false;
    if (access_ == nullptr) access_ = std::make_shared<AccessCatalog>();
    access_->roles[role->name] = role;
    return true;
  }

  bool LoadPending(ByteView rest, ByteView record) {
    auto pending = std::make_shared<PendingDeletion>();
    if (!TakeFixed(rest, pending->sequence) || !DecodePendingDeletion(record, *pending)) return false;
    meta_.pending_deletions.push_back(std::move(pending));
    return true;
  }

  StoredMeta meta_;
  std::shared_ptr<SchemaSnapshot> schema_ = std::make_shared<SchemaSnapshot>();
  std::map<std::string, std::shared_ptr<KeyspaceSchema>> keyspaces_;
  std::shared_ptr<AccessCatalog> access_;
};

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

Result<MetaRecords> ReadMeta(lmdb::TxnRef txn) {
  WR_ASSIGN_OR_RETURN(lmdb::Cursor cursor, lmdb::Cursor::Open(txn, Db::kMeta));
  MetaRecords records;
  ByteView key, value;
  lmdb::Rc rc = cursor.SeekAtOrAfter(ByteView("\0", 1), key, value);
  while (rc.ok()) {
    if (key.starts_with(KeyOf(MetaKind::kNote))) {
      rc = cursor.SeekAtOrAfter(Bytes(1, static_cast<char>(MetaKind::kNote) + 1), key, value);
      continue;
    }
    records.emplace_hint(records.end(), key, value);
    rc = cursor.Next(key, value);
  }
  if (rc.failed()) return lmdb::ToError(rc, "reading the catalog");
  return records;
}

Result<std::vector<StorageNote>> ReadNotes(lmdb::TxnRef txn, ByteView prefix) {
  WR_ASSIGN_OR_RETURN(lmdb::Cursor cursor, lmdb::Cursor::Open(txn, Db::kMeta));
  const Bytes wanted = KeyOf(MetaKind::kNote, prefix);
  std::vector<StorageNote> notes;
  ByteView key, value;
  lmdb::Rc rc = cursor.SeekAtOrAfter(wanted, key, value);
  for (; rc.ok() && key.starts_with(wanted); rc = cursor.Next(key, value)) {
    if (ByteView record = value; Unseal(record)) notes.push_back({Bytes(key.substr(1)), Bytes(record)});
  }
  if (rc.failed()) return lmdb::ToError(rc, "reading notes");
  return notes;
}

Status StoreNote(lmdb::WriteTxn& txn, const StorageNote& note) {
  const Bytes key = KeyOf(MetaKind::kNote, note.key);
  return note.value ? Put(txn, key, *note.value) : Delete(txn, key);
}

Result<StoredMeta> LoadMeta(const MetaRecords& records) {
  MetaLoader loader;
  for (const auto& [key, value] : records) {
    if (!loader.Load(key, value)) return Damaged(key);
  }
  return loader.Finish();
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

MetaChange RetiredExtentChange(const KeyExtent& extent) { return {ExtentKey(extent), Sealed(ExtentRecord(extent))}; }

std::optional<KeyExtent> RetiredExtentBy(const MetaChange& change) {
  ByteView rest = change.key;
  if (rest.empty() || rest[0] != static_cast<char>(MetaKind::kRetiredExtent) || !change.value) return std::nullopt;
  ByteView record = *change.value;
  return Unseal(record) ? TakeExtent(rest.substr(1), record) : std::nullopt;
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

}  // namespace widerow
