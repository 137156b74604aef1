// EXPLAIN ANALYZE: the statement is run, to its end and really, and instead of its rows comes the plan with what it did: rows
// examined and returned, partitions touched of how many, bytes, and where the time went.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "exec/meter/touched_partitions.h"
#include "exec/rows/outcome.h"
#include "planner/plan.h"

namespace widerow {

// Where the time of a statement goes, step by step.
class StepTimes {
 public:
  using SteadyClock = std::chrono::steady_clock;

  // The step that has been going on since the one before, or since this was made, ends now.
  void End(const char* step) {
    const SteadyClock::time_point now = SteadyClock::now();
    Add(step, now - last_);
    last_ = now;
  }
  void Add(const char* step, SteadyClock::duration time) { steps_.emplace_back(step, time); }
  // So much of the step that ended last was another.
  void MoveFromLast(const char* step, SteadyClock::duration time) {
    steps_.back().second -= time;
    Add(step, time);
  }
  // "1.234 ms: parse 0.030, plan 0.012, …".
  std::string Text() const;

 private:
  SteadyClock::time_point last_ = SteadyClock::now();
  std::vector<std::pair<const char*, SteadyClock::duration>> steps_;
};

// What a statement did.
struct Analysis {
  bool is_read = true;
  uint64_t rows_examined = 0, rows_returned = 0, rows_written = 0;
  uint64_t pages = 0;             // In which the rows of a SELECT came.
  uint64_t bytes_read = 0, bytes_returned = 0, bytes_written = 0;
  uint64_t partition_keys = 0;    // Different keys touched; an estimate where there are very many.
  // Of the table's partition map: in which there was something, that need not be looked at, all.
  size_t partitions_touched = 0, partitions_pruned = 0, partitions = 0;
  std::optional<bool> applied;    // Of a conditional write.
  std::vector<std::string> warnings;
  StepTimes times;
};

// The plan's lines, then those of the analysis.
RowsPage AnalysisRows(const Plan& plan, const Analysis& analysis);

// Counts the entries of the tables' partition maps that `touched` lie in, and all there are.
void CountPartitionsTouched(const std::vector<TablePtr>& tables, const TouchedPartitions& touched, Analysis& analysis);

}  // namespace widerow
