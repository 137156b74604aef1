// The campaign of disk faults. Each call that can fail is made to fail. Writes and syncs fail with EIO, ENOSPC and
// ENOMEM, in three ways. Calls that open, make, rename, remove or map files fail with EIO, ENOSPC, EMFILE and ENOMEM,
// in two ways.
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>

#include "campaign.h"
#include "shards.h"

namespace widerow::powercut {
namespace {

namespace fs = std::filesystem;

struct Fault {
  uint64_t call = 0;
  int code = 0;
  const char* mode = "";
  const char* kind = "data";  // The kind of the call (recorder.h).

  std::string Setting() const {
    return "WIDEROW_POWERCUT_FAIL=" + std::to_string(call) + ":" + std::to_string(code) + ":" + mode + ":" + kind;
  }
};

struct Calls {
  uint64_t data = 0;
  std::string names;
};

Calls CallsOf(const Trace& trace) {
  Calls calls;
  for (const Event& event : trace.events()) {
    if (event.kind != EventKind::kMark || MarkOf(event).kind != Mark::kCalls) continue;
    calls.data = MarkOf(event).number;
    calls.names = event.payload.substr(sizeof(Mark));
  }
  return calls;
}

// Returns the faults to inject. About one call in options.every gets faults.
std::vector<Fault> ChooseFaults(const CampaignOptions& options, const Calls& calls) {
  std::vector<Fault> faults;
  Random random(options.seed);
  const auto step = [&] { return 1 + random.Below(2 * options.every - 1); };
  for (uint64_t call = 1; call <= calls.data; call += step()) {
    for (const int code : {EIO, ENOSPC, ENOMEM}) {
      for (const char* mode : {"once", "sticky", "short"}) faults.push_back({call, code, mode});
    }
  }
  for (uint64_t call = 1; call <= calls.names.size(); call += step()) {
    for (const int code : {EIO, ENOSPC, EMFILE, ENOMEM}) {
      if (!CanFailWith(static_cast<NameCall>(calls.names[call - 1]), code)) continue;
      for (const char* mode : {"once", "sticky"}) faults.push_back({call, code, mode, "names"});
    }
  }
  return faults;
}

// Returns a workload with a short period, so that a small number of operations includes all kinds of operations.
WorkloadShape ShapeOfFaults(uint64_t seed) {
  WorkloadShape shape = ShapeOf(seed);
  shape.period = 20;
  return shape;
}

// Returns true if the message is clear: it has the system's text, or says that an earlier failure has stopped all
// writes.
bool Clear(const std::string& message) {
  for (const char* part : {"Input/output error", "No space left", "no space left", "Too many open files",
                           "Cannot allocate memory", "restart", "Restart"}) {
    if (message.find(part) != std::string::npos) return true;
  }
  return false;
}

// Runs the workload while the shim injects `fault`. Returns what went wrong: a crash, an unexpected exit status, the
// first wrong answer, or an error message that does not name its cause. Returns nothing if all went well.
std::string RunWithFault(const CampaignOptions& options, const WorkloadShape& shape, const Fault& fault,
                         Recording recording) {
  recording.environment.push_back(fault.Setting());
  recording.verify = true;
  fs::remove_all(recording.directory);
  const int status = Record(options, shape, recording);
  if (WIFSIGNALED(status)) return std::string("the process crashed: ") + strsignal(WTERMSIG(status));
  if (WEXITSTATUS(status) != 0 && WEXITSTATUS(status) != kExitOpenFailed) {
    return "the process ended with status " + std::to_string(WEXITSTATUS(status));
  }
  const Trace trace(recording.trace());
  const History history = HistoryOf(trace, trace.events().size(), shape, Durability::kSync);
  if (!history.findings().empty()) return history.findings().front();
  for (const std::string& failure : history.failures()) {
    if (!Clear(failure)) return "an error that does not say what failed: " + failure;
  }
  return {};
}

// Runs another process in the same directory, without the fault. Returns what went wrong, or nothing.
std::string GoOn(const CampaignOptions& options, const WorkloadShape& shape, Recording recording) {
  {
    const Trace trace(recording.trace());
    const History history = HistoryOf(trace, trace.events().size(), shape, Durability::kSync);
    recording.first = history.NextNumbers();
  }
  const int status = Record(options, shape, recording);
  return status == 0 ? "" : "the process after a restart ended with wait status " + std::to_string(status);
}

// Checks power cuts during the failure, directly after the restart, and later.
std::string CheckCuts(const CampaignOptions& options, const WorkloadShape& shape, const Fault& fault,
                      const Recording& recording, size_t restart) {
  const Trace trace(recording.trace());
  const size_t all = trace.events().size();
  Random random(Mix(options.seed, fault.call));
  std::vector<size_t> cuts{random.Below(restart + 1), restart, all};
  for (int i = 0; i < 3; ++i) cuts.push_back(std::min(all, restart + random.Below(40)));
  std::sort(cuts.begin(), cuts.end());
  const Durability durability = *DurabilityFromName(options.durability);
  DiskModel disk;
  size_t applied = 0;
  for (const size_t events : cuts) {
    for (; applied < events; ++applied) disk.Apply(trace.events()[applied]);
    const auto pattern = static_cast<Pattern>(random.Below(kPatterns));
    const std::string wrong =
        CheckState(disk, pattern, random.Next(), {recording.directory / "state", options.durability},
                   HistoryOf(trace, events, shape, durability));
    if (wrong.empty()) continue;
    return "after a power cut at event " + std::to_string(events) + " (restart at " + std::to_string(restart) + "), " +
           PatternName(pattern) + ": " + wrong;
  }
  const std::string wrong =
      CheckDirectory({recording.data(), options.durability}, HistoryOf(trace, all, shape, Durability::kSync));
  return wrong.empty() ? "" : "after a restart: " + wrong;
}

std::string CheckFault(const CampaignOptions& options, const Fault& fault, const Recording& recording) {
  const WorkloadShape shape = ShapeOfFaults(options.seed);
  if (std::string wrong = RunWithFault(options, shape, fault, recording); !wrong.empty()) return wrong;
  const size_t restart = Trace(recording.trace()).events().size();
  if (std::string wrong = GoOn(options, shape, recording); !wrong.empty()) return wrong;
  return CheckCuts(options, shape, fault, recording, restart);
}

}  // namespace

int RunFaults(const CampaignOptions& options) {
  using std::chrono::steady_clock;
  const auto begin = steady_clock::now();
  // A first run without a fault counts the calls.
  const fs::path directory = options.directory / ("faults-" + options.durability + (options.compact ? "-compact" : ""));
  Recording recording{.directory = directory, .compact = options.compact};
  fs::remove_all(recording.directory);
  const WorkloadShape shape = ShapeOfFaults(options.seed);
  if (const int status = Record(options, shape, recording); status != 0) {
    std::printf("WRONG: the workload without a fault ended with wait status %d\n", status);
    return 1;
  }
  const Trace trace(recording.trace());
  const Calls calls = CallsOf(trace);
  const OperationCounts counts = HistoryOf(trace, trace.events().size(), shape, Durability::kSync).counts();
  const std::vector<Fault> faults = ChooseFaults(options, calls);
  const std::vector<Finding> findings = RunShards(faults.size(), options.jobs, [&]() -> Check {
    Recording mine{.directory = recording.directory / std::to_string(getpid()), .compact = options.compact};
    return [&, mine](uint64_t i) { return CheckFault(options, faults[i], mine); };
  });
  constexpr size_t kShownMax = 12;
  for (size_t i = 0; i < std::min(findings.size(), kShownMax); ++i) {
    const Fault& fault = faults[findings[i].index];
    std::printf("WRONG: call %lu (%s), %s, %s: %s\n", fault.call, fault.kind, std::strerror(fault.code), fault.mode,
                findings[i].text.c_str());
  }
  if (!findings.empty()) {
    std::printf("again: powercut faults --seed %lu --operations %lu --every %lu --durability %s%s\n", options.seed,
                options.operations, options.every, options.durability.c_str(), options.compact ? " --compact" : "");
  }
  fs::remove_all(recording.directory);
  const double seconds = std::chrono::duration<double>(steady_clock::now() - begin).count();
  std::printf(
      "faults, durability %s: %zu runs over %lu writes and syncs (EIO, ENOSPC, ENOMEM; once, sticky, short) and %zu "
      "calls "
      "on names (EIO, ENOSPC, EMFILE, ENOMEM; once, sticky) of %s in %.1f s: %zu wrong\n",
      options.durability.c_str(), faults.size(), calls.data, calls.names.size(), counts.Text().c_str(), seconds,
      findings.size());
  return findings.empty() ? 0 : 1;
}

}  // namespace widerow::powercut
