// POST /v1/snapshots and DELETE /v1/snapshots/ID: docs/reference/http.md.
#pragma once

#include <string_view>

#include "exec/engine/engine.h"
#include "net/http/request.h"

namespace widerow {

// `body` is empty or {"age_max_ms": 30000}.
HttpReply AnswerOpenSnapshot(Engine& engine, std::string_view body);
HttpReply AnswerCloseSnapshot(Engine& engine, std::string_view id);

// Returns the snapshot that a request names. kInvalid if there is no such id, or if it was closed long ago.
Result<SnapshotPtr> FindSnapshot(Engine& engine, const Uuid& id);

}  // namespace widerow
