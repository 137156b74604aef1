// The part of LmdbEngine for backups, for the history (history_mark.h), and for repeating direct groups (direct_log.h).
#include "base/text.h"
#include "storage/bulk/bulk_load.h"
#include "storage/engine/backup_reader.h"
#include "storage/engine/restored.h"

namespace widerow {
namespace {

Error DamagedDirectGroup() {
  return ServerError("Damaged commit log: a group of purged records or of pieces cannot be decoded",
                     "restore the data directory from a backup");
}

}  // namespace

Status CheckRestored(const std::filesystem::path& directory) {
  std::error_code error;
  if (!std::filesystem::exists(directory / kRestoringName, error)) return OkStatus();
  return ServerError("A restore into '" + directory.string() + "' was not finished",
                     "run `widerow restore` into this directory again; it begins anew");
}

Status LmdbEngine::LoadHistory() {
  WR_ASSIGN_OR_RETURN(const std::vector<StorageNote> notes, ReadNotes(kHistoryNote));
  constexpr size_t kIdBytes = sizeof(Uuid::bytes);
  std::optional<Uuid> id;
  keep_log_bytes_ = options_.keep_log_bytes;
  stored_history_ = {.key = Bytes(kHistoryNote), .value = {}};
  if (!notes.empty() && notes[0].value->size() == kIdBytes + sizeof keep_log_bytes_) {
    stored_history_ = notes[0];
    const ByteView value = *notes[0].value;
    id = Uuid::FromBytes(value.substr(0, kIdBytes));
    if (options_.keep_log_as_before) keep_log_bytes_ = ReadBigEndian<uint64_t>(value.data() + kIdBytes);
  }
  // If a part of the log was lost, its sequence numbers may be used again. So the history ends.
  if (options_.accept_lost_log) id.reset();
  if (keep_log_bytes_ == 0) return OkStatus();
  history_.Set(id ? *id : Uuid::Random());
  return OkStatus();
}

Status LmdbEngine::RenewHistory() {
  direct_log_.ForgetNotMade();
  history_.Set(Uuid::Random());
  return WriteNotes({history_.Note(keep_log_bytes_)});
}

Status LmdbEngine::RepeatDirectGroups(StoreWriter& writer, const std::vector<Bytes>& groups) {
  for (const Bytes& group : groups) {
    const ByteView body = ByteView(group).substr(1);
    if (static_cast<GroupKind>(group[0]) == GroupKind::kBulk) {
      WR_ASSIGN_OR_RETURN([[maybe_unused]] const bool any, StoreBulkGroup(writer, body));
      continue;
    }
    if (static_cast<GroupKind>(group[0]) == GroupKind::kPieces) {
      PiecesGroup pieces;
      if (!DecodePiecesGroup(body, pieces)) return DamagedDirectGroup();
      WR_RETURN_IF_ERROR(writer.RepeatPieces(pieces));
      continue;
    }
    PurgeGroup purge;
    if (!DecodePurgeGroup(body, purge)) return DamagedDirectGroup();
    WR_RETURN_IF_ERROR(writer.RepeatPurge(purge));
  }
  return OkStatus();
}

Result<std::unique_ptr<BackupSource>> LmdbEngine::BeginBackup(const std::optional<BackupPlace>& since) {
  return BackupReader::Begin(*this, since);
}

BackupStatistics LmdbEngine::Backups() const {
  const CommitLog::Kept kept = log_->kept();
  BackupStatistics out{.kept_log_bytes = kept.bytes, .kept_log_bytes_max = keep_log_bytes_};
  std::tie(out.finished_through, out.finished_seconds) = finished_backup_.Load();
  if (out.finished_seconds == 0) return out;
  out.groups_not_in_backup = state_.visible() - std::min(out.finished_through, state_.visible());
  out.log_reaches_backup = history_.id().has_value() && !direct_log_.not_made() && kept.after <= out.finished_through;
  return out;
}

}  // namespace widerow
