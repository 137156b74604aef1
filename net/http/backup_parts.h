// The bodies of /v1/backups, for the server and for its client. A part is
//     u64: checksum (XXH3) of all bytes that follow; u8: 1 in the last part, else 0; then
//     for records: the records; for the log: sequence u64, offset u64, time i64, the encoded groups.
// Pure functions.
#pragma once

#include <string>

#include "storage/backup.h"

namespace widerow {

std::string EncodePart(const RecordsPart& part);
std::string EncodePart(const LogPart& part);
// kServerError if the bytes are not a part.
Result<RecordsPart> DecodeRecordsPart(std::string_view body);
Result<LogPart> DecodeLogPart(std::string_view body);

// The answer to POST /v1/backups, as JSON.
std::string EncodeFacts(const Uuid& id, const BackupFacts& facts);
Result<std::pair<Uuid, BackupFacts>> DecodeFacts(std::string_view json);

}  // namespace widerow
