// POST /v1/query: one statement run, its rows written in the form that was asked for.
#pragma once

#include "exec/engine.h"
#include "net/http/request.h"

namespace widerow {

// The reply's body source, if there is one, runs further pages on `engine`, on the thread that asks for them.
HttpReply AnswerQuery(Engine& engine, const HttpRequest& request);

}  // namespace widerow
