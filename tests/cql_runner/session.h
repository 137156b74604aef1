// Runs the blocks of a script on an engine of its own, with a fresh data directory, the keyspace `ks` created and in
// use, and a clock that only `clock` blocks move. Single-threaded.
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
  // 2023-11-14 22:13:20 UTC: the clock's time until the first `clock` block.
  static constexpr int64_t kStartMicros = 1'700'000'000'000'000;

  static Result<std::unique_ptr<Session>> Open(LanguageOptions language = {}, EngineOptions options = {});
  ~Session();

  // Returns the block's answer in the form of scripts. An error is an answer too.
  std::string Answer(const Block& block);

 private:
  Session(std::filesystem::path directory, LanguageOptions language, EngineOptions options);
  Status OpenEngine();
  Status LogIn(const std::string& role, const std::string& password);
  Result<Outcome> Execute(std::string_view statement, uint32_t page_rows);
  std::string AnswerExec(const Block& block);
  std::string AnswerQuery(const Block& block);
  std::string AnswerAst(const Block& block);
  std::string AnswerPlan(const Block& block);

  const std::filesystem::path directory_;
  const LanguageOptions language_;
  const EngineOptions options_;
  const std::shared_ptr<ManualClock> clock_;
  std::string keyspace_;
  Bytes kept_state_;                                   // The paging state of the last `query first`.
  std::shared_ptr<const ConnectionFacts> connection_;  // With `# auth: on`: the login in use.
  // By role. A login is kept for later blocks.
  std::map<std::string, std::shared_ptr<const ConnectionFacts>> connections_;
  std::unique_ptr<Engine> engine_;
};

}  // namespace widerow::cql_runner
