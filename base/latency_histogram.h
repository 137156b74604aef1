// Counts durations in buckets. There are sixteen buckets for each power of two, so a quantile is less than 7 % too
// high. One thread adds durations; this costs a few instructions. Any thread may read at the same time.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstdint>

namespace widerow {

class LatencyHistogram {
 public:
  // Durations from 2^36 microseconds (19 hours) on are counted in the last bucket.
  static constexpr uint32_t kSubBits = 4, kOctaves = 33;
  static constexpr size_t kBuckets = size_t{kOctaves} << kSubBits;

  // A copy of the histogram's counts at one moment.
  struct Counts {
    uint64_t count = 0, total_micros = 0, max_micros = 0;
    std::array<uint64_t, kBuckets> buckets = {};

    // Returns the duration that `share` (0 to 1) of the durations do not exceed, rounded up to the end of its bucket; 0
    // if there are no durations.
    uint64_t MicrosAt(double share) const {
      const double wanted = share * static_cast<double>(count);
      uint64_t seen = 0;
      for (size_t i = 0; i < kBuckets; ++i) {
        seen += buckets[i];
        if (seen != 0 && static_cast<double>(seen) >= wanted) return EndOf(i) < max_micros ? EndOf(i) : max_micros;
      }
      return max_micros;
    }
    // Returns the number of durations below 2^power microseconds.
    uint64_t BelowPowerOfTwo(uint32_t power) const {
      uint64_t seen = 0;
      for (size_t i = 0; i < BucketOf(uint64_t{1} << power); ++i) seen += buckets[i];
      return seen;
    }
  };

  void Add(uint64_t micros, uint64_t times = 1) {
    Grow(buckets_[BucketOf(micros)], times);
    Grow(total_micros_, micros * times);
    if (micros > max_micros_.load(std::memory_order_relaxed)) max_micros_.store(micros, std::memory_order_relaxed);
  }

  Counts Read() const {
    Counts counts{.total_micros = total_micros_.load(std::memory_order_relaxed),
                  .max_micros = max_micros_.load(std::memory_order_relaxed)};
    // The count is the sum of the buckets that were read, because another thread may be adding.
    for (size_t i = 0; i < kBuckets; ++i)
      counts.count += counts.buckets[i] = buckets_[i].load(std::memory_order_relaxed);
    return counts;
  }

 private:
  // Returns the index of the bucket for a duration. Each number below 2^kSubBits has a bucket of its own.
  static constexpr size_t BucketOf(uint64_t micros) {
    if (micros < (uint64_t{1} << kSubBits)) return static_cast<size_t>(micros);
    const auto octave = static_cast<uint32_t>(std::bit_width(micros)) - kSubBits;  // At least 1.
    const size_t bucket = (size_t{octave} << kSubBits) + ((micros >> (octave - 1)) & ((1u << kSubBits) - 1));
    return bucket < kBuckets ? bucket : kBuckets - 1;
  }
  // Returns the greatest number in the bucket.
  static constexpr uint64_t EndOf(size_t bucket) {
    const uint64_t octave = bucket >> kSubBits, rest = bucket & ((1u << kSubBits) - 1);
    if (octave == 0) return bucket;
    return (((uint64_t{1} << kSubBits) + rest + 1) << (octave - 1)) - 1;
  }
  // Adds `by` to `value`. There is only one writer, so no locked instruction is needed.
  static void Grow(std::atomic<uint64_t>& value, uint64_t by) {
    value.store(value.load(std::memory_order_relaxed) + by, std::memory_order_relaxed);
  }

  std::array<std::atomic<uint64_t>, kBuckets> buckets_ = {};
  std::atomic<uint64_t> total_micros_{0}, max_micros_{0};
};

}  // namespace widerow
