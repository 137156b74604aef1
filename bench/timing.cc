#include "bench/timing.h"

#include <ctime>

namespace widerow::bench {
namespace {

double Seconds(clockid_t clock) {
  timespec now;
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

}  // namespace

Cost Measure(double seconds, const std::function<void()>& operation) {
  constexpr int kPerLook = 64;  // Reading the clock has a cost, so it is read after this number of operations.
  const double wall = Seconds(CLOCK_MONOTONIC), cpu = Seconds(CLOCK_PROCESS_CPUTIME_ID);
  size_t count = 0;
  double elapsed = 0;
  do {
    for (int i = 0; i < kPerLook; ++i) operation();
    count += kPerLook;
    elapsed = Seconds(CLOCK_MONOTONIC) - wall;
  } while (elapsed < seconds);
  const double scale = 1e6 / static_cast<double>(count);
  return {.wall_us = elapsed * scale, .cpu_us = (Seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu) * scale};
}

Cost MeasureOnce(size_t count, const std::function<void()>& work) {
  const double wall = Seconds(CLOCK_MONOTONIC), cpu = Seconds(CLOCK_PROCESS_CPUTIME_ID);
  work();
  const double scale = 1e6 / static_cast<double>(count);
  return {.wall_us = (Seconds(CLOCK_MONOTONIC) - wall) * scale,
          .cpu_us = (Seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu) * scale};
}

Cost Cheaper(const Cost& a, const Cost& b) { return a.cpu_us <= b.cpu_us ? a : b; }

}  // namespace widerow::bench
