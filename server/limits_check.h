// Checks, when the server starts, the system's limits for the process: descriptors, address space, memory, threads and
// file sizes. For each limit that is too low, a sentence says what happens and how to raise the limit.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "net/descriptors.h"

namespace widerow {

// The limits of the process; nullopt: there is none. Memory and threads are those of its control group, which is the
// container or the service.
struct SystemLimits {
  uint64_t descriptors = 0;
  std::optional<uint64_t> address_space, memory, threads, file_bytes;
};

// The settings that decide how much the server may need.
struct ServerNeeds {
  uint64_t map_bytes = 0;
  uint64_t memtable_bytes = 0;
  ServersOfProcess servers;
};

// Reads the limits. A control group is also bound by the limits of the groups above it, so the lowest limit counts.
// `cgroups` is the directory where control groups (version 2) are mounted. `own_group` is the file that names the group
// of the process.
SystemLimits ReadSystemLimits(const std::filesystem::path& cgroups = "/sys/fs/cgroup",
                              const std::filesystem::path& own_group = "/proc/self/cgroup");

// Returns the limits as one line of text.
std::string LimitsText(const SystemLimits& limits);

// Returns one sentence for each limit that is too low.
std::vector<std::string> CheckLimits(const SystemLimits& limits, const ServerNeeds& needs);

}  // namespace widerow
