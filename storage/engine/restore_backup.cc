// RestoreBackup writes the mark kRestoringName, copies the data file (CopyBase), replays the log in chunks (Replay),
// and removes the mark. CopyBase copies all records except two, which belong to the log of the original directory.
#include "storage/engine/restore_backup.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/text.h"
#include "storage/backup/group_file.h"
#include "storage/backup/verify_backup.h"
#include "storage/engine/lmdb_engine.h"
#include "storage/engine/narrow_schema.h"
#include "storage/engine/replay_chunks.h"
#include "storage/engine/restored.h"
#include "storage/fold/catalog_records.h"
#include "storage/lmdb/record_file.h"

namespace widerow {
namespace {

namespace fs = std::filesystem;

constexpr size_t kReplayBytes = 64u << 20;
constexpr uint64_t kProgressRecords = 4'096;

// Reads the groups of all log files of a backup, one after another.
class BackupLogReader {
 public:
  BackupLogReader(const fs::path& directory, const Manifest& manifest) : directory_(directory), manifest_(manifest) {}

  // Returns the next group; until Take is called, each call returns the same group. The group is valid until the first
  // call after Take. False at the end.
  Result<bool> Peek(LogGroup& group) {
    while (!have_ && next_ <= manifest_.logs.size()) {
      if (reader_) {
        WR_ASSIGN_OR_RETURN(have_, reader_->Next(group_));
        if (have_) break;
        reader_.reset();
      }
      if (next_ == manifest_.logs.size()) break;
      WR_ASSIGN_OR_RETURN(GroupFileReader opened, GroupFileReader::Open(directory_, manifest_, manifest_.logs[next_]));
      reader_.emplace(std::move(opened));
      ++next_;
    }
    group = group_;
    return have_;
  }
  void Take() { have_ = false; }

 private:
  const fs::path& directory_;
  const Manifest& manifest_;
  size_t next_ = 0;  // The next file to open.
  std::optional<GroupFileReader> reader_;
  LogGroup group_;
  bool have_ = false;
};

class Restore {
 public:
  explicit Restore(const RestoreOptions& options) : options_(options) {}

  Result<Restored> Run() {
    WR_ASSIGN_OR_RETURN(out_.manifest, ReadManifest(options_.from));
    WR_RETURN_IF_ERROR(CheckManifest());
    Say("checking the backup");
    WR_ASSIGN_OR_RETURN([[maybe_unused]] const BackupContents contents, VerifyBackup(options_.from, out_.manifest));
    WR_RETURN_IF_ERROR(PrepareTarget());
    WR_RETURN_IF_ERROR(CopyBase());
    WR_RETURN_IF_ERROR(Replay());
    if (!options_.keyspace.empty()) WR_RETURN_IF_ERROR(Narrow());
    const fs::path mark = options_.to / kRestoringName;
    WR_RETURN_IF_ERROR(SyncDirectory(options_.to));
    if (unlink(mark.c_str()) != 0) return FileError("remove", mark, errno);
    WR_RETURN_IF_ERROR(SyncDirectory(options_.to));
    return std::move(out_);
  }

 private:
  void Say(const std::string& doing, uint64_t done = 0, uint64_t all = 0) const {
    if (options_.progress) options_.progress(doing, done, all);
  }

  Status CheckManifest() const {
    const Manifest& manifest = out_.manifest;
    if (manifest.format_version > kStorageFormatVersion) {
      return ServerError(StrCat("The backup has data of format version ", manifest.format_version,
                                "; this Widerow reads versions up to ", kStorageFormatVersion),
                         "use Widerow " + manifest.program_version + " or a newer version");
    }
    if (!options_.until) return OkStatus();
    if (*options_.until >= manifest.first_moment && *options_.until <= manifest.last_moment) return OkStatus();
    return InvalidError(StrCat("The backup cannot show the moment ", MomentText(*options_.until)),
                        StrCat("it has the moments from ", MomentText(manifest.first_moment), " to ",
                               MomentText(manifest.last_moment)));
  }

  // Makes the directory, with the mark, and removes what an unfinished restore has left.
  Status PrepareTarget() const {
    const fs::path& to = options_.to;
    std::error_code error;
    WR_RETURN_IF_ERROR(MakePrivateDirectory(to));
    const fs::path mark = to / kRestoringName;
    const bool unfinished = fs::exists(mark, error);
    if (!unfinished && !fs::is_empty(to, error)) {
      return InvalidError("The directory '" + to.string() + "' is not empty",
                          "restore into a new directory, then start the server on it");
    }
    if (!unfinished) {
      WR_ASSIGN_OR_RETURN(const std::unique_ptr<DurableFile> file, DurableFile::Create(mark));
      return file->Finish();
    }
    // If the lock can be taken, no other process is restoring into the directory now.
    WR_ASSIGN_OR_RETURN([[maybe_unused]] const lmdb::DirectoryLock lock, lmdb::DirectoryLock::Take(to));
    for (const char* const name : {"log", "lock.mdb", lmdb::kUnfinishedFileName, lmdb::kDataFileName, "widerow.lock"}) {
      fs::remove_all(to / name, error);
      if (error) return FileError("remove", to / name, error.value());
    }
    return SyncDirectory(to);
  }

  Status CopyBase() {
    const fs::path from = options_.from / out_.manifest.base.name, to = options_.to / lmdb::kDataFileName;
    WR_ASSIGN_OR_RETURN(const std::unique_ptr<lmdb::RecordFile> file, lmdb::RecordFile::Create(to));
    const Bytes log_id = catalog::KeyOf(catalog::MetaKind::kLogId);
    const Bytes history = catalog::KeyOf(catalog::MetaKind::kNote, kHistoryNote);
    const uint64_t all = out_.manifest.records;
    for (const lmdb::Db db : {lmdb::Db::kMeta, lmdb::Db::kData}) {
      const auto take = [&](ByteView key, ByteView value) -> Status {
        if (++out_.records % kProgressRecords == 0) Say("copying", out_.records, all);
        if (db == lmdb::Db::kMeta && (key == log_id || key == history)) return OkStatus();
        return file->Append(db, key, value);
      };
      WR_RETURN_IF_ERROR(lmdb::ForEachRecord(from, db, take));
    }
    WR_ASSIGN_OR_RETURN([[maybe_unused]] const lmdb::CopiedFile copied, file->Finish());
    return SyncDirectory(options_.to);
  }

  // Opens the directory, lets `feed` replay groups, calls `then`, folds everything, and closes the directory.
  Status OpenWith(const LmdbEngine::Feed& feed, const std::function<Status(LmdbEngine&)>& then) const {
    std::optional<Error> closing;
    StorageOptions storage;
    storage.directory = options_.to;
    storage.background_sweep = false;
    storage.closing_failed = [&](const Error& error) {
      if (!closing) closing = error;
    };
    {
      WR_ASSIGN_OR_RETURN(const std::unique_ptr<LmdbEngine> engine, LmdbEngine::Open(std::move(storage), feed));
      WR_RETURN_IF_ERROR(then(*engine));
      WR_RETURN_IF_ERROR(engine->Flush());
    }
    return closing ? Status(*closing) : OkStatus();
  }

  bool Wanted(const LogGroup& group) const {
    return !options_.until || group.last_sequence <= out_.manifest.base_through ||
           group.last_timestamp <= *options_.until;
  }

  Status Replay() {
    Say("replaying the log");
    BackupLogReader log(options_.from, out_.manifest);
    bool more = true;
    while (more) {
      const auto feed = [&](const LogReplay& replay) -> Status {
        ReplayChunk chunk(kReplayBytes);
        LogGroup group;
        while (true) {
          WR_ASSIGN_OR_RETURN(more, log.Peek(group));
          more = more && Wanted(group);
          if (!more || !chunk.Takes(group)) return OkStatus();
          chunk.Add(group);
          WR_RETURN_IF_ERROR(replay(group));
          ++out_.groups;
          out_.last_group = group.last_timestamp;
          log.Take();
        }
      };
      WR_RETURN_IF_ERROR(OpenWith(feed, [](LmdbEngine&) { return OkStatus(); }));
    }
    return OkStatus();
  }

  // Drops everything except the wanted keyspace or table.
  Status Narrow() const {
    Say("leaving out other tables");
    return OpenWith([](const LogReplay&) { return OkStatus(); },
                    [&](LmdbEngine& engine) -> Status {
                      WR_ASSIGN_OR_RETURN(const SchemaPtr narrow,
                                          NarrowSchema(*engine.LoadedSchema(), options_.keyspace, options_.table));
                      WR_RETURN_IF_ERROR(engine.CommitSchema(narrow));
                      return engine.SweepAll();
                    });
  }

  const RestoreOptions& options_;
  Restored out_;
};

}  // namespace

Result<Restored> RestoreBackup(const RestoreOptions& options) { return Restore(options).Run(); }

}  // namespace widerow
