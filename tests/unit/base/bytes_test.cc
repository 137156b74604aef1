#include "base/bytes.h"

#include <gtest/gtest.h>

#include <bitset>
#include <mutex>
#include <set>
#include <thread>

#include "base/uuid.h"

namespace widerow {
namespace {

TEST(BytesTest, VarintsRoundTripAtEveryLength) {
  for (uint64_t shift = 0; shift < 64; ++shift) {
    for (const uint64_t value : {(uint64_t{1} << shift) - 1, uint64_t{1} << shift, UINT64_MAX >> shift}) {
      Bytes out;
      AppendVarint(out, value);
      ByteView in = out;
      uint64_t back = 0;
      ASSERT_TRUE(TakeVarint(in, back));
      EXPECT_EQ(back, value);
      EXPECT_TRUE(in.empty());
      in = ByteView(out).substr(0, out.size() - 1);
      EXPECT_FALSE(TakeVarint(in, back)) << "cut off";
    }
  }
  ByteView overlong("\x80\x80\x80\x80\x80\x80\x80\x80\x80\x02", 10);
  uint64_t value = 0;
  EXPECT_FALSE(TakeVarint(overlong, value));
}

TEST(BytesTest, HexRoundTripsAndRefusesOthers) {
  Bytes out;
  EXPECT_TRUE(FromHex("00fFa1", out));
  EXPECT_EQ(ToHex(out), "00ffa1");
  EXPECT_FALSE(FromHex("0", out));
  EXPECT_FALSE(FromHex("0g", out));
}

TEST(UuidTest, TextFormRoundTrips) {
  const auto uuid = Uuid::FromString("01234567-89ab-1def-8123-456789abcdef");
  ASSERT_TRUE(uuid);
  EXPECT_EQ(uuid->ToString(), "01234567-89ab-1def-8123-456789abcdef");
  EXPECT_FALSE(Uuid::FromString("0123456789ab-1def-8123-456789abcdef-"));
}

TEST(UuidTest, TimeBasedIncreasesEvenWhenTheClockStandsStill) {
  const Uuid first = Uuid::TimeBased(1'700'000'000'000'000), second = Uuid::TimeBased(1'700'000'000'000'000);
  EXPECT_EQ(first.version(), 1);
  EXPECT_GE(first.timestamp_100ns(), 17'000'000'000'000'000ULL + kUuidEpochOffset100ns);
  EXPECT_LT(first.timestamp_100ns(), second.timestamp_100ns());
  EXPECT_EQ(Uuid::Random().version(), 4);
}

// Shows that random UUIDs cannot be predicted from earlier ones. In a generator such as the Mersenne Twister, each bit
// is a linear function of earlier bits. The Berlekamp-Massey algorithm finds the length of the shortest such function.
// For unpredictable bits this length is half the number of bits. For the Mersenne Twister it is 19,937.
TEST(UuidTest, RandomOnesCannotBePredictedFromOthers) {
  constexpr size_t kBits = 41'000;
  using Bits = std::bitset<kBits + 64>;
  Bits newest_first, connection(1), last(1);
  size_t length = 0, shift = 1;
  for (size_t n = 0; n < kBits; ++n, ++shift) {
    newest_first <<= 1;
    newest_first[0] = Uuid::Random().bytes[0] & 1;
    if (((connection & newest_first).count() & 1) == 0) continue;
    const Bits before = connection;
    connection ^= last << shift;
    if (2 * length > n) continue;
    length = n + 1 - length;
    last = before;
    shift = 0;
  }
  EXPECT_GT(length, 20'400u);
  EXPECT_LT(length, 20'600u);
}

TEST(UuidTest, RandomOnesOfThreadsDiffer) {
  std::mutex mutex;
  std::set<Uuid> all;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int n = 0; n < 1'000; ++n) {
        const Uuid uuid = Uuid::Random();
        const std::lock_guard lock(mutex);
        EXPECT_TRUE(all.insert(uuid).second);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace widerow
