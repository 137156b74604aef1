#include "net/hbase/store/row_locks.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace widerow::hbase {
namespace {

TEST(RowLockTest, SharesOrIsHeldAlone) {
  RowLock lock;
  ASSERT_TRUE(lock.TryLockShared());
  ASSERT_TRUE(lock.TryLockShared());
  lock.UnlockShared();
  std::thread([&] { lock.UnlockShared(); }).join();  // Another thread gives the lock back.
  lock.lock();
  EXPECT_FALSE(lock.TryLockShared());
  lock.unlock();
  EXPECT_TRUE(lock.TryLockShared());
  lock.UnlockShared();
}

TEST(RowLockTest, NobodyGoesBeforeAWaitingWriter) {
  RowLock lock;
  ASSERT_TRUE(lock.TryLockShared());
  std::atomic<bool> held = false;
  std::thread writer([&] {
    lock.lock();
    held = true;
    lock.unlock();
  });
  while (lock.TryLockShared()) {  // The writer does not wait yet.
    lock.UnlockShared();
    std::this_thread::yield();
  }
  EXPECT_FALSE(held);
  lock.UnlockShared();
  writer.join();
  EXPECT_TRUE(held);
  EXPECT_TRUE(lock.TryLockShared());
  lock.UnlockShared();
}

TEST(RowLockTest, ConcurrencyOfAllKindsOfHolders) {
  RowLock lock;
  int alone = 0;  // Changed only by threads that hold the lock exclusively.
  std::vector<std::thread> threads;
  std::atomic<int> torn = 0;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 2'000; ++i) {
        if ((i + t) % 4 == 0) {
          lock.lock();
          ++alone;
          ++alone;
          lock.unlock();
          continue;
        }
        if (i % 2 == 0) {
          lock.LockShared();
        } else if (!lock.TryLockShared()) {
          continue;
        }
        if (alone % 2 != 0) ++torn;
        lock.UnlockShared();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(alone, 4 * 500 * 2);
  EXPECT_EQ(torn, 0);
}

}  // namespace
}  // namespace widerow::hbase
