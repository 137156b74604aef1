// The part of GroupWriter that runs at start-up: what LMDB holds, and the log's groups behind it.
#include "storage/group_writer.h"

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
  // Written by a version that did not keep them.
  for (const auto& [table, unused] : meta.earliest_purgeable) {
    newest_tombstones_.try_emplace(table, std::numeric_limits<int64_t>::max());
  }
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
    // What the log holds has been filtered; all of the group gets one sequence number, as nobody reads in between.
    sequence_ = group.last_sequence - 1;
    while (!rest.empty()) {
      WriteReader reader(rest);
      WriteBuilder unused;
      ByteView prefix;
      WriteEntry entry;
      while (reader.NextPartition(prefix)) {
        const TableColumns* columns = FindLive(*tables_, prefix);
        while (reader.NextEntry(entry)) {
          if (columns == nullptr) continue;
          if (entry.kind == RecordKind::kHeader || entry.kind == RecordKind::kRangeTombstone) {
            InsertTombstone(prefix, entry);
          } else {
            InsertRow(prefix, entry, *columns);
          }
        }
      }
      if (!reader.ok()) return DamagedLog();
      rest = reader.rest();
    }
    touched_.clear();
    fresh_ = {};  // Counted when it is folded, and not with the first write that comes.
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
