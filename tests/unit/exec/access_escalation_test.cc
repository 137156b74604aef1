// A role tries to get around permissions and passwords. It uses names of other roles, cached plans, snapshots and
// traces. Every attempt must fail.
#include <gmock/gmock.h>

#include <ctime>

#include "exec/access/password_hash.h"
#include "exec/session/tracing.h"
#include "tests/unit/exec/access_fixture.h"

namespace widerow {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class AccessEscalationTest : public AccessTest {
 protected:
  void SetUp() override {
    AccessTest::SetUp();
    MakeTable();
  }
  void MakeTable() {
    Must("CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
    Must("CREATE TABLE k.t (id int PRIMARY KEY, v int)");
    Must("CREATE ROLE ann WITH PASSWORD = 'pw' AND LOGIN = true");
  }
  static std::string CodeOf(const Result<Outcome>& outcome) {
    return outcome.ok() ? "ok" : ErrorCodeName(outcome.error().code);
  }
  static RequestParameters Traced(const UserPtr& user) {
    ConnectionFacts facts;
    facts.user = user;
    return {.trace = true, .connection = std::make_shared<const ConnectionFacts>(facts)};
  }
  // Returns all texts that the role can read in system_traces.
  std::string Traces(const UserPtr& user) {
    std::string texts;
    for (const char* cql :
         {"SELECT activity FROM system_traces.events", "SELECT parameters['query'] FROM system_traces.sessions"}) {
      const auto outcome = As(user, cql);
      texts += outcome.ok() ? std::get<RowsPage>(outcome->result).body : outcome.error().message;
    }
    return texts;
  }
};

// The server runs some statements under a name that a role may have, too. What the server makes does not belong to that
// role.
TEST_F(AccessEscalationTest, ARoleWithTheNameOfTheServerOwnsNothing) {
  Must("CREATE ROLE \"(server)\" WITH PASSWORD = 'pw' AND LOGIN = true");
  RoleSchema none;
  none.name = "(server)";
  none.id = Uuid::Random();
  const AccessResource everywhere{.kind = AccessResource::Kind::kAllKeyspaces};
  const UserPtr server =
      std::make_shared<const User>(User(none), AddedPermissions{{everywhere.Name(), {Permission::kCreate}}});
  ASSERT_EQ(CodeOf(As(server,
                      "CREATE KEYSPACE made WITH replication = {'class': 'SimpleStrategy', "
                      "'replication_factor': 1}")),
            "ok");
  ASSERT_EQ(CodeOf(As(server, "CREATE TABLE made.t (id int PRIMARY KEY)")), "ok");
  const Result<UserPtr> role = LogIn("(server)", "pw");
  ASSERT_TRUE(role.ok());
  for (const char* cql : {"SELECT * FROM made.t", "DROP TABLE made.t", "DROP KEYSPACE made"})
    EXPECT_EQ(CodeOf(As(*role, cql)), "Unauthorized") << cql;
}

// The base table of a view is looked for in the view's keyspace, even if the connection uses no keyspace.
TEST_F(AccessEscalationTest, AViewAsksOnItsBaseTable) {
  ConnectionFacts facts;
  facts.user = *LogIn("ann", "pw");
  const RequestParameters ann{.connection = std::make_shared<const ConnectionFacts>(facts)};
  for (const char* base : {"t", "k.t"}) {
    const auto made = engine_->Execute("CREATE MATERIALIZED VIEW k.mv AS SELECT id, v FROM " + std::string(base) +
                                           " WHERE v IS NOT NULL AND id IS NOT NULL PRIMARY KEY (v, id)",
                                       ann);
    ASSERT_FALSE(made.ok()) << base;
    EXPECT_THAT(made.error().message, StartsWith("User ann has no ALTER permission on <table k.t>"));
  }
}

// A client whose logins failed too often must wait. Its passwords are then not compared, even for a role whose password
// another client has entered correctly.
TEST_F(AccessEscalationTest, WhoHasToWaitComparesNothing) {
  Open({.failures_burst = 2, .failures_per_second = 0});
  EXPECT_EQ(MessageOf(LogIn("ann", "pw", kHere)), "in");
  for (int i = 0; i < 2; ++i) EXPECT_THAT(MessageOf(LogIn("ann", "wrong", kElsewhere)), HasSubstr("incorrect"));
  EXPECT_THAT(MessageOf(LogIn("ann", "pw", kElsewhere)), StartsWith("Too many failed logins")) << "as a wrong one";
  EXPECT_EQ(MessageOf(LogIn("ann", "pw", kHere)), "in");
}

TEST_F(AccessEscalationTest, WhereItWasRightOneMayNotGuessForEver) {
  Open({.failures_burst = 2, .failures_per_second = 0});
  EXPECT_EQ(MessageOf(LogIn("ann", "pw")), "in");
  for (int i = 0; i < 2; ++i) EXPECT_THAT(MessageOf(LogIn("nobody", "wrong")), HasSubstr("incorrect"));
  EXPECT_EQ(MessageOf(LogIn("ann", "pw")), "in") << "it is known there";
  for (int i = 0; i < 2; ++i) EXPECT_THAT(MessageOf(LogIn("ann", "wrong")), StartsWith("Too many failed logins"));
  EXPECT_THAT(MessageOf(LogIn("ann", "pw")), StartsWith("Too many failed logins"));
}

TEST_F(AccessEscalationTest, ANamesakeIsSomebodyElse) {
  Must("CREATE ROLE readers");
  Must("GRANT SELECT ON k.t TO readers");
  Must("GRANT readers TO ann");
  const UserPtr before = *LogIn("ann", "pw");
  EXPECT_EQ(CodeOf(As(before, "SELECT * FROM k.t")), "ok");
  Must("DROP ROLE ann");
  Must("CREATE ROLE ann WITH PASSWORD = 'another' AND LOGIN = true AND SUPERUSER = true");
  EXPECT_EQ(CodeOf(As(before, "SELECT * FROM k.t")), "Unauthorized");
  EXPECT_EQ(CodeOf(As(before, "ALTER ROLE ann WITH PASSWORD = 'pw'")), "Unauthorized");
  EXPECT_EQ(CodeOf(As(before, "LIST ROLES OF ann")), "Unauthorized");
  const auto listed = As(before, "LIST ROLES");
  EXPECT_TRUE(listed.ok() && !std::holds_alternative<RowsPage>(listed->result));
  EXPECT_EQ(CodeOf(As(*LogIn("ann", "another"), "SELECT * FROM k.t")), "ok");
}

// A role is dropped and made again with the same name and password. The new role gets nothing that was cached for the
// old one.
TEST_F(AccessEscalationTest, ANamesakeLogsInAsHimself) {
  const std::string hash = *HashPassword("same", 4);
  Must("CREATE ROLE bob WITH HASHED PASSWORD = '" + hash + "' AND LOGIN = true");
  const UserPtr before = *LogIn("bob", "same");
  Must("DROP ROLE bob");
  Must("CREATE ROLE bob WITH HASHED PASSWORD = '" + hash + "' AND LOGIN = true");
  Must("GRANT SELECT ON k.t TO bob");
  EXPECT_EQ(CodeOf(As(*LogIn("bob", "same"), "SELECT * FROM k.t")), "ok");
  EXPECT_EQ(CodeOf(As(before, "SELECT * FROM k.t")), "Unauthorized");
}

TEST_F(AccessEscalationTest, TracesShowNoPasswordsOfMistypedStatements) {
  const UserPtr root = *LogIn("cassandra", "cassandra");
  for (const char* cql : {"CREATE ROLE r WITH PASSWORD 'supersecret1'", "CREATE ROLE r WITH PassWord = supersecret2",
                          "CREATE ROLE r WITH LOGIN = 'x' AND PASSWORD = 'supersecret3'",
                          "ALTER ROLE r WITH HASHED PASSWORD = 'supersecret4'"}) {
    EXPECT_NE(CodeOf(engine_->Execute(cql, Traced(root))), "ok") << cql;
    static_cast<void>(engine_->Prepare(cql, Traced(root)));
  }
  EXPECT_EQ(CodeOf(engine_->Execute("SELECT nothing FROM k.t", Traced(root))), "Invalid");
  const std::string traces = Traces(root);
  EXPECT_THAT(traces, Not(HasSubstr("supersecret")));
  EXPECT_THAT(traces, HasSubstr("Request failed: SyntaxError"));
  EXPECT_THAT(traces, HasSubstr("Request failed: Undefined column name nothing in table k.t"));
}

TEST_F(AccessEscalationTest, TracesExplainWhatMayBeRun) {
  const RequestParameters ann = Traced(*LogIn("ann", "pw"));
  const std::string cql = "SELECT v FROM k.t WHERE id = 1";
  EXPECT_EQ(CodeOf(engine_->Execute(cql, ann)), "Unauthorized");
  EXPECT_TRUE(engine_->Prepare(cql, ann).ok());
  EXPECT_EQ(CodeOf(engine_->ExecutePrepared(**engine_->Prepare(cql, ""), ann)), "Unauthorized");
  EXPECT_THAT(Traces(*LogIn("ann", "pw")), Not(HasSubstr("PointLookup")));
  Must("GRANT SELECT ON k.t TO ann");
  EXPECT_EQ(CodeOf(engine_->Execute(cql, ann)), "ok");
  EXPECT_THAT(Traces(*LogIn("ann", "pw")), HasSubstr("PointLookup"));
}

// A role needs a permission to read the traces of other roles, because traces contain the values of statements.
TEST_F(AccessEscalationTest, TracesOfOthersNeedAPermission) {
  Must("CREATE ROLE bob WITH PASSWORD = 'pw' AND LOGIN = true");
  Must("GRANT SELECT ON k.t TO ann");
  const UserPtr ann = *LogIn("ann", "pw"), bob = *LogIn("bob", "pw");
  EXPECT_EQ(CodeOf(engine_->Execute("SELECT v FROM k.t WHERE id = 4711", Traced(ann))), "ok");
  EXPECT_THAT(Traces(ann), HasSubstr("4711"));
  EXPECT_THAT(Traces(bob), Not(HasSubstr("4711")));
  const auto of_session = As(bob, "SELECT * FROM system_traces.sessions");
  ASSERT_TRUE(of_session.ok());
  EXPECT_EQ(std::get<RowsPage>(of_session->result).row_count, 0u);
  EXPECT_THAT(Traces(*LogIn("cassandra", "cassandra")), HasSubstr("4711"));
  Must("GRANT SELECT ON KEYSPACE system_traces TO bob");
  EXPECT_THAT(Traces(bob), HasSubstr("4711"));
  // A role does not see the traces of an earlier role that had the same name.
  Must("DROP ROLE ann");
  Must("CREATE ROLE ann WITH PASSWORD = 'pw' AND LOGIN = true");
  EXPECT_THAT(Traces(*LogIn("ann", "pw")), Not(HasSubstr("4711")));
}

TEST_F(AccessEscalationTest, TracesKeepTheBeginningsOfLongTexts) {
  const UserPtr root = *LogIn("cassandra", "cassandra");
  std::string filler;
  while (filler.size() < 3 * kTraceTextBytesMax) filler += "ä";
  EXPECT_EQ(CodeOf(engine_->Execute("SELECT '" + filler + "' FROM k.t", Traced(root))), "Invalid");
  EXPECT_NE(CodeOf(engine_->Execute("SELEKT /* " + filler + " */ PASSWORD 'supersecret5'", Traced(root))), "ok");
  const std::string traces = Traces(root);
  EXPECT_LT(traces.size(), 12 * kTraceTextBytesMax);
  EXPECT_THAT(traces, HasSubstr("ä…"));
  EXPECT_THAT(traces, Not(HasSubstr("supersecret")));
}

// The time until a wrong password is refused tells nothing about names and settings. The test measures processor time,
// so that a busy machine does not matter.
TEST_F(AccessEscalationTest, WrongPasswordsTakeTheSameWork) {
  const auto work = [&](const std::string& role) {
    const std::clock_t begin = std::clock();
    EXPECT_THAT(MessageOf(LogIn(role, "wrong")), HasSubstr("incorrect"));
    return static_cast<double>(std::clock() - begin);
  };
  Must("CREATE ROLE cheap WITH HASHED PASSWORD = '" + *HashPassword("x", 4) + "' AND LOGIN = true");
  const double nobody = work("nobody");
  EXPECT_GT(work("cheap"), nobody / 2);
  EXPECT_GT(work("ann"), nobody / 2);
  Must("CREATE ROLE dear WITH HASHED PASSWORD = '" + *HashPassword("x", kBcryptCostMax) + "' AND LOGIN = true");
  EXPECT_GT(work("nobody"), nobody * 2);
  EXPECT_GT(work("cheap"), nobody * 2);
  EXPECT_GT(work("ann"), nobody * 2);
}

TEST(PasswordCostTest, IsReadFromTheHash) {
  EXPECT_EQ(BcryptCostOf(*HashPassword("x", 4)), 4);
  EXPECT_EQ(BcryptCostOf(*HashPassword("x")), kBcryptCost);
  EXPECT_EQ(BcryptCostOf("no hash"), kBcryptCost);
}

}  // namespace
}  // namespace widerow
