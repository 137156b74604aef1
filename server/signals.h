// The signals of `widerow serve`. SIGINT and SIGTERM stop the server. SIGHUP makes its parts open their files again,
// for example log files that were renamed.
#pragma once

#include <signal.h>

#include <functional>
#include <vector>

namespace widerow {

// Belongs to the main thread.
class Signals {
 public:
  // Blocks the three signals in the calling thread and in all threads that it starts. So it must be constructed before
  // the process starts its first thread.
  Signals();

  // Adds a function that is called after each SIGHUP, on the thread that waits. It logs its errors itself.
  void OnReload(std::function<void()> reload) { reloads_.push_back(std::move(reload)); }
  // Waits for SIGINT or SIGTERM and returns it. Meanwhile calls the functions of OnReload, in their order.
  int WaitForStop() const;
  // Lets the next SIGINT or SIGTERM end the process at once.
  static void LetSignalsKill();

 private:
  std::vector<std::function<void()>> reloads_;
};

}  // namespace widerow
