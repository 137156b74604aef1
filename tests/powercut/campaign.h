// The three campaigns. Each prints what it tried, and every finding with a command that repeats it, and returns the
// process's exit status.
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
  // The place of data directories, in memory if possible. It is emptied at the end if there is no finding.
  std::filesystem::path directory;
  std::filesystem::path shim;  // The library to preload.
  uint64_t operations = 150;   // Operations of each thread of a workload.
  uint64_t states = 2'000;     // The number of power cuts.
  bool lying_disk = false;     // Power cuts: syncs do nothing, and the campaign must find losses.
  bool loose_batches = false;  // Power cuts: see WorkloadShape; the campaign must find halves of batches.
  bool compact = false;        // Other processes compact the directory; faults: each process does.
  uint64_t every = 1;          // Faults: one call in `every` fails.
  uint64_t cycles = 300;       // The number of kills.
};

// Simulates power cuts at many moments of several workloads, some of which are killed and restarted.
int RunCuts(const CampaignOptions& options);
// Runs a workload once for each of its calls that can fail. The call fails, in each of several ways.
int RunFaults(const CampaignOptions& options);
// Kills processes with kill -9 at any time, without the shim.
int RunKills(const CampaignOptions& options);

// Builds one state of a trace again and keeps it in `directory`.
struct OneState {
  std::filesystem::path trace;
  size_t events = 0;  // The number of events before the cut.
  Pattern pattern{};
  uint64_t seed = 0;
  uint64_t period = 60;  // WorkloadShape::period: 20 in the campaign of faults.
};
int RunOneState(const CampaignOptions& options, const OneState& state, const std::filesystem::path& directory);

// Shared by the campaigns.

// A workload that runs in `directory` / "data", recorded in `directory` / "trace".
struct Recording {
  std::filesystem::path directory;
  std::vector<std::string> environment;  // "NAME=value", in addition to the shim's own.
  std::vector<uint64_t> first;
  bool verify = false;
  bool compact = false;
  std::filesystem::path data() const { return directory / "data"; }
  std::filesystem::path trace() const { return directory / "trace"; }
};
// Runs the workload with the shim and returns the child's wait status.
int Record(const CampaignOptions& options, const WorkloadShape& shape, const Recording& recording);
pid_t Spawn(const std::vector<std::string>& arguments, const std::vector<std::string>& environment);
std::vector<std::string> WorkloadArguments(const CampaignOptions& options, const WorkloadShape& shape,
                                           const std::filesystem::path& data, const std::vector<uint64_t>& first);
WorkloadShape ShapeOf(uint64_t seed);
// Collects the marks among the first `events` events.
History HistoryOf(const Trace& trace, size_t events, const WorkloadShape& shape, Durability durability);
Mark MarkOf(const Event& event);  // `event` must be a kMark.
void TakeEvent(const Event& event, uint64_t index, History& history);
// Returns the differences of the two directories' files; empty if there are none.
std::string CompareDirectories(const std::filesystem::path& a, const std::filesystem::path& b);
// Builds a state in a fresh directory, checks it and removes the directory.
std::string CheckState(const DiskModel& disk, Pattern pattern, uint64_t seed, const DatabaseSettings& settings,
                       const History& history);

}  // namespace widerow::powercut
