// The three campaigns: power cuts, disk faults and kills. Each function prints what it has tried, its findings, and a
// command that finds them again. It returns the exit status of the process.
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
  // The directory for data directories, in memory if possible. If there is no finding, it is emptied at the end.
  std::filesystem::path directory;
  std::filesystem::path shim;  // The library that is preloaded (shim.cc).
  uint64_t operations = 150;   // The number of operations of each thread of a workload.
  uint64_t states = 2'000;     // The number of power cuts.
  bool lying_disk = false;     // If true, syncs do nothing, so RunCuts must find lost writes.
  // If true, batches are sent in parts (WorkloadShape), so RunCuts must find half batches.
  bool loose_batches = false;
  bool compact = false;   // If true, some processes compact the directory, and in RunFaults all processes do.
  uint64_t every = 1;     // RunFaults makes about one call in `every` fail.
  uint64_t cycles = 300;  // The number of kills.
};

// Simulates power cuts at many moments of several workloads. Some workloads consist of several processes that are
// killed.
int RunCuts(const CampaignOptions& options);
// Simulates faults of the disk. Each run of a workload makes one of its calls (write, fdatasync, …) fail in one way.
// All calls that can fail are tried, each in every way (FaultMode).
int RunFaults(const CampaignOptions& options);
// Kills processes (kill -9) at random times, without the shim.
int RunKills(const CampaignOptions& options);

// Selects one state of a trace. `powercut state` builds it again and keeps it in `directory`.
struct OneState {
  std::filesystem::path trace;
  size_t events = 0;  // The number of events before the cut.
  Pattern pattern{};
  uint64_t seed = 0;
  uint64_t period = 60;  // WorkloadShape::period: 20 in the campaign of faults.
};
int RunOneState(const CampaignOptions& options, const OneState& state, const std::filesystem::path& directory);

// A workload that runs in `directory`/data and is recorded in `directory`/trace.
struct Recording {
  std::filesystem::path directory;
  std::vector<std::string> environment;  // "NAME=value", besides the variables that the shim needs.
  std::vector<uint64_t> first;
  bool verify = false;
  bool compact = false;
  std::filesystem::path data() const { return directory / "data"; }
  std::filesystem::path trace() const { return directory / "trace"; }
};
// Runs the workload with the shim. Returns the wait status of the child.
int Record(const CampaignOptions& options, const WorkloadShape& shape, const Recording& recording);
pid_t Spawn(const std::vector<std::string>& arguments, const std::vector<std::string>& environment);
std::vector<std::string> WorkloadArguments(const CampaignOptions& options, const WorkloadShape& shape,
                                           const std::filesystem::path& data, const std::vector<uint64_t>& first);
WorkloadShape ShapeOf(uint64_t seed);
// Returns the history that results from the workload's marks among the first `events` events of the trace.
History HistoryOf(const Trace& trace, size_t events, const WorkloadShape& shape, Durability durability);
Mark MarkOf(const Event& event);  // `event` must be of the kind kMark.
void TakeEvent(const Event& event, uint64_t index, History& history);
// Compares the files of two directories. Returns the differences, or nothing.
std::string CompareDirectories(const std::filesystem::path& a, const std::filesystem::path& b);
// Builds a state in a fresh directory, checks it, and removes the directory. Returns the fault, or nothing.
std::string CheckState(const DiskModel& disk, Pattern pattern, uint64_t seed, const DatabaseSettings& settings,
                       const History& history);

}  // namespace widerow::powercut
