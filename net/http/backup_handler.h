// /v1/backups: reads the database for a backup, in parts (storage/backup.h). docs/reference/http.md has the formats.
#pragma once

#include "exec/engine/engine.h"
#include "net/http/request.h"

namespace widerow {

// POST /v1/backups: begins a backup.
HttpReply AnswerBeginBackup(Engine& engine, const HttpRequest& request);
// GET /v1/backups/ID/records, GET /v1/backups/ID/log and DELETE /v1/backups/ID. `rest` is the path after /v1/backups/,
// and `query` is the part of the URL after the question mark.
HttpReply AnswerBackup(Engine& engine, std::string_view rest, std::string_view query, const HttpRequest& request);

}  // namespace widerow
