#include "workload.h"

#include <dlfcn.h>
#include <sys/mman.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <thread>

#include "storage/engine/compact.h"

namespace widerow::powercut {
namespace {

// After this number of failures a thread stops, because each failure doubles the cases of the checker.
constexpr int kFailuresMax = 3;

// Sends marks to the shim and to the shared memory. Also keeps them, so that this process, too, can compare the content
// of the database with them (WorkloadOptions::verify).
class Reporter {
 public:
  Reporter(const WorkloadOptions& options)
      : history_(options.shape, *DurabilityFromName("sync")),
        mark_(reinterpret_cast<MarkFunction>(dlsym(RTLD_DEFAULT, "widerow_powercut_mark"))),
        calls_(reinterpret_cast<CallsFunction>(dlsym(RTLD_DEFAULT, "widerow_powercut_calls"))),
        name_calls_(reinterpret_cast<NameCallsFunction>(dlsym(RTLD_DEFAULT, "widerow_powercut_name_calls"))) {
    if (options.progress_fd < 0) return;
    void* memory = mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED, options.progress_fd, 0);
    if (memory == MAP_FAILED) std::abort();
    progress_ = static_cast<Progress*>(memory);
  }

  void Say(const Mark& mark, std::string_view text = {}) {
    const std::lock_guard lock(mutex_);
    history_.Take(mark, text, ++time_);
    if (progress_ != nullptr) Count(mark);
    if (mark_ == nullptr) return;
    std::string payload(sizeof mark + text.size(), '\0');
    std::memcpy(payload.data(), &mark, sizeof mark);
    std::memcpy(payload.data() + sizeof mark, text.data(), text.size());
    mark_(payload.data(), payload.size());
  }
  uint64_t calls() const { return calls_ == nullptr ? 0 : calls_(); }
  std::string name_calls() const {
    constexpr size_t kCallsMax = 1 << 16;
    std::string letters(kCallsMax, '\0');
    letters.resize(name_calls_ == nullptr ? 0 : name_calls_(letters.data(), letters.size()));
    return letters;
  }
  void Opened() {
    if (progress_ != nullptr) ++progress_->opened;
  }
  const History& history() const { return history_; }

 private:
  using MarkFunction = void (*)(const void*, size_t);
  using CallsFunction = uint64_t (*)();
  using NameCallsFunction = size_t (*)(char*, size_t);

  void Count(const Mark& mark) {
    if (mark.kind == Mark::kFailed) ++progress_->failed;
    if (mark.thread == kImportThread) {
      if (mark.kind == Mark::kBegun) progress_->imports.begun = mark.number;
      if (mark.kind == Mark::kAnswered) progress_->imports.answered = mark.number;
      return;
    }
    Progress::Counts& counts = mark.thread == kSetupThread ? progress_->setup : progress_->threads[mark.thread];
    if (mark.kind == Mark::kBegun) ++counts.begun;
    if (mark.kind == Mark::kAnswered || mark.kind == Mark::kRefused) ++counts.answered;
  }

  std::mutex mutex_;
  History history_;
  uint64_t time_ = 0;
  const MarkFunction mark_;
  const CallsFunction calls_;
  const NameCallsFunction name_calls_;
  Progress* progress_ = nullptr;
};

bool SetUp(Database& database, Reporter& reporter) {
  for (uint64_t i = 0; i < std::size(kSetup); ++i) {
    reporter.Say({Mark::kBegun, kSetupThread, i});
    const auto result = database.Execute(kSetup[i]);
    if (!result.ok()) {
      reporter.Say({Mark::kFailed, kSetupThread, i}, result.error().message);
      return false;
    }
    reporter.Say({Mark::kAnswered, kSetupThread, i});
  }
  return true;
}

void RunThread(Database& database, const WorkloadOptions& options, uint32_t thread, Reporter& reporter) {
  const uint64_t first = options.first.empty() ? 1 : options.first[thread];
  int failures = 0;
  for (uint64_t number = first; number < first + options.operations && failures < kFailuresMax; ++number) {
    const Operation operation = MakeOperation(options.shape, thread, number);
    reporter.Say({Mark::kBegun, thread, number});
    const auto result = Execute(database, options.shape, thread, operation);
    if (result.ok() || RefusedForAbsence(operation, result.error())) {
      reporter.Say({result.ok() ? Mark::kAnswered : Mark::kRefused, thread, number});
    } else {
      reporter.Say({Mark::kFailed, thread, number}, result.error().message);
      ++failures;
    }
  }
}

void RunImports(Database& database, const WorkloadOptions& options, Reporter& reporter) {
  constexpr uint64_t kOperationsPerImport = 25;
  uint64_t number = options.first.empty() ? 1 : options.first.at(options.shape.threads);
  const uint64_t end = number + 1 + options.operations / kOperationsPerImport;
  for (int failures = 0; number < end && failures < kFailuresMax;) {
    reporter.Say({Mark::kBegun, kImportThread, number});
    const auto result = RunImport(database, options.shape, options.database.directory, number);
    if (result.ok()) {
      reporter.Say({Mark::kAnswered, kImportThread, number++});
    } else {
      reporter.Say({Mark::kFailed, kImportThread, number}, result.error().message);
      ++failures;
    }
  }
}

Status CompactDirectory(const DatabaseSettings& database) {
  StorageOptions options;
  options.directory = database.directory;
  options.durability = *DurabilityNamed(database.durability);
  const Result<Compaction> done =
      CompactDataDirectory(std::move(options), [](const std::string&, uint64_t, uint64_t) {});
  return done.ok() ? OkStatus() : Status(done.error());
}

}  // namespace

int RunWorkload(const WorkloadOptions& options) {
  Reporter reporter(options);
  reporter.Say({Mark::kLife, kSetupThread, kSetupThread});
  {
    auto opened = OpenDatabase(options.database);
    if (!opened.ok()) {
      reporter.Say({Mark::kOpenFailed, kSetupThread, kSetupThread}, opened.error().message);
      if (reporter.calls() == 0 && reporter.name_calls().empty())
        std::fprintf(stderr, "%s\n", opened.error().message.c_str());
      return kExitOpenFailed;
    }
    reporter.Opened();
    Database& database = *opened.value();
    if (SetUp(database, reporter)) {
      std::vector<std::thread> threads;
      for (uint32_t i = 0; i < options.shape.threads; ++i) {
        threads.emplace_back([&, i] { RunThread(database, options, i, reporter); });
      }
      if (options.operations > 0) threads.emplace_back([&] { RunImports(database, options, reporter); });
      for (std::thread& thread : threads) thread.join();
    }
    if (options.verify) {
      Reading reading;
      std::string wrong = Read(database, options.shape, options.database.directory, reading);
      if (wrong.empty()) wrong = Contradiction(reporter.history(), reading);
      if (!wrong.empty()) reporter.Say({Mark::kFinding, kSetupThread, kSetupThread}, "while running: " + wrong);
    }
  }
  int status = 0;
  if (options.compact) {
    if (const Status compacted = CompactDirectory(options.database); !compacted.ok()) {
      reporter.Say({Mark::kOpenFailed, kSetupThread, kSetupThread}, compacted.error().message);
      status = kExitOpenFailed;
    }
  }
  reporter.Say({Mark::kCalls, kSetupThread, reporter.calls()}, reporter.name_calls());
  return status;
}

}  // namespace widerow::powercut
