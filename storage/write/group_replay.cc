// The part of GroupWriter that runs when the engine is opened. It takes over the state that LMDB has, and replays the
// later groups of the log.
#include "storage/format/key_codec.h"
#include "storage/write/group_writer.h"

namespace widerow {
namespace {

Error DamagedLog() {
  return ServerError("Damaged commit log: a record's checksum is right and its content is not a write",
                     "restore the data directory from a backup");
}

}  // namespace

void GroupWriter::Load(const StoredMeta& meta) {
  active_ = shared_.state.active();
  active_->BeginLoad();
  sequence_ = meta.folded_through;
  shared_.state.PublishVisible(sequence_);
  newest_tombstones_ = meta.newest_tombstones;
  tables_ = std::make_shared<const LiveTables>(LiveTablesOf(*meta.schema));
}

Status GroupWriter::Replay(const LogGroup& group, MetaRecords& records) {
  if (group.body.empty()) return DamagedLog();
  const auto kind = static_cast<GroupKind>(group.body[0]);
  ByteView rest = group.body.substr(1);
  if (kind == GroupKind::kMeta) {
    std::vector<MetaChange> changes;
    if (!TakeMetaChanges(rest, changes)) return DamagedLog();
    auto tables = std::make_shared<LiveTables>(*tables_);
    for (const MetaChange& change : changes) {
      if (change.value.has_value()) {
        records[change.key] = *change.value;
      } else {
        records.erase(change.key);
      }
      const TablePtr table = TablePutBy(change);
      if (table == nullptr) continue;
      AddLiveTable(table, *tables);
      for (const IndexSchema& index : table->indexes) AddLiveTable(index.entries, *tables);
    }
    tables_ = std::move(tables);
    active_->AddMetaChanges(changes);
  } else if (kind == GroupKind::kWrites) {
    // Writes in the log have been filtered already. The whole group gets one sequence number, because nobody reads
    // during the replay.
    sequence_ = group.last_sequence - 1;
    while (!rest.empty()) {
      WriteReader reader(rest);
      ByteView prefix;
      WriteEntry entry;
      while (reader.NextPartition(prefix)) {
        if (kKeyHeadBytes + DelimitedSize(prefix.substr(kKeyHeadBytes)) != prefix.size()) return DamagedLog();
        const TableColumns* columns = FindLive(*tables_, prefix);
        while (reader.NextEntry(entry)) {
          if (columns == nullptr) continue;
          // Every deletion in a table with derived tables is treated as a large one, because the log does not say which
          // deletions were large.
          const bool deletes = entry.kind == RecordKind::kHeader || entry.kind == RecordKind::kRangeTombstone;
          if (!(deletes ? InsertTombstone(prefix, entry) : InsertRow(prefix, entry, *columns)).ok()) {
            return DamagedLog();
          }
          if (deletes && columns->has_derived()) {
            active_->extras().stale[columns->table()->storage_id] = group.last_sequence;
            shared_.stale.Raise(columns->table()->storage_id, group.last_sequence);
          }
        }
      }
      if (!reader.ok()) return DamagedLog();
      rest = reader.rest();
    }
    touched_.clear();
    // Replayed rows are counted when they are folded. Without this reset the next write would count them as its own.
    fresh_ = {};
  } else if (kind == GroupKind::kBulk || kind == GroupKind::kPurge || kind == GroupKind::kPieces) {
    direct_groups_.emplace_back(group.body);
    direct_logged_ = true;
  } else {
    return DamagedLog();
  }
  sequence_ = group.last_sequence;
  shared_.state.PublishVisible(sequence_);
  int64_t last = shared_.last_timestamp.load();
  if (group.last_timestamp > last) shared_.last_timestamp.store(group.last_timestamp);
  return OkStatus();
}

void GroupWriter::Start(SchemaPtr schema, StorageId next_storage_id, CommitLog& log) {
  log_ = &log;
  active_->EndLoad();
  next_storage_id_ = next_storage_id;
  SetSchema(std::move(schema));
}

}  // namespace widerow
