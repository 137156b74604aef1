// EXPLAIN ANALYZE: runs the statement to its end, with all its effects. Instead of its rows it returns the plan and
// what the run did: rows examined and returned, partitions touched, bytes, and time by step.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "exec/engine/select_runner.h"
#include "exec/engine/write_runner.h"
#include "exec/meter/touched_partitions.h"

namespace widerow {

// Measures the time of a statement, step by step.
class StepTimes {
 public:
  using SteadyClock = std::chrono::steady_clock;

  // Ends the current step, which began at the previous End or at construction.
  void End(const char* step) {
    const SteadyClock::time_point now = SteadyClock::now();
    Add(step, now - last_);
    last_ = now;
  }
  void Add(const char* step, SteadyClock::duration time) { steps_.emplace_back(step, time); }
  // Splits the step that ended last: `time` of it becomes a step of its own, named `step`.
  void MoveFromLast(const char* step, SteadyClock::duration time) {
    steps_.back().second -= time;
    Add(step, time);
  }
  // Returns text such as "1.234 ms: parse 0.030, plan 0.012, …".
  std::string Text() const;

 private:
  SteadyClock::time_point last_ = SteadyClock::now();
  std::vector<std::pair<const char*, SteadyClock::duration>> steps_;
};

// The measured work of one statement.
struct Analysis {
  bool is_read = true;
  uint64_t rows_examined = 0, rows_returned = 0, rows_written = 0;
  uint64_t pages = 0;  // The number of pages in which the rows of a SELECT came.
  uint64_t bytes_read = 0, bytes_returned = 0, bytes_written = 0;
  uint64_t codes_compared = 0, vectors_compared = 0;  // See ScanMeter.
  uint64_t entries_counted = 0, texts_scored = 0;     // See ScanMeter.
  uint64_t partition_keys = 0;  // Different partition keys touched; an estimate if there are very many.
  // Numbers of entries of the tables' partition maps: those touched, those skipped because of the restrictions, and
  // all.
  size_t partitions_touched = 0, partitions_pruned = 0, partitions = 0;
  std::optional<bool> applied;  // Set for a conditional write.
  std::vector<std::string> warnings;
  StepTimes times;
};

// Runs EXPLAIN ANALYZE. Thread-safe.
class Analyzer {
 public:
  Analyzer(EngineState& state, const SelectRunner& reads, const WriteRunner& writes)
      : state_(state), reads_(reads), writes_(writes) {}

  // Runs the statement of the request's ExplainPlan. Returns the plan's lines followed by the lines of the analysis.
  Result<Outcome> Run(const AdmittedRequest& request) const;

 private:
  // Measures parsing and planning by repeating them.
  void TimePlanning(const PreparedStatement& statement, StepTimes& times) const;
  Status AnalyzeRead(const PreparedStatement& statement, const RequestParameters& parameters, Analysis& analysis) const;
  Status AnalyzeWrite(const PreparedStatement& statement, const RequestParameters& parameters,
                      Analysis& analysis) const;

  EngineState& state_;
  const SelectRunner& reads_;
  const WriteRunner& writes_;
};

}  // namespace widerow
