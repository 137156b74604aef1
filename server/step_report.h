// Shows the progress of a command on standard error: one line for each step and, on a terminal, the percentage and the
// time left.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace widerow {

class StepReport {
 public:
  explicit StepReport(bool terminal) : terminal_(terminal) {}
  ~StepReport() { EndLine(); }
  StepReport(const StepReport&) = delete;
  StepReport& operator=(const StepReport&) = delete;

  // `done` of `all` parts of the step `doing` are done; both are 0 if this is not known.
  void Show(const std::string& doing, uint64_t done, uint64_t all);
  // Prints a line of its own.
  void Line(const std::string& line);
  void EndLine();

 private:
  using SteadyClock = std::chrono::steady_clock;

  const bool terminal_;
  std::string doing_;
  SteadyClock::time_point begun_, next_;
};

// Returns text such as "1:05 left" when `done` of `all` parts of the work have taken `elapsed`; empty if `done` is 0.
std::string TimeLeft(std::chrono::duration<double> elapsed, uint64_t done, uint64_t all);

}  // namespace widerow
