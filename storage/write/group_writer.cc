// ApplyGroup calls ApplyWrite for each write, by way of TryToApply. ApplyWrite runs the decide step, if there is one,
// and then Insert for the encoded writes. Insert (group_insert.cc) puts them into the memtable, and collects in a
// WriteBuilder what has to be logged. Commit appends these bytes to the log as one record and publishes the sequence
// number. All changes of a group in the memtable are noted in touched_, so that Undo can take them back.
// group_replay.cc has the part that runs when the engine is opened.
#include "storage/write/group_writer.h"

#include "base/out_of_memory.h"
#include "storage/format/key_codec.h"
#include "types/schema_difference.h"

namespace widerow {
namespace {

using SteadyClock = std::chrono::steady_clock;

// The buffer of a write is kept for the next group, unless it has become larger than this. A group may have thousands
// of writes.
constexpr size_t kBodyBytesKept = 1'024;
// The view of a group is replaced when the rows that were read from it hold more than this.
constexpr size_t kViewBytesMax = 1u << 20;

}  // namespace

void GroupWriter::SetSchema(SchemaPtr schema) {
  static const SchemaSnapshot kNone;
  auto tables = std::make_shared<LiveTables>(*tables_);
  ForEachChangedTable(schema_ == nullptr ? kNone : *schema_, *schema, [&](const TablePtr& was, const TablePtr& is) {
    if (was != nullptr) RemoveLiveTable(*was, *tables);
    if (is != nullptr) AddLiveTable(is, *tables);
  });
  schema_ = std::move(schema);
  tables_ = std::move(tables);
  shared_.tables.Store(tables_);
}

size_t GroupWriter::ApplyGroup(std::span<const QueuedWrite* const> writes, size_t memory_max,
                               std::vector<Status>& statuses) {
  statuses.clear();
  statuses.resize(writes.size());
  if (broken_.has_value()) {
    for (Status& status : statuses) status = *broken_;
    return writes.size();
  }
  bodies_.resize(std::max(bodies_.size(), writes.size()));
  log_time_ = {};
  shared_.fence.BeginGroup();
  const size_t memory_before = active_->bytes();
  // `first` is the first write that is not in the log yet. `bytes` is the length of the record that will begin with it.
  size_t first = 0, bytes = sizeof(GroupKind), i = 0;
  while (i < writes.size() && (i == 0 || active_->bytes() - memory_before < memory_max)) {
    const Mark begin = Here();
    bodies_[i].clear();
    statuses[i] = TryToApply(*writes[i], bodies_[i]);
    if (view_ != nullptr && view_->row_bytes() > kViewBytesMax) view_.reset();
    const size_t size = bodies_[i].size();
    if (!statuses[i].ok()) {
      Undo(begin);
      bodies_[i].clear();
    } else if (bytes + size > record_bytes_max_) {
      Undo(begin);
      Commit(first, i, statuses);
      first = i;
      bytes = sizeof(GroupKind);
      // The write is applied again. It begins the next record.
      continue;
    }
    bytes += bodies_[i].size();
    sequence_ += bodies_[i].empty() ? 0 : 1;
    ++i;
  }
  shared_.fence.EndGroup();
  view_.reset();
  Commit(first, i, statuses);
  statuses.resize(i);
  for (Bytes& body : std::span(bodies_).first(i)) {
    if (body.capacity() > kBodyBytesKept) Bytes().swap(body);
  }
  return i;
}

void GroupWriter::Commit(size_t begin, size_t end, std::vector<Status>& statuses) {
  const char kind = static_cast<char>(GroupKind::kWrites);
  std::vector<ByteView> parts{ByteView(&kind, 1)};
  for (size_t i = begin; i < end; ++i) {
    if (!bodies_[i].empty()) parts.push_back(bodies_[i]);
  }
  const size_t logged_writes = parts.size() - 1;
  if (logged_writes > 0) {
    const SteadyClock::time_point start = SteadyClock::now();
    const Status logged = Log(parts, durability_ == Durability::kSync);
    log_time_ += SteadyClock::now() - start;
    if (logged.ok()) {
      shared_.state.PublishVisible(sequence_);
      if (!stale_.empty()) [[unlikely]]
        MarkStale();
    } else {
      Undo({});
      sequence_ -= logged_writes;
      for (size_t i = begin; i < end; ++i) {
        if (statuses[i].ok()) statuses[i] = logged.error();
      }
    }
  }
  Count();
  touched_.clear();
  stale_.clear();
}

void GroupWriter::MarkStale() {
  for (const StorageId table : stale_) {
    active_->extras().stale[table] = sequence_;
    shared_.stale.Raise(table, sequence_);
  }
  derived_->StaleRowsLeft();
}

Status GroupWriter::Log(std::span<const ByteView> parts, bool sync) {
  group_micros_ = std::max({group_micros_, shared_.last_timestamp.load(), shared_.clock.NowMicros()});
  Status logged = log_->Append(sequence_, group_micros_, parts);
  if (logged.ok() && sync) logged = log_->Sync();
  log_error_.reset();
  if (!logged.ok()) log_error_ = logged.error();
  if (logged.ok() || !log_->broken()) return logged;
  Error error = logged.error();
  broken_ =
      ServerError("Writes are refused until the server is restarted: an earlier write to the commit log failed (" +
                      error.message + ")",
                  "check the disk of the data directory, then restart");
  error.message += "; it is not known whether the write is on disk, and further writes are refused until a restart";
  return error;
}

void GroupWriter::Undo(const Mark& to) {
  while (touched_.size() > to.touched) {
    active_->Pop(touched_.back().first, touched_.back().second);
    touched_.pop_back();
  }
  counted_.resize(to.counted);
  stale_.resize(to.stale);
  fresh_ = {};
}

void GroupWriter::Count() {
  for (const Counted& counted : counted_) {
    shared_.counters.CountWrite(*counted.table, counted.position, counted.micros, counted.fresh,
                                active_->extras().fresh);
  }
  counted_.clear();
}

bool GroupWriter::WaitForPurge(ByteView encoded) {
  if (!shared_.fence.is_up()) [[likely]]
    return false;
  bool waited = false, again = true;
  while (std::exchange(again, false)) {
    WriteReader reader(encoded);
    ByteView prefix;
    WriteEntry entry;
    while (!again && !encoded.empty() && reader.NextPartition(prefix)) {
      while (reader.NextEntry(entry)) {
        key_.assign(prefix);
        AppendKind(entry.kind, key_);
        key_.append(entry.rest);
        again = again || shared_.fence.Guards(key_);
      }
    }
    if (again) shared_.fence.WaitUntilLowered();
    waited = waited || again;
  }
  if (waited) view_.reset();
  return waited;
}

Status GroupWriter::ApplyWrite(const QueuedWrite& write, Bytes& out) {
  const Mark begin = Here();
  memory_before_write_ = active_->bytes();
  while (true) {
    WaitForPurge(write.encoded);
    builder_.Clear();
    derives_ = false;
    Bytes decided;
    if (write.decide) {
      // The decide step runs before the rest of the write is inserted, so a batch does not see its own changes
      // (tests/cql/batch/lists.cql).
      WR_ASSIGN_OR_RETURN(SourceView * view, View());
      WR_ASSIGN_OR_RETURN(const Mutation mutation, write.decide(*view));
      WR_ASSIGN_OR_RETURN(decided, EncodeWrite(mutation, *tables_));
      if (WaitForPurge(decided)) [[unlikely]]
        continue;
    }
    WR_RETURN_IF_ERROR(Insert(write.encoded));
    WR_RETURN_IF_ERROR(Insert(decided));
    if (derives_) [[unlikely]] {
      WR_ASSIGN_OR_RETURN(const DerivedChanges changes, Derive());
      if (changes.conflict) return RefuseConflict(*changes.conflict, write, begin);
      WR_ASSIGN_OR_RETURN(const Bytes derived, EncodeWrite(changes.changes, *tables_));
      if (WaitForPurge(derived)) {
        Undo(begin);
        memory_before_write_ = active_->bytes();
        continue;
      }
      WR_RETURN_IF_ERROR(Insert(derived));
    }
    if (!builder_.empty()) builder_.Finish(out);
    return CheckSize(out.size());
  }
}

Status GroupWriter::TryToApply(const QueuedWrite& write, Bytes& out) {
  try {
    return ApplyWrite(write, out);
  } catch (const std::exception& thrown) { return ErrorOf(thrown); }
}

Status GroupWriter::CommitSchema(const SchemaPtr& next) {
  if (broken_.has_value()) return *broken_;
  std::vector<MetaChange> changes = SchemaChanges(*schema_, *next);
  StorageId next_id = next_storage_id_;
  ForEachChangedTable(*schema_, *next, [&](const TablePtr& was, const TablePtr& is) {
    const std::vector<StorageId> used = is == nullptr ? std::vector<StorageId>() : StorageIdsOf(*is);
    for (const StorageId id : used) next_id = std::max(next_id, id + 1);
    if (was == nullptr) return;
    for (const StorageId id : StorageIdsOf(*was)) {
      if (std::find(used.begin(), used.end(), id) == used.end()) changes.push_back(RetiredChange(id));
    }
    if (is == nullptr) return;
    for (const KeyExtent& lost : LostExtents(*was, *is)) changes.push_back(RetiredExtentChange(lost));
  });
  changes.push_back(NextStorageIdChange(next_id));

  Bytes body(1, static_cast<char>(GroupKind::kMeta));
  AppendMetaChanges(changes, body);
  ++sequence_;
  const ByteView part = body;
  if (Status logged = Log({&part, 1}, true); !logged.ok()) {
    --sequence_;
    return logged;
  }
  active_->AddMetaChanges(changes);
  next_storage_id_ = next_id;
  shared_.counters.Change(*schema_, *next, active_->extras().fresh);
  SetSchema(next);
  shared_.state.PublishVisible(sequence_);
  return OkStatus();
}

Status GroupWriter::LogDirect(ByteView group) {
  if (broken_.has_value()) return *broken_;
  ++sequence_;
  if (Status logged = Log({&group, 1}, true); !logged.ok()) {
    --sequence_;
    return logged;
  }
  direct_logged_ = true;
  shared_.state.PublishVisible(sequence_);
  return OkStatus();
}

bool GroupWriter::Freeze() {
  if (active_->bytes() == 0 && !direct_logged_) return false;
  direct_logged_ = false;
  active_->extras().last_sequence = sequence_;
  frozen_bytes_ = std::max<size_t>(1, active_->bytes());
  ++freezes_;
  shared_.state.Freeze();
  active_ = shared_.state.active();
  shared_.snapshots.DropStale();
  return true;
}

}  // namespace widerow
