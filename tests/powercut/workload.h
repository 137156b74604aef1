// The process that is cut, killed or made to fail. It opens a database, runs operations on several threads, and reports
// their begin and their answers: into the shim's trace if the shim is loaded, and into shared memory if it is given
// some.
#pragma once

#include <atomic>
#include <vector>

#include "checker.h"

namespace widerow::powercut {

// The progress of a process, in memory that survives a kill. Counts of this process's operations.
struct Progress {
  static constexpr size_t kThreadsMax = 16;
  struct Counts {
    std::atomic<uint64_t> begun, answered;
  };
  std::atomic<uint64_t> opened;
  std::atomic<uint64_t> failed;  // Operations answered with an error.
  Counts setup;
  Counts threads[kThreadsMax];
  Counts imports;  // The number of the last one.
};

struct WorkloadOptions {
  DatabaseSettings database;
  WorkloadShape shape;
  uint64_t operations = 100;    // Operations of each thread.
  std::vector<uint64_t> first;  // First number of each thread, then of the imports; empty: 1.
  int progress_fd = -1;
  bool compact = false;  // Compact at the end, when the database is closed.
  bool verify = false;   // Before closing, compare the content with the answers.
};

// Returns the process's exit status: 0, or kExitOpenFailed if opening or compacting failed. Findings are marks.
int RunWorkload(const WorkloadOptions& options);

inline constexpr int kExitOpenFailed = 3;

}  // namespace widerow::powercut
