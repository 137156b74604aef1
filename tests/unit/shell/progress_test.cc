#include "shell/progress.h"

#include <gtest/gtest.h>

#include <chrono>
#include <sstream>

namespace widerow {
namespace {

TEST(ProgressTest, Line) {
  EXPECT_EQ(ProgressLine({.fraction = 0.5, .rows = 160'370, .bad = 3, .seconds = 2}),
            "[==========>         ]  50%  160,370 rows  80,185 rows/s  0:02 left  3 bad");
  EXPECT_EQ(ProgressLine({.fraction = 1, .rows = 10, .seconds = 1}),
            "[====================] 100%  10 rows  10 rows/s  0:00 left");
  EXPECT_EQ(ProgressLine({.fraction = 0.01, .rows = 1, .seconds = 2}),
            "[>                   ]   1%  1 rows  0 rows/s  3:18 left");
  EXPECT_EQ(ProgressLine({.fraction = 0.75, .begun_at = 0.5, .rows = 100, .seconds = 10}),
            "[===============>    ]  75%  100 rows  10 rows/s  0:10 left");
  EXPECT_EQ(ProgressLine({.rows = 1'234'567, .seconds = 1}), "1,234,567 rows  1,234,567 rows/s");
}

TEST(ProgressTest, Counts) {
  EXPECT_EQ(Counted(0, "entry", "entries"), "0 entries");
  EXPECT_EQ(Counted(1, "entry", "entries"), "1 entry");
  EXPECT_EQ(Counted(80'185, "entry", "entries"), "80,185 entries");
}

TEST(ProgressTest, ShowsNothingUnlessEnabledAndWipesItsLine) {
  static std::chrono::steady_clock::time_point now;
  for (const bool enabled : {false, true}) {
    std::ostringstream out;
    {
      Progress progress(out, enabled, [] { return now; });
      now += std::chrono::milliseconds(250);
      progress.Update({.rows = 5});
      progress.Update({.rows = 6});  // This update comes too early for another line of output.
    }
    EXPECT_EQ(out.str().find("6 rows"), std::string::npos);
    EXPECT_EQ(out.str().find("5 rows") != std::string::npos, enabled);
    EXPECT_EQ(out.str().ends_with("\r\x1b[K"), enabled);
  }
}

}  // namespace
}  // namespace widerow
