// Runs the blocks of one script on an engine with a fresh data directory. The keyspace `ks` exists and is in use. The
// clock moves only in `clock` blocks. For use by one thread.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "base/clock.h"
#include "exec/engine/engine.h"
#include "tests/cql_runner/script.h"

namespace widerow::cql_runner {

class Session {
 public:
  // The time of the clock until the first `clock` block: 2023-11-14 22:13:20 UTC.
  static constexpr int64_t kStartMicros = 1'700'000'000'000'000;

  static Result<std::unique_ptr<Session>> Open(LanguageOptions language = {}, EngineOptions options = {});
  ~Session();

  // Runs the block and returns its answer as scripts write it. An error is an answer, too.
  std::string Answer(const Block& block);
  // Does the same for a `query` block without a page size, but if it is a SELECT, its rows come from
  // Engine::ShowRows, which gives no warnings.
  std::string ShownAnswer(const Block& block);
  // Does the same as Answer for a `query` block, but if it is a SELECT, it runs on a snapshot of the database.
  std::string SnapshotAnswer(const Block& block);

 private:
  Session(std::filesystem::path directory, LanguageOptions language, EngineOptions options);
  Status OpenEngine();
  Status LogIn(const std::string& role, const std::string& password);
  Result<Outcome> Execute(std::string_view statement, uint32_t page_rows);
  std::string AnswerError(const Block& block);
  std::string AnswerExec(const Block& block);
  std::string AnswerQuery(const Block& block, const SnapshotPtr& snapshot);
  // Returns a line for each statement that the hint of `error` offers although the engine refuses it.
  std::string RefusedForms(const Error& error, const Block& block) const;
  bool IsSelect(const Block& block) const;
  std::string AnswerAst(const Block& block);
  std::string AnswerPlan(const Block& block);

  const std::filesystem::path directory_;
  const LanguageOptions language_;
  const EngineOptions options_;
  const std::shared_ptr<ManualClock> clock_;
  std::string keyspace_;
  Bytes kept_state_;  // The paging state of the last `query first`.
  // The connection of the role that is logged in, if the script has `# auth: on`.
  std::shared_ptr<const ConnectionFacts> connection_;
  // The connections by role. A role stays logged in for later blocks.
  std::map<std::string, std::shared_ptr<const ConnectionFacts>> connections_;
  std::unique_ptr<Engine> engine_;
};

}  // namespace widerow::cql_runner
