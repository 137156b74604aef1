// A monotonic clock that advances by one microsecond with each reading. bench/instruction_counts.cc needs it, because
// its instruction counts must be the same in every run. Some work, such as a fold, is cut into pieces by time. With
// this clock it is cut at the same places in every run, however busy the machine is. A program that links
// counting_clock.cc gets this clock as CLOCK_MONOTONIC. Its other clocks are those of the system.
#pragma once

namespace widerow::bench {

// True if std::chrono::steady_clock reads this clock.
bool CountingClockIsUsed();

}  // namespace widerow::bench
