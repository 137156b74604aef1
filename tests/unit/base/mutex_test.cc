#include "base/mutex.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace widerow {
namespace {

// The variables are protected only by the mutex. If the thread sanitizer did not know this kind of mutex, it would
// report a race.
TEST(MutexConcurrencyTest, GuardsFromOtherThreads) {
  Mutex mutex;
  CondVar changed;
  int turns = 0, taken = 0;
  std::vector<std::jthread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int n = 0; n < 1'000; ++n) {
        MutexLock lock(mutex);
        ++turns;
        changed.NotifyOne();
      }
    });
  }
  {
    MutexLock lock(mutex);
    for (; taken < 4'000; taken = turns) {
      while (turns == taken) changed.Wait(mutex);
    }
  }
  threads.clear();
  EXPECT_EQ(turns, 4'000);
}

TEST(MutexTest, TimedWaitEndsWithoutNotification) {
  Mutex mutex;
  TimedCondVar never;
  const auto begin = std::chrono::steady_clock::now();
  MutexLock lock(mutex);
  while (std::chrono::steady_clock::now() - begin < std::chrono::milliseconds(20)) never.WaitFor(mutex, 5);
  EXPECT_GE(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(20));
}

TEST(MutexTest, TryLockFailsWhileAnotherThreadHoldsTheMutex) {
  Mutex mutex;
  MutexLock lock(mutex);
  bool locked = true;
  std::thread([&] { locked = mutex.TryLock(); }).join();
  EXPECT_FALSE(locked);
}

#if !defined(NDEBUG) && !defined(ABSL_HAVE_THREAD_SANITIZER)
TEST(MutexTest, DebugBuildsStopWhenTwoMutexesAreLockedInBothOrders) {
  Mutex first, second;
  const auto lock_both = [](Mutex& outer, Mutex& inner) {
    MutexLock outer_lock(outer);
    MutexLock inner_lock(inner);
  };
  lock_both(first, second);
  EXPECT_DEATH(lock_both(second, first), "Potential Mutex deadlock");
}
#endif

}  // namespace
}  // namespace widerow
