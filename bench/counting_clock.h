// A monotonic clock that makes counted instructions repeat: it advances by one microsecond with each reading. Work that
// is cut into pieces by time, such as a fold, is then cut at the same places in every run, however busy the machine is.
// Linking counting_clock.cc into a program replaces clock_gettime there; CLOCK_REALTIME and the others stay as they
// are.
#pragma once

namespace widerow::bench {

// True if std::chrono::steady_clock reads this clock.
bool CountingClockIsUsed();

}  // namespace widerow::bench
