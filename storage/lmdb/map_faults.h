// Handles reads of mapped files that fail. A read fails if the disk has an error, or if the file has become shorter
// than the map. The system then sends the signal SIGBUS.
//
// The first WatchMap of the process installs a handler for SIGBUS. For a fault outside all watched maps, the handler
// puts the previous handler back. Any thread may call these functions.
#pragma once

#include <setjmp.h>

#include <cstddef>

namespace widerow::lmdb {

// Watches a map. If a read in it fails and WithFaultsCaught is not running, the process ends with kExitDamaged and a
// message that names `file` and the offset. `file` must outlive the map. At most 256 maps are watched at a time.
void WatchMap(const char* map, size_t bytes, const char* file);
void UnwatchMap(const char* map);

// The place to which the handler jumps in this thread; null outside of WithFaultsCaught.
extern thread_local sigjmp_buf* fault_caught_at;

// Calls `read`. Returns false if a read in a watched map has failed. `read` must not have objects with destructors.
template <typename Read>
bool WithFaultsCaught(Read read) {
  sigjmp_buf here;
  // The signal mask is not saved (0), because the signal is not blocked in the handler (SA_NODEFER).
  if (sigsetjmp(here, 0) != 0) {
    fault_caught_at = nullptr;
    return false;
  }
  fault_caught_at = &here;
  read();
  fault_caught_at = nullptr;
  return true;
}

}  // namespace widerow::lmdb
