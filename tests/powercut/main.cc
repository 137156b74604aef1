// powercut cuts|faults|kills|state: runs the campaigns of docs/internals/crash-tests.md. They start the program
// `workload`.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>

#include "campaign.h"

using namespace widerow::powercut;
namespace fs = std::filesystem;

namespace {

struct Options {
  CampaignOptions campaign;
  WorkloadOptions workload;
  OneState state;
  std::string pattern;
  fs::path state_directory = "powercut-state";
};

fs::path MemoryDirectory() {
  // The space that traces and directories need. /dev/shm of a container often has only 64 MiB.
  constexpr uint64_t kEnough = uint64_t{1} << 30;
  const fs::path memory = "/dev/shm";
  std::error_code error;
  const fs::space_info space = fs::space(memory, error);
  const bool usable = !error && space.available >= kEnough && access(memory.c_str(), W_OK) == 0;
  const fs::path base = usable ? memory : fs::temp_directory_path();
  return base / ("widerow-powercut-" + std::to_string(getpid()));
}

void AddCommon(CLI::App& command, CampaignOptions& options) {
  command.add_option("--seed", options.seed);
  command.add_option("--jobs", options.jobs, "Processes that check");
  command.add_option("--durability", options.durability)->check(CLI::IsMember({"sync", "periodic", "none"}));
  command.add_option("--operations", options.operations, "Of each thread of a workload");
  command.add_option("--directory", options.directory, "For data directories; in memory if absent");
  command.add_option("--shim", options.shim, "The library to preload; beside this program if absent");
}

Pattern PatternFrom(const std::string& name) {
  for (uint32_t i = 0; i < kPatterns; ++i) {
    if (name == PatternName(static_cast<Pattern>(i))) return static_cast<Pattern>(i);
  }
  std::fprintf(stderr, "no pattern '%s'\n", name.c_str());
  std::exit(2);
}

int Run(int argc, char** argv) {
  Options options;
  CLI::App app("Power cuts, disk faults and kills against the storage engine");
  app.require_subcommand(1);
  CLI::App* cuts = app.add_subcommand("cuts", "Power cuts at many moments");
  AddCommon(*cuts, options.campaign);
  cuts->add_option("--states", options.campaign.states);
  constexpr const char* kCompactHelp = "Processes that compact the data file, between the others or at their end";
  cuts->add_flag("--compact", options.campaign.compact, kCompactHelp);
  cuts->add_flag("--lying-disk", options.campaign.lying_disk, "No sync makes anything certain: losses must be found");
  cuts->add_flag("--loose-batches", options.campaign.loose_batches, "Batches sent in parts: halves must be found");
  CLI::App* faults = app.add_subcommand("faults", "Errors of the disk, of descriptors and of memory at every call");
  AddCommon(*faults, options.campaign);
  faults->add_option("--every", options.campaign.every, "About each n-th call")->check(CLI::PositiveNumber);
  faults->add_flag("--compact", options.campaign.compact, kCompactHelp);
  CLI::App* kills = app.add_subcommand("kills", "kill -9 at any time");
  AddCommon(*kills, options.campaign);
  kills->add_option("--cycles", options.campaign.cycles);
  kills->add_flag("--compact", options.campaign.compact, kCompactHelp);
  CLI::App* state = app.add_subcommand("state", "One state of a power cut again");
  AddCommon(*state, options.campaign);
  state->add_option("--trace", options.state.trace)->required();
  state->add_option("--events", options.state.events)->required();
  state->add_option("--pattern", options.pattern)->required();
  state->add_option("--state-seed", options.state.seed)->required();
  state->add_option("--period", options.state.period);
  state->add_option("--to", options.state_directory, "Where to build it");
  CLI::App* workload = app.add_subcommand("workload", "One process of the campaigns");
  workload->add_option("--data", options.workload.database.directory)->required();
  workload->add_option("--seed", options.workload.shape.seed);
  workload->add_option("--operations", options.workload.operations);
  workload->add_option("--durability", options.workload.database.durability);
  workload->add_option("--first", options.workload.first);
  workload->add_option("--progress-fd", options.workload.progress_fd);
  workload->add_option("--period", options.workload.shape.period);
  workload->add_flag("--loose-batches", options.workload.shape.loose_batches);
  workload->add_flag("--compact", options.workload.compact);
  workload->add_flag("--verify", options.workload.verify);
  CLI11_PARSE(app, argc, argv);

  if (*workload) return RunWorkload(options.workload);
  CampaignOptions& campaign = options.campaign;
  if (campaign.shim.empty()) campaign.shim = fs::read_symlink("/proc/self/exe").parent_path() / "libpowercut_shim.so";
  if (*state) {
    options.state.pattern = PatternFrom(options.pattern);
    return RunOneState(campaign, options.state, options.state_directory);
  }
  const bool own_directory = campaign.directory.empty();
  if (own_directory) campaign.directory = MemoryDirectory();
  fs::create_directories(campaign.directory);
  campaign.directory = fs::canonical(campaign.directory);
  const int status = *cuts ? RunCuts(campaign) : *faults ? RunFaults(campaign) : RunKills(campaign);
  if (own_directory && (status == 0 || campaign.lying_disk || campaign.loose_batches))
    fs::remove_all(campaign.directory);
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  return Run(argc, argv);
}
