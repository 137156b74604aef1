#include "server/compact_command.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "shell/progress.h"
#include "storage/engine/compact.h"

namespace widerow {

namespace {

using SteadyClock = std::chrono::steady_clock;

// Shows progress on standard error: one line per step and, on a terminal, the percentage and the time left.
class Report {
 public:
  explicit Report(bool terminal) : terminal_(terminal) {}
  ~Report() { EndLine(); }
  Report(const Report&) = delete;
  Report& operator=(const Report&) = delete;

  void Show(const std::string& doing, uint64_t done, uint64_t all) {
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
  void EndLine() {
    if (terminal_ && !doing_.empty()) std::fputc('\n', stderr);
    doing_.clear();
  }

 private:
  const bool terminal_;
  std::string doing_;
  SteadyClock::time_point begun_, next_;
};

}  // namespace

std::string TimeLeft(std::chrono::duration<double> elapsed, uint64_t done, uint64_t all) {
  if (done == 0) return {};
  const double left = elapsed.count() * static_cast<double>(all - std::min(done, all)) / static_cast<double>(done);
  const auto seconds = static_cast<unsigned long>(left + 0.5);
  char text[48];
  std::snprintf(text, sizeof text, "%lu:%02lu left", seconds / 60, seconds % 60);
  return text;
}

Status Compact(const CompactOptions& options) {
  const SteadyClock::time_point begin = SteadyClock::now();
  Report report(isatty(STDERR_FILENO) != 0);
  StorageOptions storage;
  storage.directory = options.data_directory;
  storage.log = [&](const LogEvent& event) {
    report.EndLine();
    std::fprintf(stderr, "widerow: %s\n", event.message.c_str());
  };
  WR_ASSIGN_OR_RETURN(const Compaction done,
                      CompactDataDirectory(std::move(storage), [&](const std::string& doing, uint64_t so_far,
                                                                   uint64_t all) { report.Show(doing, so_far, all); }));
  report.EndLine();
  const std::chrono::duration<double> elapsed = SteadyClock::now() - begin;
  std::printf("data.mdb had %s bytes, %s of them free; it has %s now (%s records, %.1f s)\n",
              WithThousands(done.bytes_before).c_str(), WithThousands(done.free_bytes_before).c_str(),
              WithThousands(done.bytes_after).c_str(), WithThousands(done.records).c_str(), elapsed.count());
  return OkStatus();
}

}  // namespace widerow
