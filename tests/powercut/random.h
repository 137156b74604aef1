// A small, fast generator of random numbers. A seed gives the same numbers on every machine.
#pragma once

#include <cstdint>

namespace widerow::powercut {

class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  // The algorithm is SplitMix64.
  uint64_t Next() {
    uint64_t z = state_ += 0x9E3779B97F4A7C15;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
  }
  // Returns a random number from 0 to `bound` - 1, or 0 if `bound` is 0.
  uint64_t Below(uint64_t bound) { return bound == 0 ? 0 : Next() % bound; }
  bool Percent(unsigned percent) { return Below(100) < percent; }

 private:
  uint64_t state_;
};

inline uint64_t Mix(uint64_t a, uint64_t b) { return Random(a ^ (b * 0xD6E8FEB86659FD93)).Next(); }

}  // namespace widerow::powercut
