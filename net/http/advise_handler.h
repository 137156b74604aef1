// GET /v1/advise: what ADVISE finds, as JSON.
#pragma once

#include <string_view>

#include "exec/engine.h"
#include "net/http/request.h"

namespace widerow {

// `query` is what follows the ? of the target: keyspace=K, keyspace=K&table=T, scope=schema, statement=CQL; nothing: all tables.
HttpReply AnswerAdvise(Engine& engine, std::string_view query, std::shared_ptr<const ConnectionFacts> connection);

}  // namespace widerow
