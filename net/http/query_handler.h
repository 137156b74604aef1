// POST /v1/query: runs one statement and writes its rows in the requested format.
#pragma once

#include "exec/engine/engine.h"
#include "net/http/request.h"

namespace widerow {

// Answers the request. The reply's body source, if it has one, reads further pages from `engine`, on the thread that
// calls the source.
HttpReply AnswerQuery(Engine& engine, const HttpRequest& request);

}  // namespace widerow
