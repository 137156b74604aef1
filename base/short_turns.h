// For threads that somebody waits for: to get a processor soon rather than for long.
#pragma once

namespace widerow {

// From now on the calling thread, and those that it starts, have shorter turns on a processor than others, and so do not wait for
// the end of theirs, 3 to 4 ms, when they wake up. Their share of the time stays the same. Linux since 6.12 (sched_setattr(2),
// sched_runtime); nothing changes where the system does not know it or refuses.
void AskForShortTurns();

}  // namespace widerow
