#include "server/config_file.h"

#include <gmock/gmock.h>

#include "server/command_line.h"
#include "tests/unit/server/program.h"

namespace widerow {
namespace {

using ::testing::HasSubstr;

class ConfigFileTest : public ServeTest {
 protected:
  Result<Command> Serve(const std::string& text, std::vector<std::string> more = {}) const {
    std::ofstream(File()) << text;
    std::vector<std::string> arguments{"serve", "--config", File()};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return ParseCommandLine(std::move(arguments));
  }
  std::string File() const { return (directory_ / "widerow.conf").string(); }
  ServeOptions Options(const std::string& text, std::vector<std::string> more = {}) const {
    Result<Command> command = Serve(text, std::move(more));
    EXPECT_TRUE(command.ok()) << command.error().message;
    return std::get<ServeOptions>(std::move(*command));
  }
  // Returns the output of --check-config. FILE stands for the file's name, and NAMES for the names of guardrails.
  std::string Check(const std::string& text) const {
    Result<Command> command = Serve(text, {"--check-config"});
    if (!command.ok()) return command.error().message;
    const auto& print = std::get<PrintCommand>(*command);
    std::string out = print.failed ? "failed\n" : "";
    for (size_t at = 0; at < print.text.size();) {
      const bool here = print.text.compare(at, File().size(), File()) == 0;
      out += here ? "FILE" : print.text.substr(at, 1);
      at += here ? File().size() : 1;
    }
    const size_t names = out.find("guardrails are ");
    if (names != std::string::npos) out.replace(names + 15, out.find('\n', names) - names - 15, "NAMES");
    return out;
  }
};

TEST_F(ConfigFileTest, OptionsByName) {
  const ServeOptions options = Options(
      "# a comment\n"
      "data = \"/srv/wide row\"\r\n"
      "port = 9142   # behind a value\n"
      "\n"
      "auth\n"
      "no-extension-warnings = true\n"
      "insecure = false\n"
      "memtable = 128M\n"
      "guardrail = [\"tables=5\", 'columns=7']\n"
      "slow-statement-ms = 250\n"
      "audit = \"auth,ddl\"\n");
  EXPECT_EQ(options.data_directory, "/srv/wide row");
  EXPECT_EQ(options.port, 9'142);
  EXPECT_TRUE(options.auth);
  EXPECT_FALSE(options.insecure);
  EXPECT_EQ(options.memtable_bytes, size_t{128} << 20);
  EXPECT_FALSE(options.language.extension_warnings);
  EXPECT_EQ(options.engine.watch.slow_from, std::chrono::milliseconds(250));
  EXPECT_TRUE(options.engine.watch.audit.Has(AuditCategory::kDdl));
  EXPECT_FALSE(options.engine.watch.audit.Has(AuditCategory::kQuery));
}

TEST_F(ConfigFileTest, TheCommandLineTakesPrecedence) {
  const ServeOptions options =
      Options("data = a\nport = 1\nlisten = 0.0.0.0\n", {"--port", "2", "--listen", "127.0.0.1"});
  EXPECT_EQ(options.data_directory, "a");
  EXPECT_EQ(options.port, 2);
  EXPECT_EQ(options.listen, "127.0.0.1");
  EXPECT_EQ(std::get<ServeOptions>(*Serve("data = a\nauth = true\n", {"--auth=false"})).auth, false);
}

TEST_F(ConfigFileTest, AProblemStopsTheStart) {
  const Result<Command> command = Serve("data = a\nprot = 1\n");
  ASSERT_FALSE(command.ok());
  EXPECT_THAT(command.error().message, HasSubstr("widerow.conf:2: there is no option \"prot\""));
  EXPECT_THAT(command.error().hint, HasSubstr("--check-config"));
}

TEST_F(ConfigFileTest, CheckConfigListsAllProblems) {
  EXPECT_EQ(Check("data = a\n"), "FILE: no problem\n");
  EXPECT_EQ(Check("[serve]\n"
                  "data = a\n"
                  "prot = 1\n"
                  "port = 99999\n"
                  "io-threads = many\n"
                  "listen = 0.0.0.0\n"
                  "config = b\n"
                  "advertise = one two\n"
                  "guardrail = [\"tables=5\", \"nothing=1\"]\n"),
            "failed\n"
            "FILE:1: a line must be `name = value`; there are no sections\n"
            "FILE:3: there is no option \"prot\" for this file\n"
            "FILE:4: --port must be a number from 0 to 65535, not \"99999\"; see widerow serve --help\n"
            "FILE:5: Could not convert: --io-threads = many; see widerow serve --help\n"
            "FILE:6: --listen 0.0.0.0 is reachable from other machines, and there is no authentication; add "
            "--insecure if anyone who can reach the port may read and write everything, or --auth to require logins\n"
            "FILE:7: there is no option \"config\" for this file\n"
            "FILE:8: advertise has one value; write quotes around a value with blanks or commas\n"
            "FILE:9: There is no guardrail \"nothing\"; the guardrails are NAMES\n");
  EXPECT_THAT(Check("data = a\nguardrail = [\"columns=7\", \"tables=5:2\"]\n"),
              HasSubstr("FILE:2: Guardrail tables would fail beyond 2, before it warns beyond 5; "));
  EXPECT_EQ(Check("port = 1\n"), "failed\nFILE: serve needs --data DIR; for example: widerow serve --data ./data\n");
  EXPECT_THAT(Check("data = a\nport = 1\nport = 2\n"), HasSubstr("FILE:2: "));
}

TEST_F(ConfigFileTest, MissingFile) {
  const Result<Command> command = ParseCommandLine({"serve", "--config", (directory_ / "absent").string()});
  ASSERT_FALSE(command.ok());
  EXPECT_THAT(command.error().message, HasSubstr("absent\" cannot be read: No such file"));
  EXPECT_EQ(ParseCommandLine({"serve", "--data", "a", "--check-config"}).error().message,
            "--check-config needs --config FILE");
}

}  // namespace
}  // namespace widerow
