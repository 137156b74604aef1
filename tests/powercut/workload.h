// The process that is cut, killed or made to fail. It opens a database and runs operations on several threads. It
// reports when operations begin and how they are answered: into the shim's trace if the shim is loaded, and into shared
// memory if there is some.
#pragma once

#include <atomic>
#include <vector>

#include "checker.h"

namespace widerow::powercut {

// The progress of a process, in memory that survives a kill. Except in `imports`, the counts are those of the
// operations of this process.
struct Progress {
  static constexpr size_t kThreadsMax = 16;
  struct Counts {
    std::atomic<uint64_t> begun, answered;
  };
  std::atomic<uint64_t> opened;
  std::atomic<uint64_t> failed;  // The number of operations that were answered with an error.
  Counts setup;
  Counts threads[kThreadsMax];
  Counts imports;  // The numbers of the last imports that began and that were answered.
};

struct WorkloadOptions {
  DatabaseSettings database;
  WorkloadShape shape;
  uint64_t operations = 100;  // The number of operations of each thread.
  // The first number of each thread, and then of the imports. If the list is empty, they begin with 1.
  std::vector<uint64_t> first;
  int progress_fd = -1;
  bool compact = false;  // If true, the process closes the database at the end and compacts it.
  bool verify = false;   // If true, the process compares the content with the answers before it closes the database.
};

// Returns the exit status of the process: 0, or kExitOpenFailed if opening or compacting failed. Findings are reported
// as marks.
int RunWorkload(const WorkloadOptions& options);

inline constexpr int kExitOpenFailed = 3;

}  // namespace widerow::powercut
