// GET /v1/advise: the findings of ADVISE, as JSON.
#pragma once

#include <string_view>

#include "exec/engine/engine.h"
#include "net/http/request.h"

namespace widerow {

// `query` is the query part of the URL: keyspace=K, keyspace=K&table=T, scope=schema or statement=CQL. If it is empty,
// ADVISE looks at all tables.
HttpReply AnswerAdvise(Engine& engine, std::string_view query, std::shared_ptr<const ConnectionFacts> connection);

}  // namespace widerow
