// The process that is cut, killed or made to fail: opens a database, runs operations on several threads, and says what it
// begins and what it is answered — into the shim's trace if the shim is loaded, and into shared memory if it is given some.
#pragma once

#include <atomic>
#include <vector>

#include "checker.h"

namespace widerow::powercut {

// What a killed process has done, in memory that outlives it. Counts of this process's operations.
struct Progress {
  static constexpr size_t kThreadsMax = 16;
  struct Counts {
    std::atomic<uint64_t> begun, answered;
  };
  std::atomic<uint64_t> opened;
  std::atomic<uint64_t> failed;  // Operations answered with an error.
  Counts setup;
  Counts threads[kThreadsMax];
  Counts imports;                // The last one's number.
};

struct WorkloadOptions {
  DatabaseSettings database;
  WorkloadShape shape;
  uint64_t operations = 100;          // Of each thread.
  std::vector<uint64_t> first;        // Number each thread begins with, then the imports; empty: 1.
  int progress_fd = -1;
  bool compact = false;               // At the end, when the database is closed.
  bool verify = false;                // Before closing, compare what can be read with what was answered.
};

// The process's exit status: 0, or kExitOpenFailed, also where compacting has failed. Findings are marks.
int RunWorkload(const WorkloadOptions& options);

inline constexpr int kExitOpenFailed = 3;

}  // namespace widerow::powercut
