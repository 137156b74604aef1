#include "shards.h"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>

namespace widerow::powercut {
namespace {

constexpr size_t kFindingsMax = 256, kTextMax = 4'000;

struct Board {
  std::atomic<uint64_t> current[64];  // For each process, the number of the check that it runs, or will run first.
  std::atomic<uint64_t> findings;
  struct Slot {
    uint64_t index;
    char text[kTextMax];
  } slots[kFindingsMax];

  void Add(uint64_t index, const std::string& text) {
    const uint64_t at = findings++;
    if (at >= kFindingsMax) return;
    slots[at].index = index;
    std::snprintf(slots[at].text, kTextMax, "%s", text.c_str());
  }
};

void RunShard(Board& board, unsigned shard, uint64_t count, unsigned jobs, const std::function<Check()>& make) {
  const Check check = make();
  for (uint64_t i = board.current[shard]; i < count; i += jobs) {
    board.current[shard] = i;
    if (const std::string wrong = check(i); !wrong.empty()) board.Add(i, wrong);
  }
}

}  // namespace

std::vector<Finding> RunShards(uint64_t count, unsigned jobs, const std::function<Check()>& make) {
  jobs = std::clamp(jobs, 1u, 64u);
  void* memory = mmap(nullptr, sizeof(Board), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) std::abort();
  Board& board = *new (memory) Board();
  std::map<pid_t, unsigned> running;
  const auto start = [&](unsigned shard) {
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child < 0) std::abort();
    if (child == 0) {
      RunShard(board, shard, count, jobs, make);
      _exit(0);
    }
    running[child] = shard;
  };
  for (unsigned shard = 0; shard < jobs; ++shard) {
    board.current[shard] = shard;
    start(shard);
  }
  while (!running.empty()) {
    int status = 0;
    const pid_t child = wait(&status);
    const auto found = running.find(child);
    if (found == running.end()) continue;
    const unsigned shard = found->second;
    running.erase(found);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) continue;
    const std::string how = WIFSIGNALED(status) ? std::string("crashes: ") + strsignal(WTERMSIG(status))
                                                : "ends with status " + std::to_string(WEXITSTATUS(status));
    board.Add(board.current[shard], how);
    board.current[shard] += jobs;
    if (board.current[shard] < count) start(shard);
  }
  std::vector<Finding> findings;
  for (uint64_t i = 0; i < std::min<uint64_t>(board.findings, kFindingsMax); ++i) {
    findings.push_back({board.slots[i].index, board.slots[i].text});
  }
  munmap(memory, sizeof(Board));
  return findings;
}

}  // namespace widerow::powercut
