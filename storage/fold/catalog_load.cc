// ReadMeta reads all records but notes. After the changes of the log have been applied to them, LoadMeta makes a
// StoredMeta, with MetaLoader.
#include "storage/fold/catalog_records.h"
#include "storage/fold/catalog_store.h"
#include "storage/format/catalog_codec.h"
#include "storage/format/role_codec.h"
#include "storage/format/row_codec.h"
#include "types/schema_difference.h"

namespace widerow {

Bytes catalog::ExtentRecord(const KeyExtent& extent) {
  Bytes record;
  AppendVarint(record, extent.begin.size());
  return record + extent.begin + extent.end;
}

std::optional<KeyExtent> catalog::TakeExtent(ByteView key_rest, ByteView record) {
  KeyExtent extent;
  uint64_t size = 0;
  if (!TakeFixed(key_rest, extent.storage_id) || !TakeVarint(record, size) || size > record.size()) return std::nullopt;
  extent.begin = Bytes(record.substr(0, size));
  extent.end = Bytes(record.substr(size));
  return extent;
}

namespace {

using catalog::Fixed;
using catalog::KeyOf;
using catalog::MetaKind;
using catalog::TakeFixed;
using lmdb::Db;

Error Damaged(ByteView key) {
  return ServerError("Damaged catalog record, key 0x" + ToHex(key) + ": its bytes do not match its checksum or format",
                     "restore the data directory from a backup");
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
        std::optional<KeyExtent> extent = catalog::TakeExtent(rest, record);
        if (!extent) return false;
        meta_.retired_extents.push_back(std::move(*extent));
        return true;
      }
      case MetaKind::kLooseObject: {
        LargeObjects::Loose loose{.prefix = Bytes(record)};
        if (!TakeFixed(rest, loose.object)) return false;
        meta_.loose_objects.push_back(std::move(loose));
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

}  // namespace

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

Result<StoredMeta> LoadMeta(const MetaRecords& records) {
  MetaLoader loader;
  for (const auto& [key, value] : records) {
    if (!loader.Load(key, value)) return Damaged(key);
  }
  return loader.Finish();
}

}  // namespace widerow
