#include "net/descriptors.h"

#include <sys/resource.h>

#include <algorithm>

#include "net/admissions.h"

namespace widerow {

namespace {

// Descriptors for segments of the commit log, the data file, and up to 256 sorted files of a bulk load.
constexpr uint64_t kForFiles = 384;
// Each I/O thread of each server has an epoll instance, a timer and a wake-up.
constexpr uint64_t kForThread = 3;
// The descriptors for connections are divided into equal parts. Each server of the process gets this number of parts.
constexpr uint64_t kNativeParts = 16, kHttpParts = 4, kHBaseParts = 4, kThriftParts = 1;

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

ConnectionCaps CapsFor(uint64_t descriptors, const ServersOfProcess& servers) {
  const uint64_t hbase_parts = servers.hbase ? kHBaseParts : 0, thrift_parts = servers.thrift ? kThriftParts : 0;
  const uint64_t parts = kNativeParts + kHttpParts + hbase_parts + thrift_parts;
  const uint64_t threads = uint64_t{servers.io_threads} * (servers.hbase ? 3 : 2);
  // If the limit is very small, half of the descriptors are for connections.
  const uint64_t reserved = std::min(kForFiles + kForThread * threads, descriptors / 2);
  const uint64_t rest = std::min<uint64_t>(descriptors - reserved, 1u << 20);
  const auto cap = [&](size_t most, uint64_t of_parts) {
    if (of_parts == 0) return size_t{0};
    return std::min(most, AdmissionLimits::ForDescriptors(rest * of_parts / parts).connections_max);
  };
  const ConnectionCaps most;
  return {.native = cap(most.native, kNativeParts),
          .http = cap(most.http, kHttpParts),
          .hbase = cap(most.hbase, hbase_parts),
          .thrift = cap(most.thrift, thrift_parts)};
}

}  // namespace widerow
