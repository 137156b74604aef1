#include "base/latency_histogram.h"

#include <gtest/gtest.h>

namespace widerow {
namespace {

TEST(LatencyHistogramTest, EmptyAnswersZero) {
  const LatencyHistogram::Counts counts = LatencyHistogram().Read();
  EXPECT_EQ(counts.count, 0u);
  EXPECT_EQ(counts.MicrosAt(0.99), 0u);
}

TEST(LatencyHistogramTest, SharesAreAtMostASixteenthTooHighAndNeverTooLow) {
  for (uint64_t micros = 1; micros < uint64_t{1} << 36; micros += micros / 3 + 1) {
    LatencyHistogram histogram;
    histogram.Add(micros);
    histogram.Add(uint64_t{1} << 36);
    const uint64_t answer = histogram.Read().MicrosAt(0.5);
    EXPECT_GE(answer, micros);
    EXPECT_LE(answer, micros + micros / 16) << micros;
  }
}

TEST(LatencyHistogramTest, SharesCountFromBelow) {
  LatencyHistogram histogram;
  histogram.Add(3, 990);
  histogram.Add(10, 9);
  histogram.Add(1'000'000);
  const LatencyHistogram::Counts counts = histogram.Read();
  EXPECT_EQ(counts.count, 1'000u);
  EXPECT_EQ(counts.total_micros, 990u * 3 + 90 + 1'000'000);
  EXPECT_EQ(counts.MicrosAt(0.99), 3u);
  EXPECT_EQ(counts.MicrosAt(0.999), 10u);
  EXPECT_EQ(counts.MicrosAt(1), 1'000'000u) << "no more than the greatest one";
  EXPECT_EQ(counts.BelowPowerOfTwo(2), 990u);
  EXPECT_EQ(counts.BelowPowerOfTwo(4), 999u);
  EXPECT_EQ(counts.BelowPowerOfTwo(30), 1'000u);
}

TEST(LatencyHistogramTest, TheLongestGoIntoTheLastBucket) {
  LatencyHistogram histogram;
  histogram.Add(~uint64_t{0});
  EXPECT_EQ(histogram.Read().count, 1u);
  EXPECT_EQ(histogram.Read().buckets.back(), 1u);
}

}  // namespace
}  // namespace widerow
