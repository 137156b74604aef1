#include "server/limits_check.h"

#include <sys/resource.h>

#include <algorithm>
#include <charconv>
#include <fstream>

#include "base/text.h"
#include "net/hbase/wire/hbase_server.h"
#include "net/http/http_server.h"
#include "net/native/native_server.h"

namespace widerow {

namespace {

// The memory of the program, its caches and the stacks of its threads.
constexpr uint64_t kProgramBytes = uint64_t{128} << 20;
// The number of threads for storage, logins and aggregates.
constexpr uint64_t kOtherThreads = 16;

std::optional<uint64_t> LimitOf(__rlimit_resource resource) {
  rlimit limit{};
  if (getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return std::nullopt;
  return limit.rlim_cur;
}

// Returns the number in the file; nullopt if it is "max" or the file does not exist.
std::optional<uint64_t> NumberIn(const std::filesystem::path& file) {
  std::string text;
  std::ifstream(file) >> text;
  uint64_t number = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (code != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return number;
}

// Returns the path of the group below the mount, from the line "0::/path" of control groups of version 2. In a
// container, the path is often "/".
std::filesystem::path GroupIn(const std::filesystem::path& own_group) {
  std::ifstream lines(own_group);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("0::/")) return line.substr(4);
  }
  return {};
}

std::string Mebibytes(uint64_t bytes) { return StrCat(bytes >> 20, " MiB"); }

}  // namespace

SystemLimits ReadSystemLimits(const std::filesystem::path& cgroups, const std::filesystem::path& own_group) {
  SystemLimits limits{.descriptors = DescriptorLimit(),
                      .address_space = LimitOf(RLIMIT_AS),
                      .memory = {},
                      .threads = LimitOf(RLIMIT_NPROC),
                      .file_bytes = LimitOf(RLIMIT_FSIZE)};
  const auto lower = [](std::optional<uint64_t>& limit, std::optional<uint64_t> other) {
    if (other && (!limit || *other < *limit)) limit = other;
  };
  std::filesystem::path group = cgroups;
  lower(limits.memory, NumberIn(group / "memory.max"));
  lower(limits.threads, NumberIn(group / "pids.max"));
  for (const std::filesystem::path& part : GroupIn(own_group)) {
    group /= part;
    lower(limits.memory, NumberIn(group / "memory.max"));
    lower(limits.threads, NumberIn(group / "pids.max"));
  }
  return limits;
}

std::string LimitsText(const SystemLimits& limits) {
  const auto size = [](std::optional<uint64_t> bytes) { return bytes ? Mebibytes(*bytes) : std::string("none"); };
  return StrCat("limits: open files ", limits.descriptors, ", address space ", size(limits.address_space), ", memory ",
                size(limits.memory), ", threads ", limits.threads ? std::to_string(*limits.threads) : "none",
                ", size of a file ", size(limits.file_bytes));
}

std::vector<std::string> CheckLimits(const SystemLimits& limits, const ServerNeeds& needs) {
  std::vector<std::string> problems;
  const ConnectionCaps caps = CapsFor(limits.descriptors, needs.servers), usual;
  if (caps.native < usual.native || caps.http < usual.http) {
    const std::string others = StrCat(needs.servers.hbase ? StrCat(", ", caps.hbase, " of HBase's clients") : "",
                                      needs.servers.thrift ? StrCat(", ", caps.thrift, " of Thrift's") : "");
    problems.push_back(StrCat("the limit of open files is ", limits.descriptors, ", so at most ", caps.native,
                              " CQL and ", caps.http, " HTTP connections are accepted", others, "; a limit of ",
                              kDescriptorsEnough, " allows ", usual.native, " and ", usual.http,
                              " (ulimit -n, LimitNOFILE=)"));
  }
  if (limits.address_space && *limits.address_space < needs.map_bytes + (uint64_t{4} << 30)) {
    problems.push_back(
        StrCat("the limit of address space is ", Mebibytes(*limits.address_space),
               ", so the data file cannot use the whole --map-size of ", Mebibytes(needs.map_bytes),
               "; remove the limit (ulimit -v unlimited, LimitAS=infinity) or set a smaller --map-size"));
  }
  // The memory for the program, for two memtables, and for the requests and answers of the clients of all servers.
  const hbase::HBaseOptions hbase;
  const uint64_t clients = NativeOptions().total_bytes_max + HttpOptions().total_bytes_max +
                           (needs.servers.hbase ? hbase.total_bytes_max : 0);
  const uint64_t memory = kProgramBytes + 2 * needs.memtable_bytes + clients;
  if (limits.memory && *limits.memory < memory) {
    problems.push_back(StrCat("the memory limit of the container or service is ", Mebibytes(*limits.memory),
                              ", but up to ", Mebibytes(memory), " may be needed: ",
                              Mebibytes(2 * needs.memtable_bytes), " for memtables and ", Mebibytes(clients),
                              " for requests and answers of clients; beyond the limit the system kills the server; "
                              "raise the limit (MemoryMax=, --memory) or set a smaller --memtable"));
  }
  const uint64_t threads = kOtherThreads + NativeOptions().workers_max + HttpOptions().workers_max +
                           2 * uint64_t{needs.servers.io_threads} +
                           (needs.servers.hbase ? hbase.workers_max + needs.servers.io_threads : 0) + caps.thrift;
  if (limits.threads && *limits.threads < threads) {
    problems.push_back(StrCat("the limit of threads is ", *limits.threads, ", but up to ", threads,
                              " may be needed; a request that gets no thread waits for another one; raise the limit "
                              "(TasksMax=, --pids-limit, ulimit -u)"));
  }
  if (limits.file_bytes && *limits.file_bytes < needs.map_bytes) {
    problems.push_back(StrCat("the limit of a file's size is ", Mebibytes(*limits.file_bytes),
                              "; writes fail when the data file has this size; remove the limit (ulimit -f unlimited, "
                              "LimitFSIZE=infinity)"));
  }
  return problems;
}

}  // namespace widerow
