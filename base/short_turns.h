// Scheduling for threads whose work somebody waits for. They get a processor sooner than other threads, but for shorter
// turns.
#pragma once

namespace widerow {

// Gives the calling thread, and the threads that it starts later, shorter time slices than others. When such a thread
// wakes up, it does not wait for the end of another thread's slice of 3 to 4 ms. Its share of processor time stays the
// same. Needs Linux 6.12 (sched_setattr(2), sched_runtime); has no effect if the system does not support or allow it.
void AskForShortTurns();

}  // namespace widerow
