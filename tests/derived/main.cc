// derived_tables: tests indexes and views under concurrent writes and kills. Threads write to tables while indexes and
// views are dropped and made again. At some moment the process is killed (kill -9). Then each index and view must have
// exactly the rows that follow from its table, each value of a unique index must be in one row, and queries by indexes
// must find what a scan finds. All rounds use one data directory.
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <thread>

#include "tests/derived/questions.h"
#include "tests/derived/workload.h"

namespace widerow::derived_tables {
namespace {

constexpr int kThreads = 4;
constexpr int kQuestions = 20;  // The number of questions about each table after each kill.

std::unique_ptr<Engine> Open(const std::filesystem::path& directory) {
  // Memtables are small, so that folds happen all the time.
  StorageOptions options{.directory = directory, .map_bytes = uint64_t{1} << 36};
  // In every durability mode, a kill of the process loses nothing. In this mode the test writes the most rows.
  options.durability = Durability::kNone;
  options.memtable_bytes = 1 << 20;
  return std::make_unique<Engine>(OrDie(OpenLmdbEngine(std::move(options))));
}

[[noreturn]] void WorkForEver(const std::filesystem::path& directory, uint64_t seed, int pipe_end) {
  const std::unique_ptr<Engine> engine = Open(directory);
  CreateTables(*engine);
  if (write(pipe_end, "r", 1) != 1) _exit(1);
  std::vector<std::jthread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] {
      std::mt19937 random(static_cast<unsigned>(seed * kThreads + static_cast<uint64_t>(i)));
      while (true) WriteSomething(*engine, random);
    });
  }
  std::mt19937 random(static_cast<unsigned>(seed));
  while (true) {
    usleep(static_cast<useconds_t>(20'000 + random() % 100'000));
    ChangeSomething(*engine, random);
  }
}

void KillAfterAWhile(const std::filesystem::path& directory, uint64_t seed, std::mt19937& random) {
  int ends[2];
  if (pipe(ends) != 0) Die("no pipe");
  const pid_t child = fork();
  if (child == 0) WorkForEver(directory, seed, ends[1]);
  close(ends[1]);
  char ready = 0;
  const bool works = read(ends[0], &ready, 1) == 1;
  if (works) usleep(static_cast<useconds_t>(random() % 500'000));
  kill(child, SIGKILL);
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (!works || !WIFSIGNALED(status)) Die("the child ended by itself");
}

int Run(int rounds, uint64_t seed) {
  std::string directory = (std::filesystem::temp_directory_path() / "widerow-derived-XXXXXX").string();
  if (mkdtemp(directory.data()) == nullptr) Die("no directory " + directory);
  std::mt19937 random(static_cast<unsigned>(seed));
  Compared sum;
  for (int round = 0; round < rounds; ++round) {
    KillAfterAWhile(directory, seed * 1'000 + static_cast<uint64_t>(round), random);
    // Only one process at a time may have the database open: first the child, which was killed, and now this one.
    const std::unique_ptr<Engine> engine = Open(directory);
    for (const bool folded : {false, true}) {
      if (folded) OrDie(engine->Flush());
      sum += CheckDerived(*engine);
    }
    // Makes the indexes and views that did not exist at the moment of the kill.
    CreateTables(*engine);
    sum += CheckDerived(*engine);
    AskQuestions(*engine, random, kQuestions, sum);
  }
  std::error_code ignored;
  std::filesystem::remove_all(directory, ignored);
  const auto number = [](uint64_t of) { return static_cast<unsigned long long>(of); };
  std::printf("%d kills; %llu rows and %llu entries compared: each index is what follows from its table\n", rounds,
              number(sum.rows), number(sum.entries));
  std::printf("%llu values of unique indexes, each in one row\n", number(sum.unique_values));
  std::printf("%llu questions answered as by a scan, %llu more refused\n", number(sum.questions), number(sum.refused));
  return 0;
}

}  // namespace
}  // namespace widerow::derived_tables

int main(int argc, char** argv) {
  CLI::App app("Indexes under concurrent writes and kill -9");
  int rounds = 100;
  uint64_t seed = 1;
  app.add_option("--rounds", rounds);
  app.add_option("--seed", seed);
  CLI11_PARSE(app, argc, argv);
  return widerow::derived_tables::Run(rounds, seed);
}
