#include "widerow/embedded_server.h"

#include <filesystem>

#include "widerow/testing.h"

namespace widerow {
namespace {

TEST(EmbeddedServerTest, LeavesNothingBehind) {
  const auto entries = [] {
    size_t count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::temp_directory_path())) {
      if (entry.path().filename().string().rfind("widerow-EMB", 0) == 0) ++count;
    }
    return count;
  };
  const std::filesystem::path directory =
      std::filesystem::temp_directory_path() / ("widerow-EMB" + std::to_string(getpid()));
  const size_t before = entries();
  {
    auto own = EmbeddedServer::Start({.directory = directory});
    ASSERT_TRUE(own.ok()) << own.error().message;
    EXPECT_EQ(own.value()->http_address(), "127.0.0.1:" + std::to_string(own.value()->http_port()));
    EXPECT_EQ(own.value()->cql_address(), "127.0.0.1:" + std::to_string(own.value()->cql_port()));
    const auto second = EmbeddedServer::Start({.directory = directory});
    ASSERT_FALSE(second.ok()) << "one directory, one server";
    const auto port_taken = EmbeddedServer::Start({.http_port = own.value()->http_port()});
    ASSERT_FALSE(port_taken.ok());
    EXPECT_NE(port_taken.error().message.find("is in use"), std::string::npos);
    const auto cql_port_taken = EmbeddedServer::Start({.cql_port = own.value()->cql_port()});
    ASSERT_FALSE(cql_port_taken.ok());
    EXPECT_NE(cql_port_taken.error().message.find("is in use"), std::string::npos);
  }
  EXPECT_EQ(entries(), before + 1) << "a directory that was given stays";
  std::filesystem::remove_all(directory);
}

TEST(EmbeddedServerTest, ServersAreIndependentAndTheirDirectoriesGo) {
  std::vector<std::filesystem::path> directories;
  const auto temporary = [] {
    std::vector<std::filesystem::path> found;
    for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::temp_directory_path())) {
      const std::string name = entry.path().filename().string();
      if (name.rfind("widerow-", 0) == 0 && name.size() == 14) found.push_back(entry.path());
    }
    return found;
  };
  {
    const size_t before = temporary().size();
    auto a = EmbeddedServer::Start({}), b = EmbeddedServer::Start({});
    ASSERT_TRUE(a.ok() && b.ok());
    EXPECT_NE(a.value()->http_port(), b.value()->http_port());
    EXPECT_NE(a.value()->cql_port(), b.value()->cql_port());
    EXPECT_GE(temporary().size(), before + 1);
    const char* create = "CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}";
    EXPECT_TRUE(a.value()->database().Execute(create).ok());
    EXPECT_TRUE(b.value()->database().Execute(create).ok());
    directories = temporary();
  }
  size_t left = 0;
  for (const auto& directory : directories) left += std::filesystem::exists(directory) ? 1 : 0;
  EXPECT_LE(left + 2, directories.size());
}

// Tests WiderowTest, the fixture that users of GoogleTest get.
class FixtureTest : public WiderowTest {};

TEST_F(FixtureTest, EachTestStartsEmptyFirst) {
  Exec("CREATE TABLE t (id int PRIMARY KEY, v text)");
  Exec("INSERT INTO t (id, v) VALUES (?, ?)", {1, "x"});
  EXPECT_EQ(Rows("SELECT * FROM t"), (Table{{"1", "x"}}));
}
TEST_F(FixtureTest, EachTestStartsEmptySecond) {
  Exec("CREATE TABLE t (id int PRIMARY KEY, v text)");
  EXPECT_EQ(Rows("SELECT * FROM t"), Table{});
  EXPECT_NE(Fails("SELECT nope FROM t").find("Undefined column name nope"), std::string::npos);
}

}  // namespace
}  // namespace widerow
