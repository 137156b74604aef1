// Wall and CPU time of a piece of work, and rounds of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

namespace widerow::bench {

struct Cost {
  double wall_us = 0, cpu_us = 0;  // Of one operation. CPU: the whole process, so that helper threads count.
};

// Runs `operation` over and over for `seconds` and gives the cost of one call.
Cost Measure(double seconds, const std::function<void()>& operation);
// The cost of `count` units of work done by one call.
Cost MeasureOnce(size_t count, const std::function<void()>& work);
// The cheaper of two rounds: what other programs disturbed is not what we ask about.
Cost Cheaper(const Cost& a, const Cost& b);

// splitmix64: the same numbers in every run.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  size_t Below(size_t bound) {
    uint64_t z = (state_ += 0x9e3779b97f4a7c15ULL);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return static_cast<size_t>((z ^ (z >> 31)) % bound);
  }

 private:
  uint64_t state_;
};

}  // namespace widerow::bench
