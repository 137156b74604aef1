// A server locks widerow.lock exclusively. If no server runs, the store holds a shared flock of this file, so no server
// can start. If a server runs, the store reads without a lock. LoadLog replays the groups after the last fold.
// Meanwhile, the server may overwrite a segment of the log, but only after another fold. So at its end, LoadLog checks
// if there was another fold, and returns false if so.
#include "storage/check/read_only_store.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>

#include "base/text.h"
#include "storage/fold/direct_log.h"
#include "storage/large_object.h"
#include "storage/lmdb/copy_file.h"
#include "storage/lmdb/open_checks.h"
#include "storage/lmdb/page_walk.h"
#include "storage/log/recovery.h"
#include "storage/log/segment_list.h"
#include "storage/write/group_writer.h"

namespace widerow {
namespace {

namespace fs = std::filesystem;

constexpr int kTriesMax = 50;

}  // namespace

ReadOnlyStore::~ReadOnlyStore() {
  snapshots_.reset();
  snapshot_.reset();
  env_.reset();
  if (lock_ >= 0) close(lock_);
}

Result<std::unique_ptr<ReadOnlyStore>> ReadOnlyStore::Open(const fs::path& directory) {
  std::error_code error;
  if (!fs::is_regular_file(directory / lmdb::kDataFileName, error)) {
    return ConfigError("There is no database in '" + directory.string() + "'");
  }
  std::unique_ptr<ReadOnlyStore> store(new ReadOnlyStore(directory));
  const int fd = open((directory / "widerow.lock").c_str(), O_RDONLY | O_CLOEXEC);
  bool in_use = false;
  if (fd >= 0) {
    in_use = flock(fd, LOCK_SH | LOCK_NB) != 0;
    if (in_use) close(fd);
    if (!in_use) store->lock_ = fd;
  }
  Result<bool> inspected = lmdb::InspectDataFile(directory, true);
  // A process that has the directory open may be writing a meta page just now. So the check is repeated.
  for (int i = 1; in_use && !inspected.ok() && i < kTriesMax; ++i) inspected = lmdb::InspectDataFile(directory, true);
  if (!inspected.ok()) return inspected.error();
  WR_ASSIGN_OR_RETURN(store->env_, lmdb::Env::OpenForReading(directory, in_use));
  WR_RETURN_IF_ERROR(store->TakeSnapshot());
  ByteView version;
  const lmdb::Rc found = store->txn().Get(lmdb::Db::kMeta, FormatVersionKey(), version);
  if (found.failed()) return lmdb::ToError(found, "reading the format version");
  const std::optional<uint32_t> number = found.ok() ? DecodeFormatVersion(version) : std::nullopt;
  if (!number || *number > kStorageFormatVersion) {
    return ServerError(StrCat("The data directory '", directory.string(), "' has format version ",
                              number ? std::to_string(*number) : "unknown", "; this Widerow reads versions up to ",
                              kStorageFormatVersion),
                       "use the version of Widerow that wrote it, or a newer one");
  }
  return store;
}

Status ReadOnlyStore::TakeSnapshot() {
  for (int i = 0; i < kTriesMax; ++i) {
    WR_ASSIGN_OR_RETURN(lmdb::ReadTxn begun, lmdb::ReadTxn::Begin(*env_));
    snapshot_ = std::make_unique<PooledSnapshot>(std::move(begun));
    WR_ASSIGN_OR_RETURN(const std::optional<Bytes> meta, lmdb::ReadMetaPage(directory_, txn().id()));
    if (!meta) continue;  // Two later commits have overwritten the meta page of the snapshot.
    meta_page_ = *meta;
    snapshots_ = std::make_unique<SnapshotPool>(*env_, state_);
    return OkStatus();
  }
  return ServerError("The data file '" + (directory_ / lmdb::kDataFileName).string() + "' changes too fast",
                     "try again, or stop the server for the check");
}

std::unique_ptr<ReadView> ReadOnlyStore::OpenView() {
  snapshot_->source.state = state_.Load();
  snapshot_->source.ledger = &state_.ledger();
  snapshot_->source.SetSequence(state_.visible());
  return std::make_unique<SourceView>(*snapshot_);
}

bool ReadOnlyStore::LoadCatalog(CheckReport& report) {
  Result<MetaRecords> records = ReadMeta(txn());
  if (!records.ok()) return report.Add("the catalog", records.error().message), false;
  records_ = std::move(*records);
  Result<StoredMeta> meta = LoadMeta(records_);
  if (!meta.ok()) return report.Add("the catalog", meta.error().message), false;
  meta_ = std::move(*meta);
  return true;
}

bool ReadOnlyStore::LoadLog(CheckReport& report) {
  const fs::path log = directory_ / lmdb::kLogDirectoryName;
  GroupWriter writer({state_, *snapshots_, counters_, tables_, last_timestamp_, fence_, stale_, clock_},
                     Durability::kNone);
  writer.Load(meta_);
  const LogDirectory inspected{
      .path = log, .files = &PosixLogFiles(), .inspects = true, .concurrent = in_use(), .log = {}};
  const auto load = [&]() -> Status {
    WR_ASSIGN_OR_RETURN(const std::vector<LogSegmentPtr> segments, OpenSegments(inspected));
    if (!in_use()) {
      WR_ASSIGN_OR_RETURN([[maybe_unused]] const SegmentList list,
                          SegmentList::Open(inspected, segments, meta_.log_id));
    }
    WR_ASSIGN_OR_RETURN([[maybe_unused]] const RecoveredLog found,
                        RecoverLog(inspected, segments, meta_.folded_through, [&](const LogGroup& group) {
                          ++report.log_groups;
                          NotePieces(group);
                          return writer.Replay(group, records_);
                        }));
    return OkStatus();
  };
  if (Status loaded = load(); !loaded.ok()) return report.Add("the commit log", loaded.error().message), false;
  Result<StoredMeta> now = LoadMeta(records_);
  if (!now.ok()) return report.Add("the commit log", now.error().message), false;
  schema_ = now->schema;
  state_.PublishOverlay(meta_.pending_deletions);
  writer.StartReading(schema_);
  // A piece is stored before the write that refers to it is logged. This transaction begins after the log was read, so
  // it has the pieces of all logged writes.
  const Result<lmdb::ReadTxn> later = lmdb::ReadTxn::Begin(*env_);
  if (!later.ok()) return report.Add("the data file", later.error().message), false;
  if (in_use()) {
    const Result<MetaRecords> then = ReadMeta(later->ref());
    const Result<StoredMeta> stored = then.ok() ? LoadMeta(*then) : Result<StoredMeta>(then.error());
    if (!stored.ok() || stored->folded_through != meta_.folded_through) return false;
  }
  CheckReferences(later->ref(), *state_.active(), LiveTablesOf(*schema_), logged_pieces_, report);
  return true;
}

void ReadOnlyStore::NotePieces(const LogGroup& group) {
  PiecesGroup pieces;
  if (group.body.empty() || static_cast<GroupKind>(group.body[0]) != GroupKind::kPieces) return;
  if (!DecodePiecesGroup(group.body.substr(1), pieces)) return;  // The replay reports the damage.
  auto& sizes = logged_pieces_[pieces.object];
  for (size_t at = 0; at < pieces.bytes.size(); at += kPieceBytes) {
    sizes[pieces.number + at / kPieceBytes] = std::min(kPieceBytes, pieces.bytes.size() - at);
  }
}

}  // namespace widerow
