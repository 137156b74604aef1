// Measures the wall time and the CPU time of operations.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

namespace widerow::bench {

struct Cost {
  // Both are for one operation. The CPU time is that of the whole process, so it includes helper threads.
  double wall_us = 0, cpu_us = 0;
};

// Repeats `operation` for `seconds` and returns the cost of one call.
Cost Measure(double seconds, const std::function<void()>& operation);
// Calls `work` once and returns its cost divided by `count`, the number of operations that the call does.
Cost MeasureOnce(size_t count, const std::function<void()>& work);
// Returns the cost with less CPU time. Programs measure in two rounds and take the cheaper one, because other programs
// may have disturbed one of the rounds.
Cost Cheaper(const Cost& a, const Cost& b);

// Random numbers by the algorithm splitmix64. A seed gives the same numbers in every run.
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
