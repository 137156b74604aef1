#include "base/clock.h"

#include <chrono>
#include <ctime>

namespace widerow {

int64_t SystemClock::NowMicros() {
  using namespace std::chrono;
  return duration_cast<microseconds>(system_clock::now().time_since_epoch()).count();
}

int64_t SystemClock::NowSeconds() { return std::time(nullptr); }

}  // namespace widerow
