#include "server/backup_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "server/command_line.h"

namespace widerow {
namespace {

using ::testing::HasSubstr;

std::string ErrorOf(std::vector<std::string> arguments) {
  const Result<Command> command = ParseCommandLine(std::move(arguments));
  return command.ok() ? "no error" : command.error().message;
}

TEST(BackupOptionsTest, Commands) {
  const auto backup = ParseCommandLine({"backup", "--server", "db:8042", "-u", "ann", "--tls", "--to", "b"});
  ASSERT_TRUE(backup.ok()) << backup.error().message;
  EXPECT_EQ(std::get<BackupCommandOptions>(*backup).server, "db:8042");
  EXPECT_TRUE(std::get<BackupCommandOptions>(*backup).tls.on);
  const auto restore = ParseCommandLine({"restore", "--from", "b", "--to", "d", "--table", "k.t"});
  ASSERT_TRUE(restore.ok()) << restore.error().message;
  EXPECT_EQ(std::get<RestoreCommandOptions>(*restore).keyspace, "k");
  EXPECT_EQ(std::get<RestoreCommandOptions>(*restore).table, "t");
  EXPECT_EQ(std::get<RestoreCommandOptions>(*restore).until, std::nullopt);
  const auto check = ParseCommandLine({"check", "--data", "d", "--salvage", "s"});
  ASSERT_TRUE(check.ok()) << check.error().message;
  EXPECT_EQ(std::get<CheckCommandOptions>(*check).salvage, "s");
  const auto dump = ParseCommandLine({"dump", "--data", "d", "--keyspace", "k"});
  ASSERT_TRUE(dump.ok()) << dump.error().message;
  EXPECT_EQ(std::get<DumpCommandOptions>(*dump).keyspace, "k");
  const auto serve = ParseCommandLine({"serve", "--data", "d", "--keep-log", "2G"});
  ASSERT_TRUE(serve.ok()) << serve.error().message;
  EXPECT_EQ(std::get<ServeOptions>(*serve).keep_log_bytes, uint64_t{2} << 30);
}

TEST(BackupOptionsTest, WrongUsage) {
  EXPECT_THAT(ErrorOf({"backup", "--to", "b"}), HasSubstr("--server HOST:PORT or --data DIR"));
  EXPECT_THAT(ErrorOf({"backup", "--data", "d", "--server", "s", "--to", "b"}), HasSubstr("one of the two"));
  EXPECT_THAT(ErrorOf({"backup", "--data", "d"}), HasSubstr("needs --to DIR"));
  EXPECT_THAT(ErrorOf({"backup", "--data", "d", "--to", "b", "-u", "ann"}), HasSubstr("nobody has to log in"));
  EXPECT_THAT(ErrorOf({"backup", "--data", "d", "--to", "b", "--tls"}), HasSubstr("--tls is for a server"));
  EXPECT_THAT(ErrorOf({"restore", "--from", "b"}), HasSubstr("--to DIR"));
  EXPECT_THAT(ErrorOf({"restore", "--from", "b", "--to", "d", "--table", "t"}), HasSubstr("KEYSPACE.TABLE"));
  EXPECT_THAT(ErrorOf({"restore", "--from", "b", "--to", "d", "--until", "noon"}), HasSubstr("--until must be a time"));
  EXPECT_THAT(ErrorOf({"check"}), HasSubstr("--data DIR or --backup DIR"));
  EXPECT_THAT(ErrorOf({"check", "--backup", "b", "--salvage", "s"}), HasSubstr("--salvage DIR needs --data DIR"));
  EXPECT_THAT(ErrorOf({"dump"}), HasSubstr("--server HOST:PORT or --data DIR"));
  EXPECT_THAT(ErrorOf({"serve", "--data", "d", "--keep-log", "1"}), HasSubstr("--keep-log must be a size"));
}

TEST(BackupOptionsTest, Moments) {
  constexpr int64_t kNoon = 1'700'000'000'000'000;
  EXPECT_EQ(*ParseMoment("2023-11-14T22:13:20Z"), kNoon);
  EXPECT_EQ(*ParseMoment("2023-11-14 22:13:20"), kNoon) << "UTC";
  EXPECT_EQ(*ParseMoment("2023-11-14 23:13:20+0100"), kNoon);
  EXPECT_EQ(*ParseMoment("2023-11-14T22:13:20.123Z"), kNoon + 123'000);
  EXPECT_EQ(*ParseMoment("2023-11-14T22:13:20.123456Z"), kNoon + 123'456);
  EXPECT_EQ(*ParseMoment("2023-11-14T22:13:20.1234Z"), kNoon + 123'400);
  EXPECT_FALSE(ParseMoment("yesterday").ok());
}

}  // namespace
}  // namespace widerow
