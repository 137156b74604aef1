// Tests the shell as a process: exit codes, standard input, and a person at a terminal.
#include "shell/shell.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "shell_process.h"

namespace widerow {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr const char* kKeyspace =
    "CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}; USE ks; "
    "CREATE TABLE flights (carrier text, flight int, PRIMARY KEY (carrier, flight));";

class ShellTest : public ::testing::Test {
 protected:
  ShellTest() {
    static int made = 0;
    directory_ = std::filesystem::temp_directory_path() /
                 ("widerow_shell_" + std::to_string(::getpid()) + "_" + std::to_string(++made));
    std::filesystem::create_directories(directory_);
    data_ = "data=" + (directory_ / "data").string();
    history_ = "history=" + (directory_ / "history").string();
  }
  ~ShellTest() override { std::filesystem::remove_all(directory_); }

  using Ended = ShellEnded;

  std::string Write(const std::string& name, const std::string& text) {
    std::ofstream(directory_ / name, std::ios::binary) << text;
    return directory_ / name;
  }
  std::string Read(const std::string& name) {
    std::ostringstream text;
    text << std::ifstream(directory_ / name, std::ios::binary).rdbuf();
    return text.str();
  }

  Ended RunShellProcess(const std::vector<std::string>& arguments, const std::string& input = "") {
    const pid_t child = StartShell(arguments, directory_, input);
    return EndOfShell(child, directory_);
  }

  std::filesystem::path directory_;
  std::string data_, history_;
};

TEST_F(ShellTest, ExecuteAndFilesInOrder) {
  const std::string file =
      Write("a.cql", "INSERT INTO ks.flights (carrier, flight) VALUES ('UA', 7);\nSELECT * FROM ks.flights");
  const Ended ended = RunShellProcess({data_, std::string("e=") + kKeyspace, "f=" + file, "format=csv"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_EQ(ended.out, "carrier,flight\nUA,7\n");
  EXPECT_EQ(ended.err, "");
  EXPECT_EQ(RunShellProcess({data_, "keyspace=ks", "e=SELECT flight FROM flights"}).out,
            " flight\n--------\n      7\n\n(1 row)\n");
}

TEST_F(ShellTest, TheFirstErrorEndsItWithOne) {
  const std::string file =
      Write("a.cql", std::string(kKeyspace) + "\n\nSELECT nope FROM flights;\nDROP KEYSPACE ks;\n");
  const Ended ended = RunShellProcess({data_, "f=" + file, "e=SHOW HOST"});
  EXPECT_EQ(ended.code, 1);
  EXPECT_THAT(ended.err, StartsWith(file + ":3: Invalid: Undefined column name nope"));
  EXPECT_THAT(ended.err, HasSubstr("SELECT nope FROM flights\n       ^^^^\n"));
  // The keyspace was not dropped, so it can be described.
  EXPECT_EQ(RunShellProcess({data_, "e=DESCRIBE KEYSPACE ks"}).code, 0);
  EXPECT_EQ(RunShellProcess({data_, "e=EXIT", "e=SELECT"}).code, 0);
  EXPECT_EQ(RunShellProcess({data_, "f=" + (directory_ / "none").string()}).code, 1);
  EXPECT_EQ(RunShellProcess({data_, "keyspace=nope", "e=SHOW HOST"}).code, 1);
  EXPECT_EQ(RunShellProcess({data_, "format=xml", "e=SHOW HOST"}).code, 1);
}

TEST_F(ShellTest, NoConnectionIsTwo) {
  const Ended ended = RunShellProcess({"address=127.0.0.1:1", "e=SHOW HOST"});
  EXPECT_EQ(ended.code, 2);
  EXPECT_EQ(ended.err,
            "Error: Cannot connect to 127.0.0.1:1: Connection refused\n"
            "hint: start a server with `widerow serve --data DIR`, or use `widerow shell --data DIR`\n");
  EXPECT_EQ(RunShellProcess({"data=" + Write("file", "x"), "e=SHOW HOST"}).code, 2);
}

TEST_F(ShellTest, StandardInputIsAScriptWithoutPrompts) {
  const Ended ended = RunShellProcess(
      {data_}, std::string(kKeyspace) +
                   "\nCOPY flights FROM STDIN;\nUA,1\nAA,2\n\\.\nSELECT *\nFROM flights WHERE carrier = 'AA';");
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_THAT(ended.out, StartsWith("2 rows imported in "));
  EXPECT_THAT(ended.out, HasSubstr("\n carrier | flight\n---------+--------\n AA      |      2\n\n(1 row)\n"));
  EXPECT_THAT(ended.out, Not(HasSubstr("widerow")));
  EXPECT_EQ(RunShellProcess({data_}, "SELECT 1;\nSHOW HOST\n").code, 1);
}

// A terminal with a shell in it. The test types as a person does.
class Terminal {
 public:
  explicit Terminal(const std::vector<std::string>& arguments) {
    winsize size = {.ws_row = 40, .ws_col = 120, .ws_xpixel = 0, .ws_ypixel = 0};
    child_ = ::forkpty(&terminal_, nullptr, nullptr, &size);
    if (child_ == 0) ExecShell(arguments);
  }
  ~Terminal() {
    if (child_ > 0) {
      ::kill(child_, SIGKILL);
      ::waitpid(child_, nullptr, 0);
    }
    ::close(terminal_);
  }

  void Type(const std::string& keys) {
    EXPECT_EQ(::write(terminal_, keys.data(), keys.size()), static_cast<ssize_t>(keys.size()));
  }

  // Reads output until `text` has come. Returns the output before `text`.
  std::string Expect(const std::string& text) {
    const auto end = std::chrono::steady_clock::now() + kPatience;
    while (true) {
      const size_t found = seen_.find(text);
      if (found != std::string::npos) {
        std::string before = seen_.substr(0, found + text.size());
        seen_.erase(0, before.size());
        return before;
      }
      if (!ReadMore() || std::chrono::steady_clock::now() > end) {
        ADD_FAILURE() << "expected " << text << ", seen " << seen_;
        return seen_;
      }
    }
  }

  // Reads output until the shell has ended. Returns its exit status.
  int Wait() {
    const auto end = std::chrono::steady_clock::now() + kPatience;
    while (ReadMore()) {
      if (std::chrono::steady_clock::now() > end) {
        ADD_FAILURE() << "does not end, seen " << seen_;
        return -1;
      }
    }
    int status = 0;
    ::waitpid(child_, &status, 0);
    child_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

 private:
  static constexpr auto kPatience = std::chrono::seconds(60);

  // Waits up to one second for output and adds it to `seen_`. Returns false if the shell has closed the terminal.
  bool ReadMore() {
    pollfd waiting = {.fd = terminal_, .events = POLLIN, .revents = 0};
    if (::poll(&waiting, 1, 1'000) <= 0) return true;
    char bytes[4'096];
    const ssize_t got = ::read(terminal_, bytes, sizeof bytes);
    if (got > 0) seen_.append(bytes, static_cast<size_t>(got));
    return got > 0;
  }

  int terminal_ = -1;
  pid_t child_ = -1;
  std::string seen_;
};

TEST_F(ShellTest, AtATerminalPromptsHistoryAndCtrlD) {
  ASSERT_EQ(RunShellProcess({data_, std::string("e=") + kKeyspace}).code, 0);
  {
    Terminal terminal({data_, history_});
    terminal.Expect("data directory");
    terminal.Expect("widerow> ");
    terminal.Type("use ks;\n");
    terminal.Expect("widerow:ks> ");
    terminal.Type("insert into flights (carrier, flight)\n");
    terminal.Expect("       ... ");
    terminal.Type("values ('UA', 99);\n");
    terminal.Expect("widerow:ks> ");
    terminal.Type("select nope from flights;\n");
    terminal.Expect("Undefined column name nope");
    terminal.Expect("widerow:ks> ");
    terminal.Type("\x04");
    EXPECT_EQ(terminal.Wait(), 0);
  }
  EXPECT_THAT(Read("history"), HasSubstr("insert"));
  Terminal again({data_, history_, "keyspace=ks"});
  again.Expect("widerow:ks> ");
  again.Type("\x1b[A\x1b[A\n");  // Pressing "up" twice shows the INSERT, in one line.
  again.Expect("values");
  again.Expect("widerow:ks> ");
  again.Type("select flight from flights;\n");
  again.Expect("(1 row)");
  again.Type("\\q\n");
  EXPECT_EQ(again.Wait(), 0);
}

TEST_F(ShellTest, AtATerminalCtrlCDropsTheCommand) {
  Terminal terminal({data_, history_});
  terminal.Expect("widerow> ");
  terminal.Type("select one\n");
  terminal.Expect("    ... ");
  terminal.Type("two\x03");
  terminal.Expect("^C");
  terminal.Expect("widerow> ");
  terminal.Type("show host\n");
  terminal.Expect("Connected to data directory");
  terminal.Expect("widerow> ");
  terminal.Type("exit\n");
  EXPECT_EQ(terminal.Wait(), 0);
}

TEST_F(ShellTest, AtATerminalTabCompletes) {
  ASSERT_EQ(RunShellProcess({data_, std::string("e=") + kKeyspace}).code, 0);
  Terminal terminal({data_, history_, "keyspace=ks"});
  terminal.Expect("widerow:ks> ");
  terminal.Type("sel\t");
  terminal.Expect("ect ");  // The terminal receives only the new letters.
  terminal.Type("car\t");   // There is no table yet, so nothing is completed.
  terminal.Type("rier from fl\t");
  terminal.Expect("ights ");
  terminal.Type("where fli\t");
  terminal.Expect("ght ");
  terminal.Type("= 3 allow filtering;\n");
  terminal.Expect("(0 rows)");
  terminal.Type("desc\tfl\t\n");
  terminal.Expect("CREATE TABLE ks.flights");
  terminal.Type("\\q\n");
  EXPECT_EQ(terminal.Wait(), 0);
}

TEST_F(ShellTest, CtrlCInAnImportKeepsWhatIsInAndSaysWhereToGoOn) {
  ASSERT_EQ(RunShellProcess({data_, std::string("e=") + kKeyspace}).code, 0);
  // The import reads a pipe that never ends. So the import ends only if it is stopped.
  const std::string pipe = directory_ / "pipe.csv";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  Terminal terminal({data_, history_, "keyspace=ks"});
  terminal.Expect("widerow:ks> ");
  terminal.Type("copy flights from '" + pipe + "' with workers=2 and chunksize=10;\n");
  const int writer = ::open(pipe.c_str(), O_WRONLY);
  std::string rows;
  for (int i = 0; i < 1'000; ++i) rows += "UA," + std::to_string(i) + "\n";
  ASSERT_EQ(::write(writer, rows.data(), rows.size()), static_cast<ssize_t>(rows.size()));
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  terminal.Type("\x03");
  terminal.Expect("Interrupted");
  // All rows that were read are stored, however many there are. The message says where to continue.
  terminal.Expect("hint: ");
  const int rows_in = std::atoi(terminal.Expect(" rows are in").c_str());
  EXPECT_GT(rows_in, 0);
  terminal.Expect("; continue WITH SKIPROWS=" + std::to_string(rows_in));
  terminal.Expect("widerow:ks> ");
  ::close(writer);
  terminal.Type("select count(*) from flights where carrier = 'UA' and flight < " + std::to_string(rows_in) + ";\n");
  terminal.Expect("count");
  terminal.Expect(" " + std::to_string(rows_in) + "\r\n");
  terminal.Type("\\q\n");
  EXPECT_EQ(terminal.Wait(), 0);
}

}  // namespace
}  // namespace widerow
