#include "net/descriptors.h"

#include <sys/resource.h>

#include <algorithm>

#include "net/admissions.h"

namespace widerow {

namespace {

// Segments of the commit log, the data file, and up to 256 sorted files of a bulk load.
constexpr uint64_t kForFiles = 384;
// Each I/O thread of each server has an epoll instance, a timer and a wake-up.
constexpr uint64_t kForThread = 2 * 3;
constexpr uint64_t kHttpShare = 5;

}  // namespace

uint64_t DescriptorLimit() {
  rlimit limit{};
  return getrlimit(RLIMIT_NOFILE, &limit) == 0 ? limit.rlim_cur : 1'024;
}

uint64_t RaiseDescriptorLimit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);  // If the system refuses, the old limit stays.
  }
  return DescriptorLimit();
}

ConnectionCaps CapsFor(uint64_t descriptors, unsigned io_threads) {
  // If the limit is very small, half of the descriptors are for connections.
  const uint64_t reserved = std::min(kForFiles + kForThread * io_threads, descriptors / 2);
  const uint64_t rest = std::min<uint64_t>(descriptors - reserved, 1u << 20);
  const auto cap = [](uint64_t part) { return AdmissionLimits::ForDescriptors(part).connections_max; };
  const ConnectionCaps most;
  return {.native = std::min(most.native, cap(rest - rest / kHttpShare)),
          .http = std::min(most.http, cap(rest / kHttpShare))};
}

}  // namespace widerow
