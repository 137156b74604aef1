// The values come from /proc/self. The fields of its file `stat` are numbered as in the manual page proc(5).
#include <dirent.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

#include "net/http/metrics_writer.h"

namespace widerow {

namespace {

double SecondsOf(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

double ReadClock(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

// Returns when the process was started, in seconds of Unix time. The kernel gives this time relative to the boot.
// /proc/stat has the time of the boot, but a service that sees only processes in /proc (ProcSubset=pid of systemd)
// cannot read it. So the time of the boot is computed from two clocks.
double StartSeconds() {
  std::string text;
  std::getline(std::ifstream("/proc/self/stat"), text);
  // Field 2, the program's name, may contain blanks. It ends with the last ')'.
  std::istringstream fields(text.substr(std::min(text.rfind(')') + 1, text.size())));
  std::string field;
  constexpr int kFirst = 3, kStartTime = 22;
  for (int i = kFirst; i <= kStartTime; ++i) fields >> field;
  const double boot = ReadClock(CLOCK_REALTIME) - ReadClock(CLOCK_BOOTTIME);
  return boot + std::strtod(field.c_str(), nullptr) / static_cast<double>(sysconf(_SC_CLK_TCK));
}

uint64_t OpenDescriptors() {
  DIR* const directory = opendir("/proc/self/fd");
  if (directory == nullptr) return 0;
  uint64_t count = 0;
  while (readdir(directory) != nullptr) ++count;
  closedir(directory);
  constexpr uint64_t kOthers = 3;  // ".", ".." and the descriptor of the directory itself.
  return count - std::min(count, kOthers);
}

}  // namespace

void WriteProcessMetrics(MetricsWriter& out) {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  out.One("process_cpu_seconds_total", "counter", "User and system time of the process.",
          SecondsOf(usage.ru_utime) + SecondsOf(usage.ru_stime));
  uint64_t size = 0, resident = 0, shared = 0;
  std::ifstream("/proc/self/statm") >> size >> resident >> shared;
  const auto page = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  out.One("process_resident_memory_bytes", "gauge", "Memory of the process, with pages of files.", resident * page);
  out.One("process_virtual_memory_bytes", "gauge",
          "Address space of the process, most of it reserved for the data file.", size * page);
  out.One("widerow_private_bytes", "gauge", "Memory of the process, without pages of files.",
          (resident - std::min(shared, resident)) * page);
  static const double start = StartSeconds();
  out.One("process_start_time_seconds", "gauge", "When the process was started, in seconds of Unix time.", start);
  out.One("process_open_fds", "gauge", "Open file descriptors.", OpenDescriptors());
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  out.One("process_max_fds", "gauge", "The most file descriptors that the process may open.", limit.rlim_cur);
}

}  // namespace widerow
