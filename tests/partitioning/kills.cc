// Kills a process (kill -9) in the middle of a split, many times. Each row whose write was answered must then exist,
// once and in order. Each answered split must exist too.
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <random>
#include <set>
#include <thread>

#include "tests/partitioning/table.h"

namespace widerow::range_splits {

namespace {

constexpr int64_t kBatchRows = 20;
constexpr size_t kPartitionsMax = 60;

struct Report {
  enum Kind : int64_t { kRows, kSplitBegins, kSplitAnswered, kMergeBegins, kMergeAnswered } kind = kRows;
  int64_t value = 0;  // The number of rows that were written, or the bound of the split.
};

void Send(int pipe_end, Report report) {
  if (write(pipe_end, &report, sizeof report) != sizeof report) _exit(1);
}

// Runs in the child process. One thread writes rows in key order. Another thread splits the last partition and merges
// the first ones.
[[noreturn]] void WorkForEver(const std::filesystem::path& directory, int pipe_end, int64_t rows, int64_t bound) {
  Table table(directory, {.enabled = false});
  table.Create(64, false);
  std::jthread writer([&] {
    while (true) {
      std::vector<int64_t> keys(kBatchRows);
      for (int64_t& key : keys) key = rows++;
      table.Insert(keys);
      Send(pipe_end, {Report::kRows, rows});
    }
  });
  while (true) {
    const std::vector<std::string> names = table.Partitions();
    if (names.size() > kPartitionsMax) {
      Send(pipe_end, {Report::kMergeBegins, 0});
      table.Run("ALTER TABLE ks.t MERGE PARTITION \"" + names[0] + "\", \"" + names[1] + "\" INTO (PARTITION \"" +
                names[0] + "\")");
      Send(pipe_end, {Report::kMergeAnswered, 0});
    }
    bound += 1 + bound % 7;
    Send(pipe_end, {Report::kSplitBegins, bound});
    table.Run("ALTER TABLE ks.t SPLIT PARTITION \"" + names.back() + "\" AT (" + std::to_string(bound) + ")");
    Send(pipe_end, {Report::kSplitAnswered, bound});
  }
}

struct Progress {
  int64_t rows = 0, bound = 0;
  bool split_under_way = false;
  void Take(const Report& report) {
    if (report.kind == Report::kRows) rows = report.value;
    if (report.kind == Report::kSplitBegins) bound = report.value;
    if (report.kind != Report::kRows)
      split_under_way = report.kind == Report::kSplitBegins || report.kind == Report::kMergeBegins;
  }
};

// Starts a child, and kills it directly after it has begun its n-th split, for a random n. Returns true if this split
// was not answered.
bool KillInSplit(const std::filesystem::path& directory, Progress& progress, std::mt19937& random) {
  int ends[2];
  if (pipe(ends) != 0) Die("no pipe");
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    WorkForEver(directory, ends[1], progress.rows, progress.bound);
  }
  close(ends[1]);
  progress.split_under_way = false;
  Report report;
  const auto next = [&] { return read(ends[0], &report, sizeof report) == sizeof report; };
  for (size_t splits = 1 + random() % 12; splits > 0 && next();) {
    progress.Take(report);
    if (report.kind == Report::kSplitBegins) --splits;
  }
  usleep(static_cast<useconds_t>(random() % 400));
  kill(child, SIGKILL);
  while (next()) progress.Take(report);
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (!WIFSIGNALED(status)) Die("the child ended by itself");
  return progress.split_under_way;
}

// Checks that rows 0, 1, 2, … exist once and in order, at least up to the last answered one. Each batch must exist as a
// whole or not at all.
void Check(const std::filesystem::path& directory, Progress& progress) {
  Table table(directory, {.enabled = false});
  table.Create(64, false);
  int64_t forward = 0;
  table.Scan(
      false, [] { return 997; },
      [&](int64_t key) {
        if (key != forward++)
          Die("key " + std::to_string(key) + " where " + std::to_string(forward - 1) + " was expected");
      });
  if (forward < progress.rows)
    Die(std::to_string(progress.rows) + " rows were answered, " + std::to_string(forward) + " are there");
  if (forward % kBatchRows != 0) Die("half a batch is there");
  int64_t backward = forward;
  table.Scan(
      true, [] { return 1'009; },
      [&](int64_t key) {
        if (key != --backward)
          Die("backwards, key " + std::to_string(key) + " where " + std::to_string(backward) + " was expected");
      });
  if (backward != 0) Die("backwards, " + std::to_string(backward) + " rows are missing");
  const std::vector<std::string> names = table.Partitions();
  if (std::set<std::string>(names.begin(), names.end()).size() != names.size()) Die("two partitions of one name");
  int64_t counted = 0;
  for (const PartitionStats& partition : table.Stats()) counted += partition.rows;
  if (counted != forward) Die(std::to_string(forward) + " rows, and the partitions count " + std::to_string(counted));
  progress.rows = forward;
}

}  // namespace

int RunKills(int cycles, uint64_t seed) {
  const Directory directory;
  std::mt19937 random(static_cast<unsigned>(seed));
  Progress progress;
  int in_split = 0;
  for (int cycle = 0; cycle < cycles;) {
    // Only one process at a time may have the database open: first the child, which is killed, and then this one.
    if (KillInSplit(directory.path(), progress, random)) ++in_split, ++cycle;
    Check(directory.path(), progress);
  }
  std::printf("%d kills in the middle of a split, %lld rows, %lld splits asked for: nothing lost\n", in_split,
              static_cast<long long>(progress.rows), static_cast<long long>(progress.bound));
  return 0;
}

}  // namespace widerow::range_splits
