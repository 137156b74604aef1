// An engine that requires logins, and functions that log in to it.
#pragma once

#include <gtest/gtest.h>

#include <future>

#include "exec/access/access_control.h"
#include "tests/unit/scratch_engine.h"

namespace widerow {

inline const Bytes kHere("\x7f\0\0\1", 4), kElsewhere("\xc0\0\2\7", 4);

class AccessTest : public ::testing::Test {
 protected:
  void SetUp() override { Open(); }
  void Open(LoginLimits limits = {}) {
    engine_.reset();
    auto storage = OpenLmdbEngine({.directory = directory_.path(), .map_bytes = uint64_t{1} << 34});
    ASSERT_TRUE(storage.ok()) << storage.error().message;
    engine_ = std::make_unique<Engine>(std::move(*storage), LanguageOptions{},
                                       EngineOptions{.access = {.mode = AccessMode::kLogins, .limits = limits}});
    ASSERT_TRUE(engine_->EnsureSuperuser(superuser_password_).ok());
  }
  Result<UserPtr> LogIn(const std::string& role, const std::string& password, const Bytes& address = kHere) {
    std::promise<Result<UserPtr>> answered;
    engine_->logins()->Login({role, password, address},
                             [&](Result<UserPtr> user) { answered.set_value(std::move(user)); });
    return answered.get_future().get();
  }
  Result<Outcome> As(const UserPtr& user, const std::string& cql) {
    ConnectionFacts facts;
    facts.user = user;
    return engine_->Execute(cql, {.keyspace = "k", .connection = std::make_shared<const ConnectionFacts>(facts)});
  }
  // Runs the statement as the superuser. The test fails if the statement does.
  void Must(const std::string& cql) {
    const auto user = LogIn("cassandra", superuser_password_.empty() ? "cassandra" : superuser_password_);
    ASSERT_TRUE(user.ok()) << user.error().message;
    const auto outcome = As(*user, cql);
    ASSERT_TRUE(outcome.ok()) << outcome.error().message << ": " << cql;
  }
  static std::string MessageOf(const Result<UserPtr>& user) { return user.ok() ? "in" : user.error().message; }

  ScratchDirectory directory_;
  std::string superuser_password_;
  std::unique_ptr<Engine> engine_;
};

}  // namespace widerow
