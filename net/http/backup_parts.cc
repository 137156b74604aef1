#include "net/http/backup_parts.h"

#include <cstdlib>

#include "base/checksum.h"
#include "base/limits.h"
#include "base/text.h"
#include "net/text/json_slice.h"

namespace widerow {
namespace {

std::string Sealed(Bytes content) {
  Bytes out;
  AppendBigEndian(out, Hash64(content));
  return out + content;
}

// Checks and removes the checksum, and removes the byte that says if the part is the last one.
Result<ByteView> Unsealed(std::string_view body, bool& last) {
  constexpr size_t kHeadBytes = 9;
  if (body.size() < kHeadBytes || ReadBigEndian<uint64_t>(body.data()) != Hash64(body.substr(8))) {
    return ServerError("A part of the backup was damaged on its way from the server");
  }
  last = body[8] != 0;
  return body.substr(kHeadBytes);
}

}  // namespace

std::string EncodePart(const RecordsPart& part) { return Sealed(Bytes(1, part.last ? '\1' : '\0') + part.records); }

std::string EncodePart(const LogPart& part) {
  Bytes content(1, part.last ? '\1' : '\0');
  AppendBigEndian(content, part.sequence);
  AppendBigEndian(content, part.offset);
  AppendBigEndian(content, part.micros);
  return Sealed(content + part.bytes);
}

Result<RecordsPart> DecodeRecordsPart(std::string_view body) {
  RecordsPart part;
  WR_ASSIGN_OR_RETURN(const ByteView rest, Unsealed(body, part.last));
  part.records.assign(rest);
  return part;
}

Result<LogPart> DecodeLogPart(std::string_view body) {
  constexpr size_t kFieldsBytes = 24;
  LogPart part;
  WR_ASSIGN_OR_RETURN(const ByteView rest, Unsealed(body, part.last));
  if (rest.size() < kFieldsBytes) return ServerError("A part of the log is too short");
  part.sequence = ReadBigEndian<uint64_t>(rest.data());
  part.offset = ReadBigEndian<uint64_t>(rest.data() + 8);
  part.micros = ReadBigEndian<int64_t>(rest.data() + 16);
  part.bytes.assign(rest.substr(kFieldsBytes));
  return part;
}

std::string EncodeFacts(const Uuid& id, const BackupFacts& facts) {
  std::string out = StrCat("{\"backup\":\"", id.ToString(), "\",\"database\":\"", facts.database_id.ToString(), "\"");
  if (facts.history) out += StrCat(",\"history\":\"", facts.history->ToString(), "\"");
  out += StrCat(",\"data_format\":", facts.format_version, ",\"folded_through\":", facts.folded_through);
  return out +
         StrCat(",\"through\":", facts.through, ",\"moment\":", facts.moment,
                ",\"through_micros\":", facts.through_micros, ",\"records\":", facts.records) +
         "}\n";
}

Result<std::pair<Uuid, BackupFacts>> DecodeFacts(std::string_view json) {
  WR_RETURN_IF_ERROR(CheckJson(json, limits::kNestingMax));
  std::optional<Uuid> id, database;
  BackupFacts facts;
  for (const JsonMember& member : SplitJsonObject(json)) {
    const auto uuid = [&] { return Uuid::FromString(DecodeJsonString(member.value)); };
    const auto number = [&] { return std::strtoull(std::string(member.value).c_str(), nullptr, 10); };
    if (member.name == "backup") id = uuid();
    if (member.name == "database") database = uuid();
    if (member.name == "history") facts.history = uuid();
    if (member.name == "data_format") facts.format_version = static_cast<uint32_t>(number());
    if (member.name == "folded_through") facts.folded_through = number();
    if (member.name == "through") facts.through = number();
    if (member.name == "through_micros") facts.through_micros = static_cast<int64_t>(number());
    if (member.name == "moment") facts.moment = static_cast<int64_t>(number());
    if (member.name == "records") facts.records = number();
  }
  if (!id || !database) return ServerError("The answer of the server does not describe a backup");
  facts.database_id = *database;
  return std::pair(*id, facts);
}

}  // namespace widerow
