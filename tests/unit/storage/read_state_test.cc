// The state that readers share is replaced as a whole. Memory that only the old state held, such as a folded memtable
// of many megabytes, is freed after the lock is released.
#include "storage/memtable/read_state.h"

#include <gtest/gtest.h>

#include "tests/unit/watched_value.h"

namespace widerow {
namespace {

TEST(ReadStateTest, TheOldStateIsFreedAfterTheLock) {
  SharedReadState state;
  Watch watch([&] { state.Freeze(); });
  state.PublishOverlay({PendingDeletionPtr(watch.Value(PendingDeletion{.partition_prefix = Bytes(16, 'p')}))});
  state.PublishOverlay({});
  EXPECT_EQ(watch.free(), 1);
  EXPECT_EQ(watch.locked(), 0);
  EXPECT_NE(state.frozen(), nullptr);
}

}  // namespace
}  // namespace widerow
