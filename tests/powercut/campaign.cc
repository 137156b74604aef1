#include "campaign.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <set>

extern char** environ;

namespace widerow::powercut {

namespace fs = std::filesystem;

WorkloadShape ShapeOf(uint64_t seed) { return {.seed = seed, .threads = 3}; }

std::vector<std::string> WorkloadArguments(const CampaignOptions& options, const WorkloadShape& shape,
                                           const fs::path& data, const std::vector<uint64_t>& first) {
  std::vector<std::string> arguments{"/proc/self/exe", "workload",
                                     "--data",         data.string(),
                                     "--seed",         std::to_string(shape.seed),
                                     "--operations",   std::to_string(options.operations),
                                     "--durability",   options.durability,
                                     "--period",       std::to_string(shape.period)};
  if (options.loose_batches) arguments.emplace_back("--loose-batches");
  for (const uint64_t number : first) {
    arguments.emplace_back("--first");
    arguments.push_back(std::to_string(number));
  }
  return arguments;
}

pid_t Spawn(const std::vector<std::string>& arguments, const std::vector<std::string>& environment) {
  std::vector<char*> argv, envp;
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  for (char** name = environ; *name != nullptr; ++name) envp.push_back(*name);
  for (const std::string& entry : environment) envp.push_back(const_cast<char*>(entry.c_str()));
  argv.push_back(nullptr);
  envp.push_back(nullptr);
  pid_t child = 0;
  if (posix_spawn(&child, argv[0], nullptr, nullptr, argv.data(), envp.data()) != 0) {
    std::perror("starting a workload");
    std::exit(2);
  }
  return child;
}

int Record(const CampaignOptions& options, const WorkloadShape& shape, const Recording& recording) {
  fs::create_directories(recording.data());
  std::vector<std::string> arguments = WorkloadArguments(options, shape, recording.data(), recording.first);
  if (recording.verify) arguments.emplace_back("--verify");
  if (recording.compact) arguments.emplace_back("--compact");
  std::vector<std::string> environment = recording.environment;
  environment.push_back("LD_PRELOAD=" + options.shim.string());
  environment.push_back("WIDEROW_POWERCUT_DIRECTORY=" + recording.data().string());
  environment.push_back("WIDEROW_POWERCUT_TRACE=" + recording.trace().string());
  int status = 0;
  waitpid(Spawn(arguments, environment), &status, 0);
  return status;
}

Mark MarkOf(const Event& event) {
  Mark mark;
  std::memcpy(&mark, event.payload.data(), sizeof mark);
  return mark;
}

void TakeEvent(const Event& event, uint64_t index, History& history) {
  if (event.kind == EventKind::kMark) history.Take(MarkOf(event), event.payload.substr(sizeof(Mark)), index);
}

History HistoryOf(const Trace& trace, size_t events, const WorkloadShape& shape, Durability durability) {
  History history(shape, durability);
  for (size_t i = 0; i < events; ++i) TakeEvent(trace.events()[i], i, history);
  return history;
}

std::string CompareDirectories(const fs::path& a, const fs::path& b) {
  std::set<std::string> names;
  for (const fs::path& each : {a, b}) {
    for (const auto& entry : fs::recursive_directory_iterator(each)) {
      if (entry.is_regular_file()) names.insert(fs::relative(entry.path(), each).string());
    }
  }
  names.erase("lock.mdb");
  const auto content = [](const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  for (const std::string& name : names) {
    if (!fs::exists(a / name) || !fs::exists(b / name)) return name + " is in one of them only";
    const std::string left = content(a / name), right = content(b / name);
    if (left == right) continue;
    const auto at = std::mismatch(left.begin(), left.end(), right.begin(), right.end()).first - left.begin();
    return name + " (" + std::to_string(left.size()) + " and " + std::to_string(right.size()) +
           " bytes) differs at byte " + std::to_string(at);
  }
  return {};
}

std::string CheckState(const DiskModel& disk, Pattern pattern, uint64_t seed, const DatabaseSettings& settings,
                       const History& history) {
  fs::remove_all(settings.directory);
  fs::create_directories(settings.directory);
  disk.Build(pattern, Random(seed), settings.directory);
  std::string wrong = CheckDirectory(settings, history);
  fs::remove_all(settings.directory);
  return wrong;
}

int RunOneState(const CampaignOptions& options, const OneState& state, const fs::path& directory) {
  const Trace trace(state.trace);
  DiskModel disk;
  for (size_t i = 0; i < state.events; ++i) disk.Apply(trace.events().at(i));
  WorkloadShape shape = ShapeOf(options.seed);
  shape.period = state.period;
  const History history = HistoryOf(trace, state.events, shape, *DurabilityFromName(options.durability));
  fs::create_directories(directory);
  disk.Build(state.pattern, Random(state.seed), directory);
  const std::string copy = directory.string() + ".checked";
  fs::remove_all(copy);
  fs::copy(directory, copy, fs::copy_options::recursive);
  const std::string wrong = CheckDirectory({copy, options.durability}, history);
  std::printf("%s\nthe state is in %s, and in %s after the check\n", wrong.empty() ? "as it should be" : wrong.c_str(),
              directory.c_str(), copy.c_str());
  return wrong.empty() ? 0 : 1;
}

}  // namespace widerow::powercut
