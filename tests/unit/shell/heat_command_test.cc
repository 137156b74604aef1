// Tests the shell's command HEAT, which prints a table's heat map as text: in process and over HTTP.
#include <gmock/gmock.h>

#include "tests/unit/shell/session_fixture.h"

namespace widerow {
namespace {

using ::testing::HasSubstr;

using HeatCommandTest = SessionTest;

TEST_P(HeatCommandTest, DrawsTheMapWithItsShape) {
  Run("CREATE TABLE log (id int PRIMARY KEY, v text);");
  EXPECT_EQ(Run("HEAT log;"), "nothing has been read or written\n");
  for (int id = 0; id < 200; ++id) Run("INSERT INTO log (id, v) VALUES (" + std::to_string(id) + ", 'x');");
  const std::string map = Run("heat log by key writes last 5 minutes;");
  EXPECT_THAT(map, HasSubstr("(least)                 |"));
  EXPECT_THAT(map, HasSubstr(" in all\n"));
  EXPECT_THAT(map, HasSubstr("of writes went beyond all keys written before: sequential keys\n"));
  EXPECT_THAT(map, HasSubstr("busiest partitions of the last "));
  EXPECT_THAT(Run("HEAT " + keyspace_ + ".log BY TOKEN READS;"), HasSubstr("0 in all\n"));
}

TEST_P(HeatCommandTest, SaysWhatIsWrong) {
  EXPECT_THAT(Run("HEAT nope;"), HasSubstr("Table 'nope' not found in keyspace '" + keyspace_ + "'"));
  for (const char* wrong : {"HEAT;", "HEAT log BY x;", "HEAT log LAST x MINUTES;", "HEAT log sideways;"}) {
    EXPECT_THAT(Run(wrong), HasSubstr("Expected HEAT [KEYSPACE.]TABLE")) << wrong;
  }
}

INSTANTIATE_TEST_SUITE_P(Everywhere, HeatCommandTest, ::testing::Bool(),
                         [](const auto& with) { return with.param ? "Http" : "InProcess"; });

}  // namespace
}  // namespace widerow
