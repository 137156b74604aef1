#include "server/server_log.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include "tests/unit/server/program.h"

namespace widerow {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;

std::string ContentOf(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

TEST(LogLine, TextAndJson) {
  const LogEvent event{LogLevel::kWarning,
                       "slow",
                       "SELECT \"a\"\n{}",
                       {{"duration_ms", 1.5}, {"rows", int64_t{3}}, {"role", std::string("ann lee")}}};
  EXPECT_EQ(FormatLogLine(event, false), R"(slow: SELECT "a"\n{} duration_ms=1.500 rows=3 role="ann lee")");
  EXPECT_EQ(FormatLogLine(event, true),
            R"("component":"slow","message":"SELECT \"a\"\n{}","duration_ms":1.500,"rows":3,"role":"ann lee")");
}

TEST(LogLine, NoValueBeginsALineOrAField) {
  const LogEvent event{LogLevel::kInfo, "audit", "a\r\x1b[2Jb", {{"role", std::string("x\" result=ok\nINFO")}}};
  EXPECT_EQ(FormatLogLine(event, false), R"(audit: a\x0d\x1b[2Jb role="x\" result=ok\nINFO")");
}

TEST_F(ServeTest, LogFilesHaveTimeAndLevelAndAreOpenedAgain) {
  const std::filesystem::path file = directory_ / "log", audit = directory_ / "audit";
  const auto log = ServerLog::Open({.level = LogLevel::kWarning, .file = file, .audit_file = audit});
  ASSERT_TRUE(log.ok());
  (*log)->Write({LogLevel::kInfo, "server", "not wanted"});
  (*log)->Write({LogLevel::kWarning, "server", "first"});
  (*log)->Audit({LogLevel::kInfo, "audit", "login"});
  EXPECT_THAT(ContentOf(file), MatchesRegex("[0-9-]{10}T[0-9:]{8}\\.[0-9]{3}Z warning server: first\n"));
  EXPECT_THAT(ContentOf(audit), MatchesRegex("[0-9-]{10}T[0-9:]{8}\\.[0-9]{3}Z info audit: login\n"));
  struct stat info {};
  ASSERT_EQ(stat(file.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 07, 0u) << "others may not read it";

  std::filesystem::rename(file, directory_ / "log.1");
  (*log)->Reopen();
  (*log)->Write({LogLevel::kError, "server", "second"});
  EXPECT_THAT(ContentOf(directory_ / "log.1"), HasSubstr("first"));
  EXPECT_THAT(ContentOf(file), MatchesRegex(".*Z error server: second\n"));

  // If the file cannot be opened, the log still uses the old one, and a line in it says so.
  std::filesystem::rename(file, directory_ / "log.2");
  std::filesystem::create_directory(file);
  (*log)->Reopen();
  EXPECT_THAT(ContentOf(directory_ / "log.2"), HasSubstr("lines still go to the old file"));
}

TEST_F(ServeTest, LogFileThatCannotBeOpened) {
  const auto log = ServerLog::Open({.file = directory_ / "absent" / "log"});
  ASSERT_FALSE(log.ok());
  EXPECT_THAT(log.error().message, HasSubstr("absent/log\" cannot be opened: No such file"));
}

}  // namespace
}  // namespace widerow
