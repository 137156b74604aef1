// WriteBackup looks at the files in the directory and calls BackupWriter::Full or BackupWriter::Increment. A full
// backup reads the log before the records, because the segments of the log are pinned until they have been read. If the
// server keeps its log, the backup then also reads the groups that were logged meanwhile.
#include "storage/backup/write_backup.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>

#include "base/text.h"
#include "storage/backup/group_file.h"
#include "storage/backup/verify_backup.h"
#include "storage/lmdb/record_file.h"

namespace widerow {
namespace {

namespace fs = std::filesystem;

constexpr size_t kDigits = 6;

std::string LogName(size_t number) {
  std::string digits = std::to_string(number);
  digits.insert(0, kDigits - std::min(kDigits, digits.size()), '0');
  return "log-" + digits + ".groups";
}

bool IsOurs(const std::string& name) {
  return name == kManifestName || name == std::string(kManifestName) + ".new" || name == kBaseName ||
         (name.starts_with("log-") && name.ends_with(".groups"));
}

// Removes the files that an unfinished backup has left, which are those that `manifest` does not name. If `manifest` is
// null, removes all files of backups.
Status RemoveUnfinished(const fs::path& directory, const Manifest* manifest) {
  std::error_code error;
  std::vector<fs::path> files;
  for (fs::directory_iterator it(directory, error), end; !error && it != end; it.increment(error)) {
    const std::string name = it->path().filename().string();
    if (!IsOurs(name)) {
      return InvalidError("'" + directory.string() + "' has a file that is not of a backup: '" + name + "'",
                          "give --to a directory of its own");
    }
    files.push_back(it->path());
  }
  if (error) return FileError("list", directory, error.value());
  for (const fs::path& path : files) {
    const std::string name = path.filename().string();
    const auto is_named = [&](const BackupLog& log) { return log.file.name == name; };
    const bool named = manifest != nullptr && (name == kManifestName || name == manifest->base.name ||
                                               std::any_of(manifest->logs.begin(), manifest->logs.end(), is_named));
    if (!named && !fs::remove(path, error)) return FileError("remove", path, error.value());
  }
  return OkStatus();
}

// Keeps other processes from writing a backup into the directory while this object exists. They would remove the files
// of this backup.
class BackupLock {
 public:
  BackupLock() = default;
  ~BackupLock() {
    if (fd_ >= 0) ::close(fd_);
  }
  BackupLock(const BackupLock&) = delete;
  BackupLock& operator=(const BackupLock&) = delete;

  // Locks the directory, which exists. On a file system without locks, this does nothing.
  Status Lock(const fs::path& directory) {
    fd_ = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd_ < 0) return FileError("open", directory, errno);
    if (::flock(fd_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) return InUse(directory);
    return OkStatus();
  }
  // Returns the error for a directory into which another process writes a backup, or wrote one while this backup began.
  static Error InUse(const fs::path& directory) {
    return InvalidError("another backup into '" + directory.string() + "' is running or has just ended",
                        "try again after its end");
  }

 private:
  int fd_ = -1;
};

class BackupWriter {
 public:
  BackupWriter(const BackupOptions& options, BackupSource& source) : options_(options), source_(source) {}

  Result<BackupOutcome> Full() {
    const BackupFacts& facts = source_.facts();
    out_.full = true;
    Manifest& manifest = out_.manifest;
    manifest = {.format_version = facts.format_version,
                .database_id = facts.database_id,
                .history = facts.history,
                .base = {.name = kBaseName},
                .folded_through = facts.folded_through,
                .base_through = facts.through,
                .base_micros = facts.through_micros,
                .first_moment = facts.moment};
    WR_RETURN_IF_ERROR(BeginLog());
    Say("reading the commit log");
    WR_RETURN_IF_ERROR(ReadLog(facts.through));
    WR_RETURN_IF_ERROR(ReadRecords());
    // If the log is kept, the backup also gets the groups that were written after it began.
    if (facts.history) WR_RETURN_IF_ERROR(ReadLog(std::nullopt));
    return Finish(std::max(facts.moment, last_micros_));
  }

  Result<BackupOutcome> Increment(Manifest manifest) {
    out_.manifest = std::move(manifest);
    out_.manifest.format_version = source_.facts().format_version;
    WR_RETURN_IF_ERROR(BeginLog());
    Say("reading the commit log");
    WR_RETURN_IF_ERROR(ReadLog(std::nullopt));
    return Finish(std::max({out_.manifest.last_moment, source_.facts().moment, last_micros_}));
  }

 private:
  void Say(const std::string& doing, uint64_t done = 0, uint64_t all = 0) const {
    if (options_.progress) options_.progress(doing, done, all);
  }

  Status BeginLog() {
    const Manifest& manifest = out_.manifest;
    log_.file.name = LogName(manifest.logs.size() + 1);
    log_.after = sequence_ = manifest.through();
    WR_ASSIGN_OR_RETURN(file_, DurableFile::Create(options_.directory / log_.file.name));
    return file_->Append(EncodeGroupFileHeader(manifest.database_id, manifest.history, log_.after));
  }

  // Appends the groups after sequence_: those up to `through`, or all that are durable.
  Status ReadLog(std::optional<uint64_t> through) {
    uint64_t offset = 0;
    while (!through || sequence_ < *through) {
      WR_ASSIGN_OR_RETURN(const LogPart part, source_.ReadLog(sequence_, offset));
      WR_RETURN_IF_ERROR(file_->Append(part.bytes));
      if (part.micros != 0) last_micros_ = part.micros;
      sequence_ = part.sequence;
      offset = part.offset;
      if (!part.last) continue;
      if (through && sequence_ < *through) return LogEndsEarly(*through);
      break;
    }
    // If the last part ended in the middle of a group, the rest of this group is read.
    while (offset > 0) {
      WR_ASSIGN_OR_RETURN(const LogPart part, source_.ReadLog(sequence_, offset));
      WR_RETURN_IF_ERROR(file_->Append(part.bytes));
      if (part.micros != 0) last_micros_ = part.micros;
      sequence_ = part.sequence;
      offset = part.offset;
    }
    return OkStatus();
  }

  Error LogEndsEarly(uint64_t through) const {
    return ServerError(StrCat("The commit log ends at sequence number ", sequence_, ", before ", through),
                       "make the backup again");
  }

  Status ReadRecords() {
    const uint64_t all = source_.facts().records;
    WR_ASSIGN_OR_RETURN(const std::unique_ptr<lmdb::RecordFile> base,
                        lmdb::RecordFile::Create(options_.directory / kBaseName));
    uint64_t done = 0;
    for (const bool meta : {true, false}) {
      Bytes after;
      for (bool last = false; !last;) {
        WR_ASSIGN_OR_RETURN(const RecordsPart part, source_.ReadRecords(meta, after));
        ByteView rest = part.records, key, value;
        while (!rest.empty()) {
          if (!Take(rest, key) || !Take(rest, value)) return ServerError("A part of the records is damaged");
          WR_RETURN_IF_ERROR(base->Append(meta ? lmdb::Db::kMeta : lmdb::Db::kData, key, value));
          ++done;
        }
        if (!part.records.empty()) after.assign(key);
        last = part.last;
        Say("copying", std::min(done, all), all);
      }
    }
    WR_ASSIGN_OR_RETURN(const lmdb::CopiedFile copied, base->Finish());
    out_.manifest.records = copied.records;
    WR_RETURN_IF_ERROR(SyncDirectory(options_.directory));
    BackupFile& file = out_.manifest.base;
    return MeasureFile(options_.directory / kBaseName, file.bytes, file.checksum);
  }

  static bool Take(ByteView& rest, ByteView& out) {
    uint64_t size = 0;
    if (!TakeVarint(rest, size) || size > rest.size()) return false;
    out = rest.substr(0, size);
    rest.remove_prefix(size);
    return true;
  }

  Result<BackupOutcome> Finish(int64_t last_moment) {
    Manifest& manifest = out_.manifest;
    WR_RETURN_IF_ERROR(file_->Finish());
    log_.through = sequence_;
    log_.last_micros = last_micros_;
    log_.file.bytes = file_->bytes();
    log_.file.checksum = file_->checksum();
    manifest.logs.push_back(log_);
    manifest.last_moment = last_moment;
    manifest.program_version = options_.program_version;
    Say("checking");
    WR_ASSIGN_OR_RETURN(const BackupContents contents,
                        out_.full ? VerifyBackup(options_.directory, manifest)
                                  : VerifyBackupLog(options_.directory, manifest, manifest.logs.size() - 1));
    out_.groups = contents.groups;
    out_.bytes = log_.file.bytes + (out_.full ? manifest.base.bytes : 0);
    WR_RETURN_IF_ERROR(WriteManifest(options_.directory, manifest));
    WR_RETURN_IF_ERROR(source_.Finished(manifest.through()));
    return std::move(out_);
  }

  const BackupOptions& options_;
  BackupSource& source_;
  BackupOutcome out_;
  BackupLog log_;
  std::unique_ptr<DurableFile> file_;
  uint64_t sequence_ = 0;  // The last group that was written.
  int64_t last_micros_ = 0;
};

}  // namespace

Result<BackupOutcome> WriteBackup(const BackupOptions& options, const OpenBackupSource& open) {
  const fs::path& directory = options.directory;
  std::error_code error;
  BackupLock lock;
  const bool exists = fs::is_directory(directory, error);
  if (exists) WR_RETURN_IF_ERROR(lock.Lock(directory));
  if (!fs::exists(directory / kManifestName, error)) {
    if (exists) WR_RETURN_IF_ERROR(RemoveUnfinished(directory, nullptr));
    WR_ASSIGN_OR_RETURN(const std::unique_ptr<BackupSource> source, open(std::nullopt));
    // The directory is made after the source is opened. So if the server refuses the backup, no directory is left
    // behind.
    WR_RETURN_IF_ERROR(MakePrivateDirectory(directory));
    if (!exists) WR_RETURN_IF_ERROR(lock.Lock(directory));
    if (fs::exists(directory / kManifestName, error)) return BackupLock::InUse(directory);
    return BackupWriter(options, *source).Full();
  }
  WR_ASSIGN_OR_RETURN(Manifest manifest, ReadManifest(directory));
  WR_RETURN_IF_ERROR(RemoveUnfinished(directory, &manifest));
  if (!manifest.history) {
    return InvalidError("'" + directory.string() + "' has a backup that no incremental backup can follow",
                        "when it was made, the commit log was not kept (--keep-log); give --to a new directory");
  }
  WR_ASSIGN_OR_RETURN(const std::unique_ptr<BackupSource> source,
                      open(BackupPlace{*manifest.history, manifest.through(), manifest.through_micros()}));
  if (source->facts().database_id != manifest.database_id) {
    return InvalidError("'" + directory.string() + "' has a backup of another database",
                        "give --to the directory of this database's backups, or a new one");
  }
  return BackupWriter(options, *source).Increment(std::move(manifest));
}

}  // namespace widerow
