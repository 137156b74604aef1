#include "exec/rows/paging.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "exec/write/list_path.h"

namespace widerow {
namespace {

PagingState Sample() {
  PagingState state{.rows_left = 7, .partition_rows_left = 3};
  state.at = {.partition_key = Bytes("k\0ey", 4), .clustering = Bytes("\x40\x00", 2), .partition_done = false};
  return state;
}

TEST(PagingTest, RoundTrips) {
  PagingState done = Sample();
  done.at.partition_done = true;
  for (const PagingState& state : {Sample(), done, PagingState()}) {
    const auto back = DecodePagingState(EncodePagingState(state, 42), 42);
    ASSERT_TRUE(back.ok());
    EXPECT_EQ(*back, state);
  }
}

TEST(PagingTest, EveryAlteredByteIsRefused) {
  const Bytes good = EncodePagingState(Sample(), 42);
  for (size_t i = 0; i < good.size(); ++i) {
    Bytes bad = good;
    bad[i] = static_cast<char>(bad[i] ^ 0x10);
    const auto result = DecodePagingState(bad, 42);
    ASSERT_FALSE(result.ok()) << "byte " << i;
    EXPECT_EQ(result.error().code, ErrorCode::kProtocolError);
    EXPECT_FALSE(DecodePagingState(ByteView(good).substr(0, i), 42).ok()) << "cut at " << i;
  }
}

TEST(PagingTest, AnotherStatementsStateIsRefused) {
  EXPECT_FALSE(DecodePagingState(EncodePagingState(Sample(), 42), 43).ok());
  EXPECT_NE(PagingFingerprint("a", "b", {}), PagingFingerprint("a", "c", {}));
  EXPECT_NE(PagingFingerprint("a", "b", {}), PagingFingerprint("a", "b", "1"));
}

TEST(ListPathTest, AppendsRiseAndPrependsFall) {
  std::vector<Bytes> order;
  const int64_t now = 1'700'000'000'000'000;
  for (int i = 0; i < 5; ++i) order.push_back(NextAppendPath(now));  // The clock does not move.
  for (int round = 0; round < 3; ++round) {
    const int64_t base = NextPrependBase(now, 2);
    order.insert(order.begin(), {PrependPath(base, 0), PrependPath(base, 1)});
  }
  EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
  EXPECT_TRUE(std::adjacent_find(order.begin(), order.end()) == order.end());
}

}  // namespace
}  // namespace widerow
