#include "server/step_report.h"

#include <gtest/gtest.h>

namespace widerow {
namespace {

TEST(StepReportTest, TimeLeft) {
  using std::chrono::seconds;
  EXPECT_EQ(TimeLeft(seconds(10), 10, 75), "1:05 left");
  EXPECT_EQ(TimeLeft(seconds(3'600), 1, 2), "60:00 left");
  EXPECT_EQ(TimeLeft(seconds(5), 75, 75), "0:00 left");
  EXPECT_EQ(TimeLeft(seconds(5), 76, 75), "0:00 left") << "the file has grown meanwhile";
  EXPECT_EQ(TimeLeft(seconds(5), 0, 75), "") << "nothing is known yet";
}

}  // namespace
}  // namespace widerow
