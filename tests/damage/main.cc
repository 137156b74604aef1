// damage: makes a database, damages copies of it in every way of harm.h, and reads each copy. Each answer must be
// right, or be an error that names the place. If the process ends, it must have named the place before. The program
// prints how each kind of damage ended. The cases follow from the seed, and `--only N` runs one case again.
#include <stdlib.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <map>

#include "tests/damage/harm.h"
#include "tests/damage/trial.h"

namespace widerow::damage {
namespace {

namespace fs = std::filesystem;

struct Options {
  uint64_t cases = 300, seed = 1;
  int64_t only = -1, seconds = 0;
  fs::path directory;
};

struct Totals {
  uint64_t cases = 0, unharmed = 0, failing = 0, statements = 0, refused = 0, exited = 0, findings = 0;
  void Add(const Verdict& verdict) {
    ++cases;
    const bool bad = !verdict.finding.empty();
    statements += static_cast<uint64_t>(verdict.failed);
    if (bad)
      ++findings;
    else if (verdict.exited)
      ++exited;
    else if (verdict.refused)
      ++refused;
    else if (verdict.failed > 0)
      ++failing;
    else
      ++unharmed;
  }
};

struct Sample {
  Ending ending;
  fs::path directory;
  std::vector<Answer> right;
};

void Print(const char* name, const Totals& totals) {
  const auto number = [](uint64_t n) { return static_cast<unsigned long long>(n); };
  std::printf("%-32s %6llu %9llu %8llu %10llu %8llu %6llu %9llu\n", name, number(totals.cases), number(totals.unharmed),
              number(totals.failing), number(totals.statements), number(totals.refused), number(totals.exited),
              number(totals.findings));
}

int Run(const Options& options) {
  std::string made;
  fs::path root = options.directory;
  if (root.empty()) {
    // Use memory if there is room, because these tests need no real disk.
    const fs::path base = fs::exists("/dev/shm") ? fs::path("/dev/shm") : fs::temp_directory_path();
    made = (base / "widerow-damage-XXXXXX").string();
    if (mkdtemp(made.data()) == nullptr) Die("no directory " + made);
    root = made;
  }
  std::vector<Sample> samples{{Ending::kClosed, root / "closed", {}}, {Ending::kKilled, root / "killed", {}}};
  for (Sample& sample : samples) {
    MakeSample(sample.directory, sample.ending);
    sample.right = RightAnswers(sample.directory, root / "scratch");
  }
  std::map<Harm, Totals> totals;
  Totals all;
  const auto begin = std::chrono::steady_clock::now();
  for (uint64_t number = 0; number < options.cases; ++number) {
    const auto spent = std::chrono::steady_clock::now() - begin;
    if (options.seconds > 0 && spent > std::chrono::seconds(options.seconds)) break;
    if (options.only >= 0 && number != static_cast<uint64_t>(options.only)) continue;
    Random random(options.seed * 1'000'003 + number);
    // At least three cases of four damage pages of data.mdb.
    const uint64_t choice = random() % 100;
    const Harm harm = static_cast<Harm>(random() % (choice < 75 ? kHarmsToPages : kHarms));
    const Sample& sample = samples[random() % samples.size()];
    const fs::path damaged = root / "damaged";
    CopyDirectory(sample.directory, damaged);
    const std::string where = Inflict(harm, damaged, OlderFile(sample.directory), random);
    const bool in_log = harm >= Harm::kFlippedInLog && harm <= Harm::kTruncatedLog;
    const Verdict verdict = Try(damaged, sample.right, in_log && sample.ending == Ending::kKilled);
    totals[harm].Add(verdict);
    all.Add(verdict);
    if (verdict.finding.empty()) continue;
    std::printf("case %llu (--seed %llu --only %llu), %s, %s, %s: %s\n", static_cast<unsigned long long>(number),
                static_cast<unsigned long long>(options.seed), static_cast<unsigned long long>(number), NameOf(harm),
                sample.ending == Ending::kClosed ? "closed" : "killed", where.c_str(), verdict.finding.c_str());
  }
  std::printf("%-32s %6s %9s %8s %10s %8s %6s %9s\n", "damage", "cases", "unharmed", "failing", "statements", "refused",
              "exits", "findings");
  for (const auto& [harm, sum] : totals) Print(NameOf(harm), sum);
  Print("all", all);
  if (!made.empty()) fs::remove_all(made);
  return all.findings == 0 ? 0 : 1;
}

int Main(int argc, char** argv) {
  Options options;
  CLI::App app("Damages a database in many ways; every answer must be right or an error that names the place");
  app.add_option("--cases", options.cases);
  app.add_option("--seed", options.seed);
  app.add_option("--only", options.only, "The number of one case");
  app.add_option("--seconds", options.seconds, "No case begins after this time");
  app.add_option("--directory", options.directory, "Where the databases are made; they stay there");
  CLI11_PARSE(app, argc, argv);
  return Run(options);
}

}  // namespace
}  // namespace widerow::damage

int main(int argc, char** argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  return widerow::damage::Main(argc, argv);
}
