// BeginFull runs on the thread that folds memtables into the data file, between two folds. So the snapshot has exactly
// the groups up to the last fold, and no segment of the log can be freed before the log is pinned.
#include "storage/engine/backup_reader.h"

#include <algorithm>

#include "base/text.h"
#include "storage/backup/group_codec.h"

namespace widerow {
namespace {

constexpr size_t kPartBytes = 4u << 20;

}  // namespace

BackupReader::~BackupReader() { Unpin(); }

void BackupReader::Unpin() {
  if (pinned_) engine_.log_->Unpin(*pinned_);
  pinned_.reset();
}

Result<std::unique_ptr<BackupSource>> BackupReader::Begin(LmdbEngine& engine, const std::optional<BackupPlace>& since) {
  std::unique_ptr<BackupReader> reader(new BackupReader(engine));
  reader->facts_.database_id = engine.database_id_;
  reader->facts_.format_version = kStorageFormatVersion;
  if (since) {
    WR_RETURN_IF_ERROR(reader->BeginIncrement(*since));
  } else {
    if (engine.direct_log_.not_made()) WR_RETURN_IF_ERROR(engine.RenewHistory());
    WR_RETURN_IF_ERROR(reader->BeginFull());
  }
  reader->facts_.history = engine.history_.id();
  return std::unique_ptr<BackupSource>(std::move(reader));
}

void BackupReader::Pin(uint64_t sequence) {
  engine_.log_->Pin(sequence);
  Unpin();
  pinned_ = sequence;
}

Status BackupReader::TakeMoment() {
  WR_RETURN_IF_ERROR(engine_.log_->Sync());
  facts_.through = engine_.log_->synced_through();
  facts_.moment = engine_.options_.clock->NowMicros();
  WR_ASSIGN_OR_RETURN(const std::optional<int64_t> time, engine_.log_->TimeOf(facts_.through));
  facts_.through_micros = time.value_or(0);
  return OkStatus();
}

Status BackupReader::BeginFull() {
  return engine_.RunOnFolder([&](StoreWriter&) -> Status {
    if (const std::optional<Error> failure = engine_.folder_->failure();
        failure && engine_.state_.frozen() != nullptr) {
      return *failure;
    }
    WR_ASSIGN_OR_RETURN(lmdb::ReadTxn txn, lmdb::ReadTxn::Begin(*engine_.env_));
    WR_ASSIGN_OR_RETURN(const MetaRecords meta, ReadMeta(txn.ref()));
    WR_ASSIGN_OR_RETURN(const StoredMeta stored, LoadMeta(meta));
    facts_.folded_through = stored.folded_through;
    facts_.records = txn.ref().CountRecords();
    Pin(stored.folded_through);
    txn_.emplace(std::move(txn));
    return TakeMoment();
  });
}

Status BackupReader::BeginIncrement(const BackupPlace& since) {
  const std::optional<Uuid> history = engine_.history_.id();
  if (!history) {
    return InvalidError("The database does not keep its commit log, so there can be no incremental backup",
                        "make a full backup in a new directory, or start the server with --keep-log SIZE first");
  }
  if (*history != since.history || engine_.direct_log_.not_made()) {
    return InvalidError("The commit log was not kept without a gap after the earlier backup",
                        "make a full backup in a new directory; gaps come from a start without --keep-log, with "
                        "--accept-lost-log or of an older version, and from a full disk during an import");
  }
  Pin(since.sequence);
  WR_RETURN_IF_ERROR(TakeMoment());
  if (since.sequence > facts_.through) {
    return InvalidError(StrCat("The earlier backup ends at sequence number ", since.sequence,
                               ", and the commit log at ", facts_.through),
                        "the database is older than the backup; make a full backup in a new directory");
  }
  WR_ASSIGN_OR_RETURN(const std::optional<int64_t> time, engine_.log_->TimeOf(since.sequence));
  if (since.micros != 0 && time && *time != since.micros) {
    return InvalidError("The commit log has another write in the place of the last one of the earlier backup",
                        "an older copy of the data directory was put back; make a full backup in a new directory");
  }
  LogCursor at{.sequence = since.sequence};
  return engine_.log_->ReadGroups(at, [](const LogGroup&) -> Result<bool> { return false; });
}

Result<RecordsPart> BackupReader::ReadRecords(bool meta, const Bytes& after) {
  if (!txn_) return InvalidError("An incremental backup has no records of the data file");
  WR_ASSIGN_OR_RETURN(lmdb::Cursor cursor, lmdb::Cursor::Open(txn_->ref(), meta ? lmdb::Db::kMeta : lmdb::Db::kData));
  RecordsPart part;
  ByteView key, value;
  lmdb::Rc rc = cursor.SeekAtOrAfter(after.empty() ? ByteView("\0", 1) : ByteView(after), key, value);
  if (rc.ok() && key == after) rc = cursor.Next(key, value);
  for (; rc.ok() && part.records.size() < kPartBytes; rc = cursor.Next(key, value)) {
    AppendSized(part.records, key);
    AppendSized(part.records, value);
  }
  if (rc.failed()) return lmdb::ToError(rc, "reading records for a backup");
  part.last = rc.not_found();
  return part;
}

Result<LogPart> BackupReader::ReadLog(uint64_t sequence, uint64_t offset) {
  if (cursor_.sequence != sequence) cursor_ = {.sequence = sequence};
  Pin(sequence);
  LogPart part{.bytes = {}, .sequence = sequence, .offset = offset};
  bool full = false;
  WR_RETURN_IF_ERROR(engine_.log_->ReadGroups(cursor_, [&](const LogGroup& group) -> Result<bool> {
    // If the log is not kept, it does not have the direct changes (direct_log.h). So it cannot show the database at a
    // time after the beginning of this backup, and later groups are left out.
    if (!facts_.history && group.last_sequence > facts_.through) return false;
    full = part.bytes.size() >= kPartBytes;
    if (full) return false;
    const Bytes header = EncodeGroupHeader(group);
    const uint64_t size = header.size() + group.body.size();
    if (part.offset > size) return InvalidError("A log part begins after the end of its group");
    const uint64_t end = std::min(size, part.offset + kPartBytes);
    if (part.offset < header.size()) {
      part.bytes.append(ByteView(header).substr(part.offset, end - part.offset));
      part.offset = std::min<uint64_t>(end, header.size());
    }
    part.bytes.append(group.body.substr(part.offset - header.size(), end - part.offset));
    full = end < size;
    part.offset = full ? end : 0;
    if (full) return false;
    part.sequence = group.last_sequence;
    part.micros = group.last_timestamp;
    return true;
  }));
  part.last = !full;
  if (part.last && !facts_.history) Unpin();
  return part;
}

Status BackupReader::Finished(uint64_t through) {
  engine_.finished_backup_.Store(through, engine_.options_.clock->NowSeconds());
  return OkStatus();
}

}  // namespace widerow
