// The campaign of kills (kill -9). There is no shim: the next process finds the content of the page cache.
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <thread>

#include "campaign.h"
#include "tests/derived/check.h"

namespace widerow::powercut {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kEndless = 1'000'000'000;
constexpr uint64_t kCompactionMicros = 150'000;  // A little more time than a compaction takes.

class KillCampaign {
 public:
  explicit KillCampaign(const CampaignOptions& options)
      : options_(options),
        shape_(ShapeOf(options.seed)),
        random_(options.seed),
        history_(shape_, Durability::kSync),
        data_(options.directory / ("kills-" + options.durability + (options.compact ? "-compact" : ""))) {
    options_.operations = kEndless;
    memory_fd_ = memfd_create("progress", 0);  // The workload's process inherits this descriptor.
    if (memory_fd_ < 0 || ftruncate(memory_fd_, sizeof(Progress)) != 0) std::abort();
    void* memory = mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED, memory_fd_, 0);
    if (memory == MAP_FAILED) std::abort();
    progress_ = static_cast<Progress*>(memory);
    fs::remove_all(data_);
    fs::create_directories(data_);
  }

  int Run() {
    const auto begin = std::chrono::steady_clock::now();
    for (uint64_t cycle = 1; cycle <= options_.cycles; ++cycle) {
      std::string wrong = options_.compact && cycle % 2 == 0 ? CompactionCycle() : Cycle();
      // The content is checked after every second cycle. After the other cycles, the next process opens the directory
      // as the kill has left it, and is killed itself.
      if (wrong.empty() && (cycle % 2 == 0 || cycle == options_.cycles)) wrong = Compare();
      if (wrong.empty()) continue;
      std::printf(
          "WRONG: cycle %lu: %s\n  the directory is %s\n  again: powercut kills --seed %lu --cycles %lu --durability "
          "%s%s\n",
          cycle, wrong.c_str(), data_.c_str(), options_.seed, cycle, options_.durability.c_str(),
          options_.compact ? " --compact" : "");
      return 1;
    }
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (options_.compact)
      std::printf("kill -9 while compacting: %lu killed, %lu at its end before\n", compactions_killed_,
                  compactions_done_);
    std::printf(
        "kill -9, durability %s: %lu cycles, %lu while opening, %lu operations (%s) and %lu imports answered, in %.1f "
        "s: 0 wrong\n",
        options_.durability.c_str(), options_.cycles, while_opening_, history_.answered(),
        history_.counts().Text().c_str(), history_.imports().answered(), seconds);
    fs::remove_all(data_);
    return 0;
  }

 private:
  std::string Cycle() {
    std::memset(static_cast<void*>(progress_), 0, sizeof(Progress));
    std::vector<std::string> arguments = WorkloadArguments(options_, shape_, data_, history_.NextNumbers());
    arguments.insert(arguments.end(), {"--progress-fd", std::to_string(memory_fd_)});
    const pid_t child = Spawn(arguments, {});
    // One process of three is killed while it starts and opens the database. The others are killed some time after they
    // have begun to write.
    const bool early = random_.Percent(34);
    const uint64_t micros = early ? random_.Below(30'000) : random_.Below(150'000);
    const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (!early && progress_->threads[0].answered == 0 && std::chrono::steady_clock::now() < patience) {
      if (waitpid(child, nullptr, WNOHANG) == child) return "the workload ended by itself";
      std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
    std::this_thread::sleep_for(std::chrono::microseconds(micros));
    kill(child, SIGKILL);
    int status = 0;
    waitpid(child, &status, 0);
    if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGKILL) {
      return "the workload ended by itself with wait status " + std::to_string(status);
    }
    if (progress_->opened == 0) ++while_opening_;
    if (progress_->failed != 0) return std::to_string(progress_->failed) + " operations failed";
    TakeProgress();
    return {};
  }

  // Runs a process that only opens and compacts the database, and kills it after a random time.
  std::string CompactionCycle() {
    std::memset(static_cast<void*>(progress_), 0, sizeof(Progress));
    CampaignOptions no_operations = options_;
    no_operations.operations = 0;
    std::vector<std::string> arguments = WorkloadArguments(no_operations, shape_, data_, history_.NextNumbers());
    arguments.insert(arguments.end(), {"--compact", "--progress-fd", std::to_string(memory_fd_)});
    const pid_t child = Spawn(arguments, {});
    std::this_thread::sleep_for(std::chrono::microseconds(random_.Below(kCompactionMicros)));
    kill(child, SIGKILL);
    int status = 0;
    waitpid(child, &status, 0);
    const bool killed = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
    if (!killed && status != 0) return "the compaction ended by itself with wait status " + std::to_string(status);
    ++(killed ? compactions_killed_ : compactions_done_);
    TakeProgress();
    return {};
  }

  void TakeProgress() {
    history_.Take({Mark::kLife, kSetupThread, kSetupThread}, {}, 0);
    const auto take = [&](const Progress::Counts& counts, uint32_t thread, uint64_t first) {
      for (uint64_t i = 0; i < counts.begun; ++i) {
        history_.Take({Mark::kBegun, thread, first + i}, {}, 0);
        if (i < counts.answered) history_.Take({Mark::kAnswered, thread, first + i}, {}, 0);
      }
    };
    take(progress_->setup, kSetupThread, 0);
    for (uint32_t i = 0; i < shape_.threads; ++i) take(progress_->threads[i], i, history_.next_number(i));
    if (const uint64_t begun = progress_->imports.begun; begun > 0)
      history_.Take({Mark::kBegun, kImportThread, begun}, {}, 0);
    if (const uint64_t answered = progress_->imports.answered; answered > 0) {
      history_.Take({Mark::kAnswered, kImportThread, answered}, {}, 0);
    }
  }

  std::string Compare() {
    auto opened = OpenDatabase({data_, options_.durability});
    if (!opened.ok()) return "does not open: " + opened.error().message;
    Reading reading;
    if (std::string wrong = Read(*opened.value(), shape_, data_, reading); !wrong.empty()) return wrong;
    if (std::string wrong = history_.imports().Contradiction(reading.imports); !wrong.empty()) return wrong;
    derived_tables::CheckDerived(opened.value()->engine());
    return history_.Settle(reading.rows, reading.keyspace_there, reading.wide_there);
  }

  CampaignOptions options_;
  const WorkloadShape shape_;
  Random random_;
  History history_;
  const fs::path data_;
  int memory_fd_ = -1;
  Progress* progress_ = nullptr;
  uint64_t while_opening_ = 0, compactions_killed_ = 0, compactions_done_ = 0;
};

}  // namespace

int RunKills(const CampaignOptions& options) { return KillCampaign(options).Run(); }

}  // namespace widerow::powercut
