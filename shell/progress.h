// A line on the terminal that shows the progress of COPY.
#pragma once

#include <chrono>
#include <cstdint>
#include <iosfwd>
#include <string>

namespace widerow {

struct ProgressState {
  double fraction = -1;  // The part of the work that is done; negative: unknown.
  double begun_at = 0;   // The value of `fraction` when `seconds` was 0.
  uint64_t rows = 0, bad = 0;
  double seconds = 0;
};

// Returns "[=====>    ]  52%  175,000 rows  80,185 rows/s  0:02 left  3 bad".
std::string ProgressLine(const ProgressState& state);
// Returns "1 row" or "80,185 rows".
std::string Counted(uint64_t number, const char* one, const char* many);
std::string Rate(uint64_t rows, double seconds);

class Progress {
 public:
  using Clock = std::chrono::steady_clock::time_point (*)();
  // Shows nothing unless `enabled`.
  Progress(std::ostream& out, bool enabled, Clock clock = std::chrono::steady_clock::now);
  ~Progress();  // Erases the line.
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Draws at most five times a second. Sets `state.seconds` itself.
  void Update(ProgressState state);
  double seconds() const;

 private:
  std::ostream& out_;
  const bool enabled_;
  const Clock clock_;
  const std::chrono::steady_clock::time_point start_;
  double last_drawn_ = 0;
  bool drawn_ = false;
};

}  // namespace widerow
