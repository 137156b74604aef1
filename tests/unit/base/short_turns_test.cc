#include "base/short_turns.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/utsname.h>

#include <cstdio>
#include <fstream>
#include <string>
#include <thread>
#include <utility>

namespace widerow {
namespace {

// Returns the thread's time slice in milliseconds, from /proc/thread-self/sched. Returns 0 on systems that do not show
// it.
double TurnMillis() {
  std::ifstream in("/proc/thread-self/sched");
  std::string line;
  while (std::getline(in, line)) {
    if (line.starts_with("se.slice")) return std::stod(line.substr(line.find(':') + 1)) / 1e6;
  }
  return 0;
}

bool KnowsTurns() {
  utsname name;
  int major = 0, minor = 0;
  EXPECT_EQ(uname(&name), 0);
  EXPECT_EQ(std::sscanf(name.release, "%d.%d", &major, &minor), 2);
  return std::pair(major, minor) >= std::pair(6, 12);
}

TEST(ShortTurnsTest, AThreadKeepsItsPriorityAndLeavesOthersAlone) {
  const double before = TurnMillis();
  std::thread([&] {
    // On Linux, this sets the priority of the calling thread only.
    ASSERT_EQ(setpriority(PRIO_PROCESS, 0, 5), 0);
    AskForShortTurns();
    EXPECT_EQ(getpriority(PRIO_PROCESS, 0), 5);
    EXPECT_EQ(sched_getscheduler(0), SCHED_OTHER);
    if (before > 0 && KnowsTurns()) { EXPECT_EQ(TurnMillis(), 0.2); }
  }).join();
  EXPECT_EQ(TurnMillis(), before);
}

}  // namespace
}  // namespace widerow
