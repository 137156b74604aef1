// Tests plans of CREATE, ALTER and DROP KEYSPACE.
#include "tests/unit/planner/ddl_fixture.h"

namespace widerow {
namespace {

class DdlKeyspaceTest : public DdlTest {
 protected:
  // Returns the replication factors of a keyspace, such as "datacenter1=3".
  std::string Factors(std::string_view keyspace) const {
    std::string text;
    for (const auto& [name, value] : schema_->FindKeyspace(keyspace)->replication) {
      if (name != "class") text += (text.empty() ? "" : " ") + name + "=" + value;
    }
    return text;
  }
};

constexpr const char* kSimple = " WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}";

TEST_F(DdlKeyspaceTest, StoresTheFullClassName) {
  const KeyspaceSchema* keyspace = schema_->FindKeyspace("ks");
  EXPECT_EQ(keyspace->replication.at("class"), "org.apache.cassandra.locator.SimpleStrategy");
  EXPECT_EQ(keyspace->replication.at("replication_factor"), "1");
  EXPECT_TRUE(keyspace->durable_writes);
}
TEST_F(DdlKeyspaceTest, ExistsAlready) {
  const Result<DdlResult> again = Try(std::string("CREATE KEYSPACE ks") + kSimple);
  ASSERT_FALSE(again.ok());
  EXPECT_EQ(again.error().code, ErrorCode::kAlreadyExists);
  EXPECT_EQ(again.error().message, "Cannot add existing keyspace \"ks\"");
  EXPECT_EQ(again.error().keyspace, "ks");
  EXPECT_EQ(again.error().table, "");
  EXPECT_EQ(Run(std::string("CREATE KEYSPACE IF NOT EXISTS ks") + kSimple), "unchanged");
  EXPECT_EQ(Run("CREATE KEYSPACE IF NOT EXISTS ks WITH replication = {'class': 'nosuch'}"), "unchanged");
  EXPECT_EQ(Run("CREATE KEYSPACE system_auth WITH replication = {'class': 'SimpleStrategy'}"),
            "AlreadyExists Cannot add existing keyspace \"system_auth\"");
}
TEST_F(DdlKeyspaceTest, TellsDrivers) {
  EXPECT_EQ(Run(std::string("CREATE KEYSPACE k2") + kSimple), "ok");
  EXPECT_EQ(change_.kind, SchemaChange::Kind::kCreated);
  EXPECT_EQ(change_.target, SchemaChange::Target::kKeyspace);
  EXPECT_EQ(change_.keyspace, "k2");
}
TEST_F(DdlKeyspaceTest, ReplicationIsChecked) {
  const std::pair<const char*, const char*> cases[] = {
      {"replication = {'replication_factor': 1}", "ConfigError Missing replication strategy class"},
      {"replication = {}", "ConfigError Missing replication strategy class"},
      {"durable_writes = true", "Invalid Missing mandatory option 'replication'"},
      {"replication = {'class': 'Foo'}",
       "ConfigError Unable to find replication strategy class 'org.apache.cassandra.locator.Foo'"},
      {"replication = {'class': 'org.foo.Foo'}", "ConfigError Unable to find replication strategy class 'org.foo.Foo'"},
      {"replication = {'class': 'simplestrategy'}",
       "ConfigError Unable to find replication strategy class 'org.apache.cassandra.locator.simplestrategy'"},
      {"replication = {'class': 'SimpleStrategy', 'replication_factor': -1}",
       "ConfigError Replication factor must be non-negative, found -1"},
      {"replication = {'class': 'SimpleStrategy', 'replication_factor': 'abc'}",
       "ConfigError For input string: \"abc\""},
      {"replication = {'class': 'SimpleStrategy', 'replication_factor': '3/1'}",
       "ConfigError Transient replication is not enabled on this node"},
      {"replication = {'class': 'SimpleStrategy', 'foo': 1}",
       "ConfigError Unrecognized strategy option {foo} passed to SimpleStrategy for keyspace k2"},
      {"replication = {'class': 'NetworkTopologyStrategy', 'datacenter1': 'x'}", "ConfigError For input string: \"x\""},
      {"replication = {'class': 'NetworkTopologyStrategy', 'datacenter1': 0}",
       "ConfigError Configuration for at least one datacenter must be present"},
      {"replication = {'class': 'LocalStrategy'}",
       "Invalid Unable to use given strategy class: LocalStrategy is reserved for internal use."},
      {"replication = 'x'", "SyntaxError Invalid value for property 'replication'. It should be a map."},
      {"foo = 'x'", "SyntaxError Unknown property 'foo'"},
      {"replication = {'class': 'SimpleStrategy'} AND durable_writes = 'foo'",
       "SyntaxError Invalid boolean value foo for 'durable_writes'. Positive values can be '1', 'true' or 'yes'. "
       "Negative "
       "values can be '0', 'false' or 'no'."},
      {"replication = {'class': 'SimpleStrategy'} AND durable_writes = {'a': 'b'}",
       "SyntaxError Invalid value for property 'durable_writes'. It should be a string"},
      {"replication = {'class': 'SimpleStrategy'} AND replication = {'class': 'SimpleStrategy'}",
       "SyntaxError Multiple definitions for property 'replication'"},
  };
  for (const auto& [with, expected] : cases)
    EXPECT_EQ(Run(std::string("CREATE KEYSPACE k2 WITH ") + with), expected) << with;
  EXPECT_EQ(schema_->FindKeyspace("k2"), nullptr);
}
TEST_F(DdlKeyspaceTest, FactorsHaveDefaultsAndStandForDataCentres) {
  EXPECT_EQ(Run("CREATE KEYSPACE k1 WITH replication = {'class': 'SimpleStrategy'}"), "ok");
  EXPECT_EQ(schema_->FindKeyspace("k1")->replication.at("replication_factor"), "1");
  EXPECT_EQ(Run("CREATE KEYSPACE k2 WITH replication = {'class': 'NetworkTopologyStrategy'}"), "ok");
  EXPECT_EQ(schema_->FindKeyspace("k2")->replication.at("datacenter1"), "1");
  EXPECT_EQ(Run("CREATE KEYSPACE k3 WITH replication = {'class': 'NetworkTopologyStrategy', 'replication_factor': 3}"),
            "ok");
  EXPECT_EQ(schema_->FindKeyspace("k3")->replication,
            (std::map<std::string, std::string>{{"class", "org.apache.cassandra.locator.NetworkTopologyStrategy"},
                                                {"datacenter1", "3"}}));
  EXPECT_EQ(warnings_,
            (std::vector<std::string>{"Your replication factor 3 for keyspace k3 is higher than the number of "
                                      "nodes 1 for datacenter datacenter1"}));
  EXPECT_EQ(Run("CREATE KEYSPACE k4 WITH replication = {'class': 'NetworkTopologyStrategy', 'datacenter1': 2, 'x': 0}"),
            "ok");
  EXPECT_EQ(Factors("k4"), "datacenter1=2");
}
TEST_F(DdlKeyspaceTest, OnlyTheServersDatacenterCanBeNamed) {
  const std::string refused = "ConfigError Unrecognized strategy option {dc1} passed to NetworkTopologyStrategy for ";
  for (const char* options : {"'dc1': 1", "'dc1': 3, 'datacenter1': 1", "'dc1': 1, 'replication_factor': 1"}) {
    const std::string with = std::string(" WITH replication = {'class': 'NetworkTopologyStrategy', ") + options + "}";
    EXPECT_EQ(Run("CREATE KEYSPACE k2" + with), refused + "keyspace k2") << options;
    EXPECT_EQ(Run("ALTER KEYSPACE ks" + with), refused + "keyspace ks") << options;
  }
  datacenter_ = "dc1";
  EXPECT_EQ(Run("CREATE KEYSPACE k2 WITH replication = {'class': 'NetworkTopologyStrategy', 'dc1': 1}"), "ok");
  EXPECT_EQ(Run("CREATE KEYSPACE k3 WITH replication = {'class': 'NetworkTopologyStrategy', 'replication_factor': 2}"),
            "ok");
  EXPECT_EQ(Factors("k3"), "dc1=2");
}
TEST_F(DdlKeyspaceTest, AlterKeepsFactorsThatItDoesNotName) {
  const auto alter = [&](const char* options) {
    const std::string answer = Run(std::string("ALTER KEYSPACE k2 WITH replication = {'class': ") + options + "}");
    EXPECT_THAT(answer, testing::AnyOf("ok", "unchanged")) << options;
    return Factors("k2");
  };
  EXPECT_EQ(Run("CREATE KEYSPACE k2 WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 2}"), "ok");
  EXPECT_EQ(alter("'SimpleStrategy'"), "replication_factor=2");
  EXPECT_EQ(alter("'NetworkTopologyStrategy'"), "datacenter1=2");
  EXPECT_EQ(alter("'NetworkTopologyStrategy', 'replication_factor': 3"), "datacenter1=2");
  EXPECT_EQ(alter("'NetworkTopologyStrategy', 'replication_factor': 3, 'datacenter1': 1"), "datacenter1=1");
  EXPECT_EQ(alter("'SimpleStrategy'"), "replication_factor=1");
}
TEST_F(DdlKeyspaceTest, WarnsOfTooManyReplicas) {
  EXPECT_EQ(Run("CREATE KEYSPACE k2 WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 3}"), "ok");
  EXPECT_EQ(warnings_,
            std::vector<std::string>{"Your replication factor 3 for keyspace k2 is higher than the number of nodes 1"});
}
TEST_F(DdlKeyspaceTest, NamesAreChecked) {
  EXPECT_EQ(Run(std::string("CREATE KEYSPACE \"k-2\"") + kSimple),
            "Invalid Keyspace name must not be empty and must contain alphanumeric or underscore characters only (got "
            "\"k-2\")");
  EXPECT_EQ(Run("CREATE KEYSPACE " + std::string(49, 'a') + kSimple),
            "Invalid Keyspace name must not be more than 48 characters long (got 49 characters for \"" +
                std::string(49, 'a') + "\")");
  EXPECT_EQ(Run("CREATE KEYSPACE " + std::string(48, 'a') + kSimple), "ok");
  EXPECT_EQ(Run(std::string("CREATE KEYSPACE system_foo") + kSimple), "ok");
}
TEST_F(DdlKeyspaceTest, SystemKeyspacesAreNotTheUsers) {
  EXPECT_EQ(Run(std::string("CREATE KEYSPACE system") + kSimple),
            "Invalid System keyspace 'system' is not user-modifiable");
  EXPECT_EQ(Run("DROP KEYSPACE system"), "Unauthorized system keyspace is not user-modifiable.");
  EXPECT_EQ(Run("ALTER KEYSPACE system WITH durable_writes = false"),
            "Unauthorized system keyspace is not user-modifiable.");
  EXPECT_EQ(Run("CREATE TABLE system_views.t (k int PRIMARY KEY)"),
            "Unauthorized system_views keyspace is not user-modifiable.");
  EXPECT_EQ(Run("ALTER TABLE system.local WITH comment = ''"), "Unauthorized system keyspace is not user-modifiable.");
  EXPECT_EQ(Run("DROP TABLE system.local"), "Unauthorized system keyspace is not user-modifiable.");
  EXPECT_EQ(Run("CREATE TYPE system.t (a int)"), "Unauthorized system keyspace is not user-modifiable.");
}
TEST_F(DdlKeyspaceTest, Alter) {
  EXPECT_EQ(Run("CREATE TABLE t (k int PRIMARY KEY)"), "ok");
  const TablePtr table = Table("t");
  EXPECT_EQ(Run("ALTER KEYSPACE ks WITH durable_writes = false"), "ok");
  EXPECT_EQ(change_.kind, SchemaChange::Kind::kUpdated);
  EXPECT_FALSE(schema_->FindKeyspace("ks")->durable_writes);
  EXPECT_EQ(Run("ALTER KEYSPACE ks WITH durable_writes = false"), "unchanged");
  EXPECT_EQ(schema_->FindKeyspace("ks")->replication.at("replication_factor"), "1");
  EXPECT_EQ(Table("t"), table);
  EXPECT_EQ(Run("ALTER KEYSPACE ks WITH replication = {'class': 'NoSuch'}"),
            "ConfigError Unable to find replication strategy class 'org.apache.cassandra.locator.NoSuch'");
  EXPECT_EQ(Run("ALTER KEYSPACE nosuch WITH durable_writes = false"), "Invalid Keyspace 'nosuch' doesn't exist");
  EXPECT_EQ(Run("ALTER KEYSPACE IF EXISTS nosuch WITH durable_writes = false"), "unchanged");
}
TEST_F(DdlKeyspaceTest, Drop) {
  EXPECT_EQ(Run("DROP KEYSPACE nosuch"), "Invalid Keyspace 'nosuch' doesn't exist");
  EXPECT_EQ(Run("DROP KEYSPACE IF EXISTS nosuch"), "unchanged");
  EXPECT_EQ(Run("DROP KEYSPACE ks"), "ok");
  EXPECT_EQ(change_.kind, SchemaChange::Kind::kDropped);
  EXPECT_EQ(schema_->FindKeyspace("ks"), nullptr);
}
TEST_F(DdlKeyspaceTest, OtherSchemaStatementsAreNotThereYet) {
  EXPECT_EQ(Run("CREATE TRIGGER i ON t USING 'x'"), "Invalid CREATE TRIGGER is not supported yet");
}

}  // namespace
}  // namespace widerow
