// damage: makes a database, damages copies of it in every way of harm.h, and reads each copy. Each answer must be
// right, or be an error that names the place of the damage. If the damage ends the process that reads the copy, the
// process must have named the place before. With --program, `widerow check` must find each damage that causes an error,
// and nothing in an undamaged directory. A salvaged directory must have no row that the undamaged one lacks. It may
// lack only as many rows as the lost pages and records can have held. It contains a list of rows that may lack values,
// and each row that lacks values must be in this list. The program prints how each kind of damage ended. The seed
// determines the cases, and `--only N` runs one case again. The places of the sample's pages differ a little from run
// to run, so a repeated case may end differently.
#include <stdlib.h>
#include <sys/wait.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <map>

#include "tests/damage/harm.h"
#include "tests/damage/salvage.h"
#include "tests/damage/trial.h"

namespace widerow::damage {
namespace {

namespace fs = std::filesystem;

struct Options {
  uint64_t cases = 300, seed = 1;
  int64_t only = -1, seconds = 0;
  fs::path directory;
  std::string program;  // Empty: `widerow check` is not tested.
};

struct Totals {
  uint64_t cases = 0, unharmed = 0, failing = 0, statements = 0, refused = 0, exited = 0, findings = 0, checked = 0;
  void Add(const Verdict& verdict, bool check_found) {
    ++cases;
    checked += check_found ? 1 : 0;
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
  std::printf("%-32s %6llu %9llu %8llu %10llu %8llu %6llu %6llu %9llu\n", name, number(totals.cases),
              number(totals.unharmed), number(totals.failing), number(totals.statements), number(totals.refused),
              number(totals.exited), number(totals.checked), number(totals.findings));
}

// Runs `widerow check` on a directory. Returns true if it finds a fault. If it fails in another way, ends this process.
bool CheckFinds(const std::string& program, const fs::path& directory) {
  const std::string command = program + " check --data '" + directory.string() + "' >/dev/null 2>&1";
  const int status = std::system(command.c_str());
  constexpr int kExitDamaged = 74;
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  if (code != 0 && code != 1 && code != kExitDamaged) Die("widerow check ended with status " + std::to_string(code));
  return code != 0;
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
    if (!options.program.empty() && CheckFinds(options.program, sample.directory)) {
      Die("widerow check finds a fault in an undamaged directory");
    }
  }
  std::map<Harm, Totals> totals;
  Totals all;
  SalvageTotals salvages;
  const auto begin = std::chrono::steady_clock::now();
  for (uint64_t number = 0; number < options.cases; ++number) {
    const auto spent = std::chrono::steady_clock::now() - begin;
    if (options.seconds > 0 && spent > std::chrono::seconds(options.seconds)) break;
    if (options.only >= 0 && number != static_cast<uint64_t>(options.only)) continue;
    Random random(options.seed * 1'000'003 + number);
    // At least three of four cases damage pages of data.mdb.
    const uint64_t choice = random() % 100;
    const Harm harm = static_cast<Harm>(random() % (choice < 75 ? kHarmsToPages : kHarms));
    // Nothing in a log shows that it is of an earlier time. After an unclean end, the writes since then are lost and
    // nothing reports it (docs/operate/service.md). So this harm is done to the closed database only.
    const Sample& sample = harm == Harm::kOldLog ? samples[0] : samples[random() % samples.size()];
    const fs::path damaged = root / "damaged";
    CopyDirectory(sample.directory, damaged);
    const std::string where = Inflict(harm, damaged, sample.directory, random);
    const bool in_log = harm >= Harm::kFlippedInLog && harm <= Harm::kTruncatedLog;
    // The trial opens the directory, which changes it. So the check comes first.
    const bool found = !options.program.empty() && CheckFinds(options.program, damaged);
    const bool may_lack_last = in_log && sample.ending == Ending::kKilled;
    std::string salvaged;
    if (found && static_cast<int>(harm) < kHarmsToPages) {
      salvaged = Salvage(options.program, damaged, root / "salvaged", sample.right, may_lack_last, salvages);
    }
    Verdict verdict = Try(damaged, sample.right, may_lack_last);
    const bool harmed = verdict.failed > 0 || verdict.refused || verdict.exited;
    if (!options.program.empty() && harmed && !found) verdict.finding = "widerow check has not found the damage";
    if (verdict.finding.empty()) verdict.finding = salvaged;
    totals[harm].Add(verdict, found);
    all.Add(verdict, found);
    if (verdict.finding.empty()) continue;
    std::printf("case %llu (--seed %llu --only %llu), %s, %s, %s: %s\n", static_cast<unsigned long long>(number),
                static_cast<unsigned long long>(options.seed), static_cast<unsigned long long>(number), NameOf(harm),
                sample.ending == Ending::kClosed ? "closed" : "killed", where.c_str(), verdict.finding.c_str());
  }
  std::printf("%-32s %6s %9s %8s %10s %8s %6s %6s %9s\n", "damage", "cases", "unharmed", "failing", "statements",
              "refused", "exits", "check", "findings");
  for (const auto& [harm, sum] : totals) Print(NameOf(harm), sum);
  Print("all", all);
  if (salvages.salvaged > 0) {
    std::printf("salvages: %llu; reported places: %llu; rows that lack values, all reported: %llu\n",
                static_cast<unsigned long long>(salvages.salvaged), static_cast<unsigned long long>(salvages.listed),
                static_cast<unsigned long long>(salvages.partial));
  }
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
  app.add_option("--program", options.program, "The program widerow; its command check is tested too");
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
