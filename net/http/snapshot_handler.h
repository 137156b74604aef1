// POST /v1/snapshots and DELETE /v1/snapshots/ID: docs/reference/http.md.
#pragma once

#include <string_view>

#include "exec/engine/engine.h"
#include "net/http/request.h"

namespace widerow {

// The body is empty or {"age_max_ms": 30000}. The snapshot belongs to the role of the request.
HttpReply AnswerOpenSnapshot(Engine& engine, const HttpRequest& request);
HttpReply AnswerCloseSnapshot(Engine& engine, std::string_view id, const HttpRequest& request);

// Returns the snapshot that a request names. kInvalid if there is no such id, if it was closed long ago, or if it
// belongs to another role.
Result<SnapshotPtr> FindSnapshot(const Engine& engine, const Uuid& id,
                                 const std::shared_ptr<const ConnectionFacts>& connection);

}  // namespace widerow
