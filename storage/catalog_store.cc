#include "storage/catalog_store.h"

#include "storage/catalog_codec.h"
#include "storage/key_codec.h"
#include "storage/row_codec.h"

namespace widerow {
namespace {

using lmdb::Db;

// First byte of a key of the meta database. Stored: never renumber.
enum class MetaKind : char {
  kFormatVersion = 'F',
  kSchemaVersion = 'V',
  kKeyspace = 'K',  // name
  kTable = 'T',     // keyspace, 00, name
  kNextStorageId = 'N',
  kLastTimestamp = 'M',
  kNextChildId = 'C',
  kDatabaseId = 'I',
  kCounters = 'S',           // storage id (4), partition id (4)
  kRetired = 'R',            // storage id (4)
  kEarliestPurgeable = 'G',  // storage id (4)
  kPendingDeletion = 'D',    // sequence (8)
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

// Reads one record into `meta`. Keyspaces come before tables ('K' < 'T'), so a table finds its keyspace.
class MetaLoader {
 public:
  bool Load(ByteView key, ByteView record) {
    const auto kind = static_cast<MetaKind>(key[0]);
    ByteView rest = key.substr(1);
    if (kind == MetaKind::kKeyspace) return LoadKeyspace(record);
    if (kind == MetaKind::kTable) return LoadTable(record);
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
        if (record.size() != 16) return false;
        meta_.database_id = Uuid::FromBytes(record);
        return true;
      case MetaKind::kNextStorageId: return TakeFixed(record, meta_.next_storage_id);
      case MetaKind::kLastTimestamp: return TakeFixed(record, meta_.last_timestamp);
      case MetaKind::kNextChildId: return TakeFixed(record, meta_.next_child_id);
      case MetaKind::kRetired:
        if (!TakeFixed(rest, id)) return false;
        meta_.retired.push_back(id);
        return true;
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
    for (const StorageId id : StorageIdsOf(*schema_)) meta_.next_storage_id = std::max(meta_.next_storage_id, id + 1);
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

  bool LoadPending(ByteView rest, ByteView record) {
    auto pending = std::make_shared<PendingDeletion>();
    if (!TakeFixed(rest, pending->sequence) || !DecodePendingDeletion(record, *pending)) return false;
    meta_.pending_deletions.push_back(std::move(pending));
    return true;
  }

  StoredMeta meta_;
  std::shared_ptr<SchemaSnapshot> schema_ = std::make_shared<SchemaSnapshot>();
  std::map<std::string, std::shared_ptr<KeyspaceSchema>> keyspaces_;
};

Status StoreKeyspaceChange(lmdb::WriteTxn& txn, const KeyspaceSchema* before, const KeyspaceSchema& after) {
  Bytes record = EncodeKeyspace(after);
  if (before == nullptr || EncodeKeyspace(*before) != record) {
    const lmdb::Rc rc = txn.Put(Db::kMeta, KeyOf(MetaKind::kKeyspace, after.name), record);
    WR_RETURN_IF_ERROR(CheckRc(rc, "writing the catalog"));
  }
  for (const auto& [name, table] : after.tables) {
    if (before != nullptr) {
      const auto old = before->tables.find(name);
      if (old != before->tables.end() && old->second == table) continue;
    }
    const lmdb::Rc rc = txn.Put(Db::kMeta, TableKey(after.name, name), EncodeTable(*table));
    WR_RETURN_IF_ERROR(CheckRc(rc, "writing the catalog"));
  }
  if (before == nullptr) return OkStatus();
  for (const auto& [name, table] : before->tables) {
    if (!after.tables.contains(name)) WR_RETURN_IF_ERROR(Delete(txn, TableKey(after.name, name)));
  }
  return OkStatus();
}

}  // namespace

Bytes FormatVersionKey() { return KeyOf(MetaKind::kFormatVersion); }

// Plain, so that every version can read it.
Bytes EncodeFormatVersion(uint32_t version) { return Fixed(version); }

std::optional<uint32_t> DecodeFormatVersion(ByteView value) {
  uint32_t version = 0;
  if (value.size() != sizeof version || !TakeFixed(value, version)) return std::nullopt;
  return version;
}

Result<StoredMeta> LoadMeta(lmdb::TxnRef txn) {
  WR_ASSIGN_OR_RETURN(lmdb::Cursor cursor, lmdb::Cursor::Open(txn, Db::kMeta));
  MetaLoader loader;
  ByteView key, value;
  lmdb::Rc rc = cursor.SeekAtOrAfter(ByteView("\0", 1), key, value);
  for (; rc.ok(); rc = cursor.Next(key, value)) {
    if (!loader.Load(key, value)) return Damaged(key);
  }
  if (rc.failed()) return lmdb::ToError(rc, "reading the catalog");
  return loader.Finish();
}

std::set<StorageId> StorageIdsOf(const SchemaSnapshot& schema) {
  std::set<StorageId> ids;
  for (const auto& [name, keyspace] : schema.keyspaces) {
    for (const auto& [table_name, table] : keyspace->tables) ids.insert(table->storage_id);
  }
  return ids;
}

Status StoreSchema(lmdb::WriteTxn& txn, const SchemaSnapshot& before, const SchemaSnapshot& after) {
  for (const auto& [name, keyspace] : after.keyspaces) {
    const auto old = before.keyspaces.find(name);
    const KeyspaceSchema* old_keyspace = old == before.keyspaces.end() ? nullptr : old->second.get();
    if (old_keyspace == keyspace.get()) continue;
    WR_RETURN_IF_ERROR(StoreKeyspaceChange(txn, old_keyspace, *keyspace));
  }
  for (const auto& [name, keyspace] : before.keyspaces) {
    if (after.keyspaces.contains(name)) continue;
    for (const auto& [table, unused] : keyspace->tables) WR_RETURN_IF_ERROR(Delete(txn, TableKey(name, table)));
    WR_RETURN_IF_ERROR(Delete(txn, KeyOf(MetaKind::kKeyspace, name)));
  }
  return Put(txn, KeyOf(MetaKind::kSchemaVersion), Bytes(after.version.view()));
}

Status StoreDatabaseId(lmdb::WriteTxn& txn, const Uuid& id) {
  return Put(txn, KeyOf(MetaKind::kDatabaseId), Bytes(id.view()));
}
Status StoreNextStorageId(lmdb::WriteTxn& txn, StorageId next) {
  return Put(txn, KeyOf(MetaKind::kNextStorageId), Fixed(next));
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
Status StoreRetired(lmdb::WriteTxn& txn, StorageId id) { return Put(txn, KeyOf(MetaKind::kRetired, Fixed(id)), {}); }

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
  return Delete(txn, KeyOf(MetaKind::kRetired, Fixed(id)));
}

}  // namespace widerow
