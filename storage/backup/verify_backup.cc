#include "storage/backup/verify_backup.h"

#include "base/text.h"
#include "storage/backup/group_file.h"
#include "storage/lmdb/page_walk.h"
#include "storage/lmdb/record_file.h"

namespace widerow {
namespace {

namespace fs = std::filesystem;

constexpr const char* kHint = "use another backup; this one cannot be restored";

Status VerifyFile(const fs::path& directory, const BackupFile& file) {
  const fs::path path = directory / file.name;
  std::error_code error;
  if (!fs::exists(path, error)) {
    return ServerError("The backup is incomplete: '" + path.string() + "' is missing", kHint);
  }
  uint64_t bytes = 0, checksum = 0;
  WR_RETURN_IF_ERROR(MeasureFile(path, bytes, checksum));
  if (bytes != file.bytes) {
    return ServerError(
        StrCat("The backup is damaged: '", path.string(), "' has ", bytes, " bytes, and should have ", file.bytes),
        kHint);
  }
  if (checksum == file.checksum) return OkStatus();
  return ServerError("The backup is damaged: '" + path.string() + "' does not match its checksum", kHint);
}

Result<BackupContents> VerifyBase(const fs::path& directory, const Manifest& manifest) {
  const fs::path path = directory / manifest.base.name;
  WR_RETURN_IF_ERROR(VerifyFile(directory, manifest.base));
  BackupContents out{.bytes = manifest.base.bytes};
  WR_ASSIGN_OR_RETURN(const lmdb::PageWalk walk, lmdb::WalkPages(path, [](uint64_t, uint64_t) {}));
  if (!walk.damaged.empty()) return ServerError(ToText(walk.damaged.front()), kHint);
  out.pages = walk.pages;
  for (const lmdb::Db db : {lmdb::Db::kMeta, lmdb::Db::kData}) {
    WR_RETURN_IF_ERROR(lmdb::ForEachRecord(path, db, [&](ByteView, ByteView) { return ++out.records, OkStatus(); }));
  }
  if (out.records == manifest.records) return out;
  return ServerError(StrCat("The backup is damaged: the number of records of '", path.string(), "' is ", out.records,
                            ", and should be ", manifest.records),
                     kHint);
}

}  // namespace

Result<BackupContents> VerifyBackupLog(const fs::path& directory, const Manifest& manifest, size_t index) {
  const BackupLog& log = manifest.logs[index];
  WR_RETURN_IF_ERROR(VerifyFile(directory, log.file));
  BackupContents out{.bytes = log.file.bytes};
  WR_ASSIGN_OR_RETURN(GroupFileReader reader, GroupFileReader::Open(directory, manifest, log));
  uint64_t through = log.after;
  LogGroup group;
  while (true) {
    WR_ASSIGN_OR_RETURN(const bool more, reader.Next(group));
    if (!more) break;
    ++out.groups;
    through = group.last_sequence;
  }
  if (through == log.through) return out;
  return ServerError(StrCat("The backup is damaged: '", (directory / log.file.name).string(), "' ends at group ",
                            through, ", and should end at ", log.through),
                     kHint);
}

Result<BackupContents> VerifyBackup(const fs::path& directory, const Manifest& manifest) {
  WR_ASSIGN_OR_RETURN(BackupContents out, VerifyBase(directory, manifest));
  for (size_t i = 0; i < manifest.logs.size(); ++i) {
    WR_ASSIGN_OR_RETURN(const BackupContents log, VerifyBackupLog(directory, manifest, i));
    out.groups += log.groups;
    out.bytes += log.bytes;
  }
  return out;
}

}  // namespace widerow
