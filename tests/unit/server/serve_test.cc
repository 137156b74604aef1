// Runs the program as a user does.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "widerow/database.h"

namespace widerow {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::StartsWith;

// A running program with its standard output on a pipe and its standard error in a file.
class Program {
 public:
  Program(std::vector<std::string> arguments, std::filesystem::path error_file) : error_file_(std::move(error_file)) {
    int ends[2];
    EXPECT_EQ(pipe(ends), 0);
    arguments.insert(arguments.begin(), WR_PROGRAM);
    std::vector<char*> argv;
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    pid_ = fork();
    if (pid_ == 0) {
      dup2(ends[1], STDOUT_FILENO);
      if (std::freopen(error_file_.c_str(), "w", stderr) == nullptr) _exit(126);
      close(ends[0]);
      close(ends[1]);
      execv(WR_PROGRAM, argv.data());
      _exit(127);
    }
    close(ends[1]);
    output_ = fdopen(ends[0], "r");
  }
  ~Program() {
    if (pid_ > 0) {
      kill(pid_, SIGKILL);
      waitpid(pid_, nullptr, 0);
    }
    std::fclose(output_);
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  std::string ReadLine() {
    char line[4'096] = {};
    return std::fgets(line, sizeof line, output_) == nullptr ? std::string() : line;
  }
  std::string ReadAll() {
    std::string all;
    for (std::string line; !(line = ReadLine()).empty();) all += line;
    return all;
  }
  void Signal(int signal) const { kill(pid_, signal); }
  int pid() const { return pid_; }
  // Returns the exit status, or minus the signal.
  int Wait() {
    int status = 0;
    waitpid(std::exchange(pid_, -1), &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }
  std::string Errors() const {
    std::ostringstream text;
    text << std::ifstream(error_file_).rdbuf();
    return text.str();
  }

 private:
  const std::filesystem::path error_file_;
  pid_t pid_ = -1;
  FILE* output_ = nullptr;
};

class ServeTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "widerow-serve-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    directory_ = name;
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }
  std::string Data() const { return (directory_ / "data").string(); }
  std::filesystem::path ErrorFile(const char* name) const { return directory_ / name; }
  std::vector<std::string> ServeArguments() const {
    return {"serve", "--data", Data(), "--port", "0", "--http-port", "0"};
  }

  std::filesystem::path directory_;
};

std::string PortIn(const std::string& ready) {
  const size_t at = ready.find("http=127.0.0.1:") + 15;
  return ready.substr(at, ready.find(' ', at) - at);
}

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

// Roles survive a kill and compaction. Anyone who can open the data directory has all of them.
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
  EXPECT_EQ(server.Errors(), "");
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
