#include "shell/progress.h"

#include <algorithm>
#include <cstdio>
#include <ostream>

#include "base/text.h"

namespace widerow {

std::string Counted(uint64_t number, const char* one, const char* many) {
  return GroupedDigits(number) + " " + (number == 1 ? one : many);
}

std::string Rate(uint64_t rows, double seconds) {
  return GroupedDigits(seconds <= 0 ? rows : static_cast<uint64_t>(static_cast<double>(rows) / seconds)) + " rows/s";
}

std::string ProgressLine(const ProgressState& state) {
  constexpr int kBarWidth = 20;
  std::string line;
  if (state.fraction >= 0) {
    const double fraction = std::min(state.fraction, 1.0);
    const int full = static_cast<int>(fraction * kBarWidth);
    line = "[" + std::string(full, '=') + (full < kBarWidth ? ">" : "") +
           std::string(std::max(0, kBarWidth - full - 1), ' ') + "] ";
    char percent[8];
    std::snprintf(percent, sizeof percent, "%3d%%", static_cast<int>(fraction * 100));
    line += std::string(percent) + "  ";
  }
  line += GroupedDigits(state.rows) + " rows  " + Rate(state.rows, state.seconds);
  if (const double done = state.fraction - state.begun_at; done > 0.001) {
    const auto left = static_cast<uint64_t>(state.seconds / done * (1 - std::min(state.fraction, 1.0)) + 0.5);
    char time[32];
    std::snprintf(time, sizeof time, "  %llu:%02llu left", static_cast<unsigned long long>(left / 60),
                  static_cast<unsigned long long>(left % 60));
    line += time;
  }
  if (state.bad > 0) line += "  " + GroupedDigits(state.bad) + " bad";
  return line;
}

Progress::Progress(std::ostream& out, bool enabled, Clock clock)
    : out_(out), enabled_(enabled), clock_(clock), start_(clock()) {}

Progress::~Progress() {
  if (drawn_) out_ << "\r\x1b[K" << std::flush;
}

double Progress::seconds() const { return std::chrono::duration<double>(clock_() - start_).count(); }

void Progress::Update(ProgressState state) {
  constexpr double kInterval = 0.2;
  state.seconds = seconds();
  if (!enabled_ || state.seconds - last_drawn_ < kInterval) return;
  last_drawn_ = state.seconds;
  drawn_ = true;
  out_ << '\r' << ProgressLine(state) << "\x1b[K" << std::flush;
}

}  // namespace widerow
