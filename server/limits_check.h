// Checks at the start what the system allows to the process: descriptors, address space, memory, threads, file sizes.
// Each limit that is too low gives a sentence that says what happens and how to raise it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace widerow {

// The limits of the process; nullopt: there is none. Memory and threads are those of its control group, which is the
// container or the service.
struct SystemLimits {
  uint64_t descriptors = 0;
  std::optional<uint64_t> address_space, memory, threads, file_bytes;
};

// What the server may need.
struct ServerNeeds {
  uint64_t map_bytes = 0;
  uint64_t memtable_bytes = 0;
  unsigned io_threads = 0;
};

// Reads the limits. The lowest limit of the control group and of those above it counts. `cgroups`: where they are
// mounted (version 2); `own_group`: the file that names the group of the process.
SystemLimits ReadSystemLimits(const std::filesystem::path& cgroups = "/sys/fs/cgroup",
                              const std::filesystem::path& own_group = "/proc/self/cgroup");

// Returns the limits in a line.
std::string LimitsText(const SystemLimits& limits);

// Returns one sentence for each limit that is too low.
std::vector<std::string> CheckLimits(const SystemLimits& limits, const ServerNeeds& needs);

}  // namespace widerow
