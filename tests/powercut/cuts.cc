// The campaign of power cuts.
#include <sys/wait.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <memory>

#include "campaign.h"
#include "shards.h"

namespace widerow::powercut {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kStatesPerTrace = 250;
struct Cut {
  size_t events = 0;
  Pattern pattern{};
  uint64_t seed = 0;
};

struct Run {
  WorkloadShape shape;
  Recording recording;
  std::vector<Cut> cuts;
  uint64_t answered = 0, events = 0;
};

// Returns true if the process number `life` (from 1) only compacts. With --compact, five processes run one after the
// other, and the second and the fourth compact.
bool Compacts(const CampaignOptions& options, uint64_t life) { return options.compact && life % 2 == 0; }
constexpr uint64_t kLivesWithCompaction = 5;
constexpr uint64_t kCallsOfCompaction = 50;  // An approximate number. It includes opening and closing.

// Runs one to three processes one after the other in one directory, or five with --compact. All but the last are killed
// at some call. But a process that compacts may end before it is killed.
std::string RecordLives(const CampaignOptions& options, uint64_t number, Run& run) {
  Random random(Mix(options.seed, number));
  run.recording.environment = {"WIDEROW_POWERCUT_SYNC_MICROS=300"};
  if (options.lying_disk) run.recording.environment.emplace_back("WIDEROW_POWERCUT_LIE=1");
  const uint64_t lives = options.compact ? kLivesWithCompaction : 1 + number % 3;
  for (uint64_t life = 1; life <= lives; ++life) {
    if (life > 1) {
      const Trace so_far(run.recording.trace());
      const History history = HistoryOf(so_far, so_far.events().size(), run.shape, Durability::kSync);
      run.recording.first = history.NextNumbers();
    }
    Recording recording = run.recording;
    CampaignOptions of_life = options;
    recording.compact = Compacts(options, life);
    if (recording.compact) {
      of_life.operations = 0;
      if (random.Percent(50)) {
        recording.environment.push_back("WIDEROW_POWERCUT_DIE_AT=" +
                                        std::to_string(1 + random.Below(kCallsOfCompaction)));
      }
      // Half of these processes die early, while they make or recover the database.
    } else if (life < lives) {
      const uint64_t call = 1 + random.Below(random.Percent(50) ? 40 : options.operations * 4);
      recording.environment.push_back("WIDEROW_POWERCUT_DIE_AT=" + std::to_string(call));
    }
    const int status = Record(of_life, run.shape, recording);
    const bool killed = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL && life < lives;
    if (!killed && !(WIFEXITED(status) && WEXITSTATUS(status) == 0)) {
      return "process " + std::to_string(life) + " of the workload ended with wait status " + std::to_string(status);
    }
  }
  return {};
}

// Checks that the shim has recorded every change: applying the whole trace must give the files of the directory.
std::string CompareWithTruth(const Trace& trace, const Run& run) {
  DiskModel disk;
  for (const Event& event : trace.events()) disk.Apply(event);
  const fs::path whole = run.recording.directory / "whole";
  fs::remove_all(whole);
  fs::create_directories(whole);
  disk.Build(Pattern::kEverything, Random(1), whole);
  const std::string wrong = CompareDirectories(run.recording.data(), whole);
  fs::remove_all(whole);
  return wrong.empty() ? "" : "the shim missed something: " + wrong;
}

// Chooses the moments of the power cuts. Half of them are directly after an answer, because the answered operation must
// then exist. A quarter are while a process opens the database. The others are at any time or, with --compact, while a
// process compacts the database.
std::vector<Cut> ChooseCuts(const CampaignOptions& options, const Trace& trace, uint64_t count, uint64_t seed) {
  constexpr uint64_t kEventsOfOpening = 60, kEventsAfterCompaction = 8;
  const size_t events = trace.events().size();
  std::vector<size_t> answers, openings;
  for (size_t i = 0; i < events; ++i) {
    if (trace.events()[i].kind != EventKind::kMark) continue;
    const Mark::Kind kind = MarkOf(trace.events()[i]).kind;
    if (kind == Mark::kAnswered) answers.push_back(i + 1);
    if (kind == Mark::kLife) openings.push_back(i + 1);
  }
  Random random(seed);
  const auto place = [&](uint64_t i) -> size_t {
    if (i % 2 == 0 && !answers.empty()) return answers[random.Below(answers.size())];
    if (i % 4 == 1)
      return std::min(events,
                      openings[random.Below(openings.size())] + random.Below(1 + random.Below(kEventsOfOpening)));
    if (!options.compact) return random.Below(events + 1);
    // The number of a process that compacts, counted from 0: the second or the fourth process.
    const size_t life = 1 + 2 * random.Below(openings.size() / 2);
    // Most cuts are near the end of compacting, where the new file replaces the old one. Later calls sync this file
    // once more.
    const size_t end = openings[life + 1] + kEventsAfterCompaction;
    return std::min(events, end - random.Below(1 + random.Below(end - openings[life])));
  };
  std::vector<Cut> cuts(count);
  for (uint64_t i = 0; i < count; ++i) {
    cuts[i] = {.events = place(i),
               .pattern = i % 4 == 0 ? Pattern::kNothing : static_cast<Pattern>(random.Below(kPatterns)),
               .seed = random.Next()};
  }
  std::sort(cuts.begin(), cuts.end(), [](const Cut& a, const Cut& b) { return a.events < b.events; });
  return cuts;
}

std::vector<Finding> CheckCuts(const CampaignOptions& options, const Trace& trace, const Run& run) {
  return RunShards(run.cuts.size(), options.jobs, [&]() -> Check {
    struct State {
      DiskModel disk;
      History history;
      size_t events = 0;
      DatabaseSettings settings;
    };
    auto state = std::make_shared<State>(State{.history = History(run.shape, *DurabilityFromName(options.durability))});
    state->settings = {run.recording.directory / ("state-" + std::to_string(getpid())), options.durability};
    return [&, state](uint64_t i) {
      for (; state->events < run.cuts[i].events; ++state->events) {
        state->disk.Apply(trace.events()[state->events]);
        TakeEvent(trace.events()[state->events], state->events, state->history);
      }
      return CheckState(state->disk, run.cuts[i].pattern, run.cuts[i].seed, state->settings, state->history);
    };
  });
}

void Print(const CampaignOptions& options, const Run& run, const std::vector<Finding>& findings) {
  constexpr size_t kShownMax = 8;
  for (size_t i = 0; i < std::min(findings.size(), kShownMax); ++i) {
    const Cut& cut = run.cuts[findings[i].index];
    std::printf(
        "WRONG: %s\n  again: powercut state --trace %s --seed %lu --events %zu --pattern %s --state-seed %lu "
        "--durability %s\n",
        findings[i].text.c_str(), run.recording.trace().c_str(), run.shape.seed, cut.events, PatternName(cut.pattern),
        cut.seed, options.durability.c_str());
  }
  if (findings.size() > kShownMax) std::printf("… and %zu more states of this trace\n", findings.size() - kShownMax);
}

}  // namespace

int RunCuts(const CampaignOptions& options) {
  using std::chrono::steady_clock;
  const auto begin = steady_clock::now();
  const uint64_t traces = std::max<uint64_t>(1, (options.states + kStatesPerTrace - 1) / kStatesPerTrace);
  uint64_t states = 0, wrong = 0, answered = 0, imports = 0, events = 0;
  OperationCounts counts;
  for (uint64_t number = 0; number < traces; ++number) {
    Run run{.shape = ShapeOf(options.seed + number)};
    run.recording.directory =
        options.directory /
        ("cuts-" + options.durability + (options.compact ? "-compact-" : "-") + std::to_string(run.shape.seed));
    fs::remove_all(run.recording.directory);
    // The first trace has two processes, so that a short campaign also tests a recovery.
    std::string broken = RecordLives(options, number + 1, run);
    const Trace trace(run.recording.trace());
    if (broken.empty()) broken = CompareWithTruth(trace, run);
    if (!broken.empty()) {
      std::printf("WRONG: %s (trace %s, seed %lu)\n", broken.c_str(), run.recording.trace().c_str(), run.shape.seed);
      ++wrong;
      continue;
    }
    run.cuts = ChooseCuts(options, trace, std::min(kStatesPerTrace, options.states - states), Mix(run.shape.seed, 3));
    const std::vector<Finding> findings = CheckCuts(options, trace, run);
    Print(options, run, findings);
    states += run.cuts.size();
    wrong += findings.size();
    events += trace.events().size();
    const History history = HistoryOf(trace, trace.events().size(), run.shape, Durability::kSync);
    answered += history.answered();
    counts.Add(history.counts());
    imports += history.imports().answered();
    if (findings.empty()) fs::remove_all(run.recording.directory);
  }
  const double seconds = std::chrono::duration<double>(steady_clock::now() - begin).count();
  std::printf(
      "power cuts, durability %s: %lu states of %lu traces (%lu events, %lu operations (%s) and %lu imports answered) "
      "in %.1f s: %lu wrong\n",
      options.durability.c_str(), states, traces, events, answered, counts.Text().c_str(), imports, seconds, wrong);
  return wrong == 0 ? 0 : 1;
}

}  // namespace widerow::powercut
