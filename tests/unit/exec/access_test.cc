// Tests passwords, logins and their limits. Also tests that roles survive restarts.
#include <gmock/gmock.h>

#include <future>

#include "exec/access/password_hash.h"
#include "exec/access/role_statements.h"
#include "tests/unit/exec/access_fixture.h"

namespace widerow {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

// The hash of the password "secret p4", as Cassandra 5.0.9 has computed it.
const std::string kByCassandra = "$2a$10$gSmxb7ebtzNouqqb1KQ8AO5oRtJ5YaFbOm5xfgUgPehNowPbOW5aG";

TEST(PasswordHashTest, OnlyItsPasswordFits) {
  const auto hash = HashPassword("secret", 4);
  ASSERT_TRUE(hash.ok()) << hash.error().message;
  EXPECT_THAT(*hash, StartsWith("$2a$04$"));
  EXPECT_TRUE(IsBcryptHash(*hash));
  EXPECT_TRUE(PasswordIs("secret", *hash));
  for (const char* wrong : {"", "Secret", "secret ", "secre"}) EXPECT_FALSE(PasswordIs(wrong, *hash)) << wrong;
  EXPECT_NE(*HashPassword("secret", 4), *hash) << "each has a salt of its own";
}

TEST(PasswordHashTest, ReadsWhatOthersWrote) {
  EXPECT_TRUE(PasswordIs("secret p4", kByCassandra));
  EXPECT_FALSE(PasswordIs("secret p5", kByCassandra));
  EXPECT_TRUE(PasswordIs("Grüße, 日本", "$2a$10$NQeHBrfTNrWuxH4s0q3LAudCTv9xFkyDxuN6eIpRN8WNmPm/QOhIO"));
}

TEST(PasswordHashTest, WhatIsNoHashFitsNothing) {
  for (const std::string bad : {"", "x", "$2a$10$", "$1$abcdefgh$0123456789012345678901", "*0", "plain"}) {
    EXPECT_FALSE(IsBcryptHash(bad)) << bad;
    EXPECT_FALSE(PasswordIs("x", bad)) << bad;
  }
  EXPECT_FALSE(IsBcryptHash(kByCassandra + "x"));
  EXPECT_TRUE(IsBcryptHash(kByCassandra));
}

TEST(PasswordHashTest, ZeroBytesAreRefused) {
  const std::string with_zero("se\0cret", 7);
  EXPECT_FALSE(HashPassword(with_zero, 4).ok());
  EXPECT_FALSE(PasswordIs(with_zero, *HashPassword("se", 4)));
}

TEST(GeneratedPasswordTest, IsAnotherOneEachTime) {
  const auto a = GeneratePassword(), b = GeneratePassword();
  ASSERT_TRUE(a.ok() && b.ok());
  EXPECT_EQ(a->size(), 20u);
  EXPECT_NE(*a, *b);
}

TEST(SaslPlainTest, ThreePartsOrCassandrasWords) {
  const auto login = DecodeSaslPlain(std::string_view("ignored\0ann\0pw", 14));
  ASSERT_TRUE(login.ok());
  EXPECT_EQ(login->role, "ann");
  EXPECT_EQ(login->password, "pw");
  const std::vector<std::pair<std::string, std::string>> refused = {
      {"", "Password must not be null"},
      {"x", "Password must not be null"},
      {std::string("\0ann\0", 5), "Password must not be null"},
      {std::string("\0\0x", 3), "Authentication ID must not be null"},
      {std::string("ann\0pw", 6), "Authentication ID must not be null"},
      {std::string("\0a\0b\0c", 6),
       "Credential format error: username or password is empty or contains NUL(\\0) character"}};
  for (const auto& [token, message] : refused) {
    const auto wrong = DecodeSaslPlain(token);
    ASSERT_FALSE(wrong.ok()) << token;
    EXPECT_EQ(wrong.error().message, message);
    EXPECT_EQ(wrong.error().code, ErrorCode::kBadCredentials);
  }
}

TEST(FailedLoginsTest, AnAddressWaitsAfterItsBurst) {
  FailedLogins failed({.failures_burst = 3, .failures_per_second = 0.5, .addresses_max = 2});
  const auto start = FailedLogins::Clock::now();
  const auto at = [&](int seconds) { return start + std::chrono::seconds(seconds); };
  for (int i = 0; i < 3; ++i) {
    EXPECT_FALSE(failed.Blocked(kHere, at(0)));
    failed.Add(kHere, at(0));
  }
  EXPECT_TRUE(failed.Blocked(kHere, at(0)));
  EXPECT_FALSE(failed.Blocked(kElsewhere, at(0)));
  EXPECT_TRUE(failed.Blocked(kHere, at(1)));
  EXPECT_FALSE(failed.Blocked(kHere, at(2)));
  failed.Add(kHere, at(2));
  EXPECT_TRUE(failed.Blocked(kHere, at(3)));
}

TEST(FailedLoginsTest, OnlySoManyAddressesAreRemembered) {
  FailedLogins failed({.failures_burst = 1, .addresses_max = 2});
  const auto now = FailedLogins::Clock::now();
  for (const char* address : {"\1\1\1\1", "\2\2\2\2", "\3\3\3\3"}) failed.Add(address, now);
  EXPECT_EQ(failed.size(), 2u);
  EXPECT_FALSE(failed.Blocked("\1\1\1\1", now));
  EXPECT_TRUE(failed.Blocked("\3\3\3\3", now));
}

TEST(FailedLoginsTest, OfIpv6TheNetworkCounts) {
  const Bytes one("\x20\1\xd\xb8\0\0\0\1\0\0\0\0\0\0\0\1", 16), other("\x20\1\xd\xb8\0\0\0\1\0\0\0\0\0\0\0\2", 16);
  EXPECT_EQ(FailedLogins::KeyOf(one), FailedLogins::KeyOf(other));
  EXPECT_EQ(FailedLogins::KeyOf(Bytes("\0\0\0\0\0\0\0\0\0\0\xff\xff\x7f\0\0\1", 16)), kHere);
}

TEST_F(AccessTest, TheKnownPasswordIsGoodOnThisMachineAlone) {
  EXPECT_EQ(MessageOf(LogIn("cassandra", "cassandra")), "in");
  EXPECT_EQ(MessageOf(LogIn("cassandra", "cassandra", kElsewhere)), "cassandra is not permitted to log in");
  // An administrator has set this password. So it no longer counts as the default password, although the text is the
  // same.
  Must("ALTER ROLE cassandra WITH PASSWORD = 'cassandra'");
  EXPECT_EQ(MessageOf(LogIn("cassandra", "cassandra", kElsewhere)), "in");
}

TEST_F(AccessTest, APasswordGivenAtTheFirstStartIsGoodEverywhere) {
  ScratchDirectory other;
  auto storage = OpenLmdbEngine({.directory = other.path(), .map_bytes = uint64_t{1} << 34});
  ASSERT_TRUE(storage.ok());
  engine_ = std::make_unique<Engine>(std::move(*storage), LanguageOptions{},
                                     EngineOptions{.access = {.mode = AccessMode::kLogins}});
  EXPECT_EQ(MessageOf(LogIn("cassandra", "cassandra")), "Provided username cassandra and/or password are incorrect");
  ASSERT_TRUE(engine_->EnsureSuperuser("given").ok());
  EXPECT_EQ(MessageOf(LogIn("cassandra", "given", kElsewhere)), "in");
  ASSERT_TRUE(engine_->EnsureSuperuser("another").ok());
  EXPECT_EQ(MessageOf(LogIn("cassandra", "another")), "Provided username cassandra and/or password are incorrect");
  engine_.reset();
}

TEST_F(AccessTest, WrongNamesAndPasswordsLookAlike) {
  Must("CREATE ROLE ann WITH PASSWORD = 'pw' AND LOGIN = true");
  Must("CREATE ROLE nologin WITH PASSWORD = 'pw'");
  Must("CREATE ROLE nopassword WITH LOGIN = true");
  EXPECT_EQ(MessageOf(LogIn("ann", "pw")), "in");
  EXPECT_EQ(MessageOf(LogIn("ann", "wrong")), "Provided username ann and/or password are incorrect");
  EXPECT_EQ(MessageOf(LogIn("bob", "pw")), "Provided username bob and/or password are incorrect");
  EXPECT_EQ(MessageOf(LogIn("nopassword", "*")), "Provided username nopassword and/or password are incorrect");
  EXPECT_EQ(MessageOf(LogIn("nologin", "pw")), "nologin is not permitted to log in");
}

TEST_F(AccessTest, WhatIsRememberedEndsWithThePassword) {
  Must("CREATE ROLE ann WITH PASSWORD = 'first' AND LOGIN = true");
  EXPECT_EQ(MessageOf(LogIn("ann", "first")), "in");
  EXPECT_EQ(MessageOf(LogIn("ann", "first")), "in");
  Must("ALTER ROLE ann WITH PASSWORD = 'second'");
  EXPECT_EQ(MessageOf(LogIn("ann", "first")), "Provided username ann and/or password are incorrect");
  EXPECT_EQ(MessageOf(LogIn("ann", "second")), "in");
  Must("ALTER ROLE ann WITH LOGIN = false");
  EXPECT_EQ(MessageOf(LogIn("ann", "second")), "ann is not permitted to log in");
  Must("DROP ROLE ann");
  EXPECT_EQ(MessageOf(LogIn("ann", "second")), "Provided username ann and/or password are incorrect");
}

TEST_F(AccessTest, WhoGuessesWaitsAndOthersDoNot) {
  Open({.failures_burst = 2, .failures_per_second = 0});
  Must("CREATE ROLE ann WITH PASSWORD = 'pw' AND LOGIN = true");
  EXPECT_EQ(MessageOf(LogIn("ann", "pw", kElsewhere)), "in");
  for (int i = 0; i < 2; ++i) EXPECT_THAT(MessageOf(LogIn("ann", "wrong", kElsewhere)), HasSubstr("incorrect"));
  EXPECT_EQ(MessageOf(LogIn("ann", "wrong", kElsewhere)), "Too many failed logins from this address");
  EXPECT_EQ(MessageOf(LogIn("ann", "pw", kElsewhere)), "in") << "known to be right: not looked at again";
  EXPECT_THAT(MessageOf(LogIn("ann", "wrong", kHere)), HasSubstr("incorrect"));
}

TEST_F(AccessTest, OnlySoManyWait) {
  Open({.threads = 1, .waiting_max = 8, .waiting_of_address_max = 4});
  std::atomic<int> overloaded{0}, wrong{0};
  std::vector<std::future<void>> answered;
  for (int i = 0; i < 60; ++i) {
    auto done = std::make_shared<std::promise<void>>();
    answered.push_back(done->get_future());
    const Bytes address = i % 2 == 0 ? kHere : kElsewhere;
    engine_->logins()->Login({"nobody", "x", address}, [&, done](Result<UserPtr> user) {
      ++(user.error().code == ErrorCode::kOverloaded ? overloaded : wrong);
      done->set_value();
    });
  }
  for (auto& one : answered) one.get();
  EXPECT_GE(wrong.load(), 8) << "those that waited, and what was looked at meanwhile";
  EXPECT_GE(overloaded.load(), 30);
}

TEST_F(AccessTest, RequestsOfNobodyAreRefused) {
  const auto nobody = engine_->Execute("SELECT key FROM system.local", {});
  ASSERT_FALSE(nobody.ok());
  EXPECT_EQ(nobody.error().code, ErrorCode::kUnauthorized);
  EXPECT_EQ(nobody.error().message, "You have not logged in");
  EXPECT_EQ(As(nullptr, "SELECT key FROM system.local").error().message, "You have not logged in");
  EXPECT_EQ(engine_->Prepare("SELECT key FROM system.local", RequestParameters{}).error().message,
            "You have not logged in");
}

// Each run of a statement checks permissions, even if the statement was prepared earlier. This holds for every way to
// run a statement.
TEST_F(AccessTest, PreparedStatementsAskAgain) {
  Must("CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
  Must("CREATE TABLE k.t (id int PRIMARY KEY, v int)");
  Must("CREATE ROLE ann WITH PASSWORD = 'pw' AND LOGIN = true");
  Must("GRANT SELECT ON k.t TO ann");
  Must("GRANT MODIFY ON k.t TO ann");
  ConnectionFacts facts;
  facts.user = *LogIn("ann", "pw");
  const RequestParameters ann{.keyspace = "k", .connection = std::make_shared<const ConnectionFacts>(facts)};
  const PreparedPtr read = *engine_->Prepare("SELECT v FROM t WHERE id = 1", "k");
  const PreparedPtr write = *engine_->Prepare("INSERT INTO t (id, v) VALUES (1, 2)", "k");
  const auto run = [&](const PreparedPtr& statement) { return engine_->ExecutePrepared(*statement, ann).ok(); };
  const auto point = [&] {
    RowsPage page;
    return engine_->ReadPoint(*read, ann, page).ok();
  };
  const auto submit = [&] {
    std::promise<bool> done;
    const Result<bool> begun =
        engine_->Submit(write, ann, [&](Result<Outcome> outcome) { done.set_value(outcome.ok()); });
    return begun.ok() && done.get_future().get();
  };
  const auto batch = [&] {
    const BatchEntry entry{.statement = write, .values = {}, .names = {}};
    return engine_->ExecuteBatch(BatchStatement::Kind::kLogged, {&entry, 1}, ann).ok();
  };
  EXPECT_TRUE(run(read) && run(write) && point() && submit() && batch());
  Must("REVOKE SELECT ON k.t FROM ann");
  EXPECT_FALSE(run(read) || point());
  EXPECT_TRUE(run(write) && submit() && batch());
  Must("REVOKE MODIFY ON k.t FROM ann");
  EXPECT_FALSE(run(write) || submit() || batch());
  Must("GRANT ALL ON KEYSPACE k TO ann");
  EXPECT_TRUE(run(read) && run(write) && point() && submit() && batch());
  Must("DROP ROLE ann");
  EXPECT_FALSE(run(read) || run(write) || point() || submit() || batch());
}

// The server uses one plan for texts that differ only in their constants. Each text still needs its own permissions.
TEST_F(AccessTest, TextsOfAKnownShapeAskToo) {
  Must("CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
  Must("CREATE TABLE k.t (id int PRIMARY KEY, v int)");
  Must("CREATE ROLE ann WITH PASSWORD = 'pw' AND LOGIN = true");
  const UserPtr ann = *LogIn("ann", "pw");
  for (int i = 0; i < 5; ++i) {
    Must("SELECT v FROM k.t WHERE id = " + std::to_string(i));
    Must("INSERT INTO k.t (id, v) VALUES (" + std::to_string(i) + ", 1)");
    EXPECT_EQ(As(ann, "SELECT v FROM k.t WHERE id = " + std::to_string(i)).error().code, ErrorCode::kUnauthorized);
    EXPECT_EQ(As(ann, "INSERT INTO k.t (id, v) VALUES (" + std::to_string(i) + ", 1)").error().code,
              ErrorCode::kUnauthorized);
  }
}

TEST_F(AccessTest, RolesAndPermissionsAreThereAfterARestart) {
  Must("CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
  Must("CREATE TABLE k.t (id int PRIMARY KEY)");
  Must("CREATE ROLE readers");
  Must("CREATE ROLE ann WITH HASHED PASSWORD = '" + kByCassandra + "' AND LOGIN = true");
  Must("GRANT readers TO ann");
  Must("GRANT SELECT ON k.t TO readers");
  Must("ADD IDENTITY 'spiffe://ann' TO ROLE 'ann'");
  const AccessPtr before = engine_->schema()->access;
  const Uuid version = engine_->schema()->version;
  Must("GRANT MODIFY ON k.t TO readers");
  EXPECT_EQ(engine_->schema()->version, version) << "drivers need not read the schema again";
  Must("REVOKE MODIFY ON k.t FROM readers");
  Open();
  const AccessPtr after = engine_->schema()->access;
  ASSERT_EQ(after->roles.size(), 3u);
  for (const auto& [name, role] : before->roles) EXPECT_EQ(*after->Find(name), *role) << name;
  EXPECT_TRUE(after->Find("ann")->identities.contains("spiffe://ann"));
  Must("DROP ROLE readers");
  Must("DROP TABLE k.t");
  Open();
  EXPECT_EQ(engine_->schema()->access->roles.size(), 2u);
  EXPECT_TRUE(engine_->schema()->access->Find("ann")->member_of.empty());
}

}  // namespace
}  // namespace widerow
