// Measures wall and CPU time of a piece of work.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

namespace widerow::bench {

struct Cost {
  double wall_us = 0, cpu_us = 0;  // Per operation. CPU time is the whole process's, so that helper threads count.
};

// Repeats `operation` for `seconds` and returns the cost of one call.
Cost Measure(double seconds, const std::function<void()>& operation);
// Returns the cost per unit of work if one call does `count` units.
Cost MeasureOnce(size_t count, const std::function<void()>& work);
// Returns the cheaper of two rounds, because other programs may have disturbed one of them.
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
