// An engine that requires logins and has two roles, for tests over sockets.
#pragma once

#include <future>

#include "exec/access/logins.h"
#include "exec/engine/engine.h"
#include "tests/unit/scratch_engine.h"

namespace widerow {

// Opens an engine with the superuser `cassandra` (password `cassandra`) and the role `ann` (password `pw`). `ann` may
// only read the table k.t, which has one row.
inline std::unique_ptr<Engine> OpenEngineWithRoles(const ScratchDirectory& directory, LoginLimits limits = {}) {
  auto storage = OpenLmdbEngine({.directory = directory.path(), .map_bytes = uint64_t{1} << 34});
  if (!storage.ok()) {
    ADD_FAILURE() << storage.error().message;
    return nullptr;
  }
  auto engine = std::make_unique<Engine>(std::move(*storage), LanguageOptions{},
                                         EngineOptions{.access = {.mode = AccessMode::kLogins, .limits = limits}});
  EXPECT_TRUE(engine->EnsureSuperuser({}).ok());
  ConnectionFacts facts;
  facts.user = std::make_shared<const User>(*engine->schema()->access->Find("cassandra"));
  const auto superuser = std::make_shared<const ConnectionFacts>(facts);
  for (const char* cql : {"CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}",
                          "CREATE TABLE k.t (id int PRIMARY KEY, v text)", "INSERT INTO k.t (id, v) VALUES (1, 'one')",
                          "CREATE ROLE ann WITH PASSWORD = 'pw' AND LOGIN = true", "GRANT SELECT ON k.t TO ann"}) {
    const auto outcome = engine->Execute(cql, {.connection = superuser});
    EXPECT_TRUE(outcome.ok()) << outcome.error().message << ": " << cql;
  }
  return engine;
}

}  // namespace widerow
