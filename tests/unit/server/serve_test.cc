// Tests `widerow serve` and other commands by running the program as a user does.
#include <gmock/gmock.h>

#include <cstdlib>

#include "tests/unit/server/program.h"
#include "widerow/database.h"

namespace widerow {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Not;
using ::testing::StartsWith;

TEST_F(ServeTest, SaysReadyAnswersAndStopsOnSigterm) {
  for (const int signal : {SIGTERM, SIGINT}) {
    Program server(ServeArguments(), ErrorFile("errors"));
    const std::string ready = server.ReadLine();
    EXPECT_THAT(ready, MatchesRegex("ready cql=127\\.0\\.0\\.1:[0-9]+ http=127\\.0\\.0\\.1:[0-9]+ data=.*/data pid=" +
                                    std::to_string(server.pid()) + "\n"));
    Program shell({"shell", "127.0.0.1:" + PortIn(ready), "-e", "DESCRIBE KEYSPACES"}, ErrorFile("shell"));
    shell.ReadAll();
    EXPECT_EQ(shell.Wait(), 0) << shell.Errors();
    server.Signal(signal);
    EXPECT_EQ(server.ReadAll(), "") << "one line and no more";
    EXPECT_EQ(server.Wait(), 0) << server.Errors();
    EXPECT_THAT(server.Errors(), HasSubstr(": stopping"));
  }
}

TEST_F(ServeTest, PortInUse) {
  Program first(ServeArguments(), ErrorFile("first"));
  const std::string port = PortIn(first.ReadLine());
  Program second({"serve", "--data", (directory_ / "other").string(), "--port", "0", "--http-port", port},
                 ErrorFile("second"));
  EXPECT_EQ(second.ReadAll(), "");
  EXPECT_EQ(second.Wait(), 1);
  EXPECT_THAT(second.Errors(), HasSubstr("widerow: port " + port + " on 127.0.0.1 is in use\nhint: "));
}

TEST_F(ServeTest, DataDirectoryInUse) {
  Program first(ServeArguments(), ErrorFile("first"));
  ASSERT_THAT(first.ReadLine(), StartsWith("ready "));
  Program second(ServeArguments(), ErrorFile("second"));
  EXPECT_EQ(second.ReadAll(), "");
  EXPECT_EQ(second.Wait(), 1);
  EXPECT_THAT(second.Errors(), HasSubstr(Data()));
  EXPECT_THAT(second.Errors(), HasSubstr(std::to_string(first.pid())));
}

TEST_F(ServeTest, CompactsAnUnusedDirectoryAlone) {
  const std::vector<std::string> compact{"compact", "--data", (directory_ / "data").string()};
  {
    Program nothing_there(compact, ErrorFile("absent"));
    EXPECT_EQ(nothing_there.Wait(), 1);
    EXPECT_THAT(nothing_there.Errors(), HasSubstr("There is no database in"));
  }
  Program server(ServeArguments(), ErrorFile("server"));
  ASSERT_THAT(server.ReadLine(), StartsWith("ready "));
  Program refused(compact, ErrorFile("refused"));
  EXPECT_EQ(refused.ReadAll(), "");
  EXPECT_EQ(refused.Wait(), 1);
  EXPECT_THAT(refused.Errors(), HasSubstr("is in use by another process, pid " + std::to_string(server.pid())));
  server.Signal(SIGTERM);
  ASSERT_EQ(server.Wait(), 0);

  Program done(compact, ErrorFile("done"));
  EXPECT_THAT(done.ReadAll(),
              MatchesRegex("data.mdb had [0-9,]+ bytes, [0-9,]+ of them free; it has [0-9,]+ now \\(.*\n"));
  EXPECT_EQ(done.Wait(), 0) << done.Errors();
  EXPECT_THAT(done.Errors(), HasSubstr("widerow: copying\n"));
}

// Roles survive a kill and `widerow compact`. Anyone who can open the data directory has all permissions.
TEST_F(ServeTest, RolesFromTheFirstStartOn) {
  std::vector<std::string> with_login = ServeArguments();
  with_login.push_back("--auth");
  const auto run = [&](const std::string& port, const char* user, const char* password, const char* cql) {
    setenv("WIDEROW_PASSWORD", password, 1);
    Program shell({"shell", "127.0.0.1:" + port, "-u", user, "--format", "csv", "-e", cql}, ErrorFile("shell"));
    const std::string out = shell.ReadAll();
    const int code = shell.Wait();
    return std::to_string(code) + " " + out + shell.Errors();
  };
  {
    Program server(with_login, ErrorFile("errors"));
    const std::string port = PortIn(server.ReadLine());
    EXPECT_THAT(server.Errors(), HasSubstr("role cassandra has the default password"));
    EXPECT_THAT(run(port, "cassandra", "wrong", "LIST ROLES"),
                StartsWith("2 Error: Provided username cassandra and/or"));
    EXPECT_THAT(
        run(port, "cassandra", "cassandra",
            "CREATE ROLE ann WITH PASSWORD = 'pw' AND LOGIN = true; ALTER ROLE cassandra WITH PASSWORD = 'forgotten'"),
        StartsWith("0 "));
    EXPECT_THAT(run(port, "cassandra", "cassandra", "LIST ROLES"), StartsWith("2 "));
    server.Signal(SIGKILL);
    server.Wait();
  }
  {
    Program offline({"shell", "--data", Data(), "--auth", "-e", "ALTER ROLE cassandra WITH PASSWORD = 'again'"},
                    ErrorFile("offline"));
    offline.ReadAll();
    ASSERT_EQ(offline.Wait(), 0) << offline.Errors();
    Program compact({"compact", "--data", Data()}, ErrorFile("compact"));
    compact.ReadAll();
    ASSERT_EQ(compact.Wait(), 0) << compact.Errors();
  }
  Program server(with_login, ErrorFile("errors"));
  const std::string port = PortIn(server.ReadLine());
  EXPECT_THAT(server.Errors(), Not(HasSubstr("default password")));
  EXPECT_EQ(run(port, "ann", "pw", "LIST USERS"), "0 name,super,datacenters\nann,false,ALL\n");
  EXPECT_EQ(run(port, "cassandra", "again", "LIST USERS"),
            "0 name,super,datacenters\nann,false,ALL\ncassandra,true,ALL\n");
  unsetenv("WIDEROW_PASSWORD");
}

TEST_F(ServeTest, DataDirectoryThatIsNone) {
  std::ofstream(directory_ / "data") << "a file";
  Program server(ServeArguments(), ErrorFile("errors"));
  EXPECT_EQ(server.Wait(), 1);
  EXPECT_THAT(server.Errors(), HasSubstr(Data()));
}

TEST_F(ServeTest, KilledAndStartedAgainOnTheSameDirectory) {
  {
    Program server(ServeArguments(), ErrorFile("first"));
    ASSERT_THAT(server.ReadLine(), StartsWith("ready "));
    server.Signal(SIGKILL);
    EXPECT_EQ(server.Wait(), -SIGKILL);
  }
  Program again(ServeArguments(), ErrorFile("again"));
  EXPECT_THAT(again.ReadLine(), StartsWith("ready "));
}

TEST_F(ServeTest, WrongUsageIsStatusTwo) {
  Program server({"serve"}, ErrorFile("errors"));
  EXPECT_EQ(server.Wait(), 2);
  EXPECT_EQ(server.Errors(), "widerow: serve needs --data DIR\nhint: for example: widerow serve --data ./data\n");
  Program version({"--version"}, ErrorFile("version"));
  EXPECT_THAT(version.ReadAll(), StartsWith("widerow 0."));
  EXPECT_EQ(version.Wait(), 0);
}

}  // namespace
}  // namespace widerow
