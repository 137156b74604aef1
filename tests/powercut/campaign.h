// The three campaigns. Each prints what it tried and every finding with a command that repeats it, and returns the process's
// exit status.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

#include "disk_model.h"
#include "workload.h"

namespace widerow::powercut {

struct CampaignOptions {
  uint64_t seed = 1;
  unsigned jobs = 2;
  std::string durability = "sync";
  std::filesystem::path directory;  // For data directories; in memory if it can be. Emptied at the end, unless something is wrong.
  std::filesystem::path shim;       // The library to preload.
  uint64_t operations = 150;        // Of each thread of a workload.
  uint64_t states = 2'000;          // Power cuts.
  bool lying_disk = false;          // Power cuts: no sync makes anything certain. Losses must be found then.
  bool loose_batches = false;       // Power cuts: see WorkloadShape. Halves must be found.
  bool compact = false;             // Processes that compact the directory run between the others; faults: each process does.
  uint64_t every = 1;               // Faults: each n-th call.
  uint64_t cycles = 300;            // Kills.
};

// Power cuts at many moments of several workloads, some of which are killed and started again meanwhile.
int RunCuts(const CampaignOptions& options);
// Each call that can fail fails, in several ways.
int RunFaults(const CampaignOptions& options);
// kill -9 at any time, without a shim.
int RunKills(const CampaignOptions& options);

// One state of a trace again, kept in `directory`.
struct OneState {
  std::filesystem::path trace;
  size_t events = 0;  // How many events happened before the cut.
  Pattern pattern{};
  uint64_t seed = 0;
};
int RunOneState(const CampaignOptions& options, const OneState& state, const std::filesystem::path& directory);

// Shared by the campaigns.

// A workload that runs in `directory` / "data", recorded in `directory` / "trace".
struct Recording {
  std::filesystem::path directory;
  std::vector<std::string> environment;  // "NAME=value", besides what the shim needs.
  std::vector<uint64_t> first;
  bool verify = false;
  bool compact = false;
  std::filesystem::path data() const { return directory / "data"; }
  std::filesystem::path trace() const { return directory / "trace"; }
};
// The child's wait status.
int Record(const CampaignOptions& options, const WorkloadShape& shape, const Recording& recording);
pid_t Spawn(const std::vector<std::string>& arguments, const std::vector<std::string>& environment);
std::vector<std::string> WorkloadArguments(const CampaignOptions& options, const WorkloadShape& shape,
                                           const std::filesystem::path& data, const std::vector<uint64_t>& first);
WorkloadShape ShapeOf(uint64_t seed);
// What the marks among the first `events` events say.
History HistoryOf(const Trace& trace, size_t events, const WorkloadShape& shape, Durability durability);
Mark MarkOf(const Event& event);  // Of a kMark.
void TakeEvent(const Event& event, uint64_t index, History& history);
// Empty, or how the two directories' files differ.
std::string CompareDirectories(const std::filesystem::path& a, const std::filesystem::path& b);
// Builds a state in a fresh directory and checks it; the directory is gone afterwards.
std::string CheckState(const DiskModel& disk, Pattern pattern, uint64_t seed, const DatabaseSettings& settings,
                       const History& history);

}  // namespace widerow::powercut
