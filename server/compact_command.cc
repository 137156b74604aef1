#include "server/compact_command.h"

#include <unistd.h>

#include <chrono>
#include <cstdio>

#include "base/text.h"
#include "server/step_report.h"
#include "shell/progress.h"
#include "storage/engine/compact.h"

namespace widerow {

using SteadyClock = std::chrono::steady_clock;

Status Compact(const CompactOptions& options) {
  const SteadyClock::time_point begin = SteadyClock::now();
  StepReport report(isatty(STDERR_FILENO) != 0);
  StorageOptions storage;
  storage.directory = options.data_directory;
  storage.log = [&](const LogEvent& event) { report.Line(event.message); };
  WR_ASSIGN_OR_RETURN(const Compaction done,
                      CompactDataDirectory(std::move(storage), [&](const std::string& doing, uint64_t so_far,
                                                                   uint64_t all) { report.Show(doing, so_far, all); }));
  report.EndLine();
  const std::chrono::duration<double> elapsed = SteadyClock::now() - begin;
  std::printf("data.mdb had %s bytes, %s of them free; it has %s now (%s, %.1f s)\n",
              GroupedDigits(done.bytes_before).c_str(), GroupedDigits(done.free_bytes_before).c_str(),
              GroupedDigits(done.bytes_after).c_str(), Counted(done.records, "record", "records").c_str(),
              elapsed.count());
  return OkStatus();
}

}  // namespace widerow
