#include "server/step_report.h"

#include <algorithm>
#include <cstdio>

namespace widerow {

void StepReport::Show(const std::string& doing, uint64_t done, uint64_t all) {
  if (doing != doing_) {
    EndLine();
    std::fprintf(stderr, "widerow: %s%s", doing.c_str(), terminal_ ? "" : "\n");
    doing_ = doing;
    begun_ = SteadyClock::now();
  }
  if (!terminal_ || all == 0 || SteadyClock::now() < next_) return;
  next_ = SteadyClock::now() + std::chrono::milliseconds(200);
  std::fprintf(stderr, "\rwiderow: %s %3.0f%%  %s\x1b[K", doing.c_str(),
               100 * static_cast<double>(done) / static_cast<double>(all),
               TimeLeft(SteadyClock::now() - begun_, done, all).c_str());
}

void StepReport::Line(const std::string& line) {
  EndLine();
  std::fprintf(stderr, "widerow: %s\n", line.c_str());
}

void StepReport::EndLine() {
  if (terminal_ && !doing_.empty()) std::fputc('\n', stderr);
  doing_.clear();
}

std::string TimeLeft(std::chrono::duration<double> elapsed, uint64_t done, uint64_t all) {
  if (done == 0) return {};
  const double left = elapsed.count() * static_cast<double>(all - std::min(done, all)) / static_cast<double>(done);
  const auto seconds = static_cast<unsigned long>(left + 0.5);
  char text[48];
  std::snprintf(text, sizeof text, "%lu:%02lu left", seconds / 60, seconds % 60);
  return text;
}

}  // namespace widerow
