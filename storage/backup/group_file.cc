#include "storage/backup/group_file.h"

#include "base/checksum.h"
#include "base/text.h"

namespace widerow {
namespace {

constexpr ByteView kMagic = "WRGROUPS";
constexpr uint32_t kGroupFileVersion = 1;
constexpr size_t kFileHeaderBytes = 64;

}  // namespace

Bytes EncodeGroupFileHeader(const Uuid& database, const std::optional<Uuid>& history, uint64_t after) {
  Bytes out(kMagic);
  AppendBigEndian(out, kGroupFileVersion);
  AppendBigEndian(out, uint32_t{0});
  out.append(database.view());
  out.append(history.value_or(Uuid()).view());
  AppendBigEndian(out, after);
  AppendBigEndian(out, Hash64(out));
  return out;
}

Result<GroupFileReader> GroupFileReader::Open(const std::filesystem::path& directory, const Manifest& manifest,
                                              const BackupLog& log) {
  const std::filesystem::path path = directory / log.file.name;
  WR_ASSIGN_OR_RETURN(std::unique_ptr<SequentialFile> file, SequentialFile::Open(path));
  GroupFileReader reader(path, std::move(file), log.after);
  WR_RETURN_IF_ERROR(reader.file_->Read(kFileHeaderBytes, reader.header_));
  if (reader.header_ != EncodeGroupFileHeader(manifest.database_id, manifest.history, log.after)) {
    return reader.Damaged("its header does not belong to this backup");
  }
  reader.offset_ = kFileHeaderBytes;
  return reader;
}

Error GroupFileReader::Damaged(const std::string& what) const {
  return ServerError(StrCat("'", path_.string(), "' is damaged at offset ", offset_, ": ", what),
                     "use another backup; this one cannot be restored");
}

Result<bool> GroupFileReader::Next(LogGroup& group) {
  WR_RETURN_IF_ERROR(file_->Read(kGroupHeaderBytes, header_));
  if (header_.empty()) return false;
  const std::optional<GroupHeader> header = DecodeGroupHeader(header_);
  if (!header) return Damaged("the header of a group does not match its checksum");
  if (header->previous_sequence != sequence_) return Damaged("a group of writes is missing before it");
  WR_RETURN_IF_ERROR(file_->Read(header->body_bytes, body_));
  if (!MatchesBody(*header, body_)) return Damaged("a group does not match its checksum");
  group = {header->last_sequence, header->micros, body_, header->previous_sequence};
  sequence_ = header->last_sequence;
  offset_ += kGroupHeaderBytes + body_.size();
  return true;
}

}  // namespace widerow
