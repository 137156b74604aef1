// Ctrl-C as a flag that loops check. Process-wide: there is one terminal.
#pragma once

namespace widerow {

// Handles SIGINT, without SA_RESTART, so that blocking reads return. Call it once, on the main thread.
void CatchInterrupts();
// True if Ctrl-C was pressed after the last ClearInterrupt().
bool Interrupted();
void ClearInterrupt();
// Sets the flag as Ctrl-C does.
void RaiseInterrupt();
// Threads started while this object exists leave SIGINT to the main thread.
class InterruptsBlocked {
 public:
  InterruptsBlocked();
  ~InterruptsBlocked();
  InterruptsBlocked(const InterruptsBlocked&) = delete;
  InterruptsBlocked& operator=(const InterruptsBlocked&) = delete;

 private:
  bool was_blocked_ = false;
};

}  // namespace widerow
