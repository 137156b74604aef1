// Runs the blocks of a script against an engine of its own: a fresh data directory, the keyspace `ks` created and in
// use, and a clock that only `clock` blocks move. One thread.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "base/clock.h"
#include "exec/engine.h"
#include "tests/cql_runner/script.h"

namespace widerow::cql_runner {

class Session {
 public:
  // 2023-11-14 22:13:20 UTC: what the clock says until a `clock` block moves it.
  static constexpr int64_t kStartMicros = 1'700'000'000'000'000;

  static Result<std::unique_ptr<Session>> Open(LanguageOptions language = {}, EngineOptions options = {});
  ~Session();

  // The block's answer as scripts write it. Never fails: a failure is an answer.
  std::string Answer(const Block& block);

 private:
  Session(std::filesystem::path directory, LanguageOptions language, EngineOptions options);
  Status OpenEngine();
  Status LogIn(const std::string& role, const std::string& password);
  Result<Outcome> Execute(std::string_view statement);
  std::string AnswerExec(const Block& block);
  std::string AnswerQuery(const Block& block);
  std::string AnswerAst(const Block& block);
  std::string AnswerPlan(const Block& block);

  const std::filesystem::path directory_;
  const LanguageOptions language_;
  const EngineOptions options_;
  const std::shared_ptr<ManualClock> clock_;
  std::string keyspace_;
  std::shared_ptr<const ConnectionFacts> connection_;  // Of `# auth: on`: who is logged in.
  std::map<std::string, std::shared_ptr<const ConnectionFacts>> connections_;  // By role: who has once logged in stays.
  std::unique_ptr<Engine> engine_;
};

}  // namespace widerow::cql_runner
