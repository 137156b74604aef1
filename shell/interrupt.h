// Ctrl-C as a flag that loops ask. Process-wide: there is one terminal.
#pragma once

namespace widerow {

// Takes SIGINT over; without SA_RESTART, so that blocking reads return. Call once, from the main thread.
void CatchInterrupts();
// True if Ctrl-C has come since the last ClearInterrupt().
bool Interrupted();
void ClearInterrupt();
// As if Ctrl-C had come.
void RaiseInterrupt();
// Threads started in this object's life leave SIGINT to the main thread.
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
