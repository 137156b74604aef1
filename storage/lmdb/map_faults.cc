#include "storage/lmdb/map_faults.h"

#include <signal.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstring>

#include "base/mutex.h"
#include "storage/lmdb/page_checks.h"

namespace widerow::lmdb {

thread_local sigjmp_buf* fault_caught_at = nullptr;

namespace {

// A watched map. The signal handler reads these fields without a lock. So `map` is written after the other fields, and
// cleared before them.
struct Watched {
  std::atomic<const char*> map;
  std::atomic<size_t> bytes;
  std::atomic<const char*> file;
};

std::array<Watched, 256> watched;
// The mutex is never destroyed, because a database may be closed while the process ends.
Mutex& WatchedMutex() {
  static auto& mutex = *new Mutex;
  return mutex;
}
struct sigaction previous_action;

// Builds and writes a line of text. Uses no function that a signal handler must not call.
class Line {
 public:
  void Text(const char* text) {
    const size_t size = std::min(strlen(text), sizeof line_ - size_);
    memcpy(line_ + size_, text, size);
    size_ += size;
  }
  void Number(uint64_t number) {
    char digits[24] = {};
    char* at = digits + sizeof digits - 1;
    do { *--at = static_cast<char>('0' + number % 10); } while ((number /= 10) != 0);
    Text(at);
  }
  void Print() const {
    ssize_t ignored = write(STDERR_FILENO, line_, size_);
    static_cast<void>(ignored);
  }

 private:
  char line_[1'024];
  size_t size_ = 0;
};

void OnFault(int /*signal*/, siginfo_t* info, void* /*context*/) {
  const auto* address = static_cast<const char*>(info->si_addr);
  for (const Watched& entry : watched) {
    const char* map = entry.map.load(std::memory_order_acquire);
    if (map == nullptr || address < map || address >= map + entry.bytes.load(std::memory_order_relaxed)) continue;
    if (fault_caught_at != nullptr) siglongjmp(*fault_caught_at, 1);
    Line line;
    line.Text("widerow: '");
    line.Text(entry.file.load(std::memory_order_relaxed));
    line.Text("' cannot be read at offset ");
    line.Number(static_cast<uint64_t>(address - map));
    line.Text(
        ": the disk has failed, or the file was shortened. The process ends; see to the disk, then run "
        "`widerow check`, which lists the damaged pages\n");
    line.Print();
    _exit(kExitDamaged);
  }
  // The fault is in no watched map. The previous signal action is put back; when the handler returns, the read is tried
  // again and causes that action.
  sigaction(SIGBUS, &previous_action, nullptr);
}

void InstallHandler() {
  struct sigaction action {};
  action.sa_sigaction = OnFault;
  action.sa_flags = SA_SIGINFO | SA_NODEFER;
  sigaction(SIGBUS, &action, &previous_action);
}

}  // namespace

void WatchMap(const char* map, size_t bytes, const char* file) {
  static const bool installed = (InstallHandler(), true);
  static_cast<void>(installed);
  MutexLock lock(WatchedMutex());
  for (Watched& entry : watched) {
    if (entry.map.load() != nullptr) continue;
    entry.bytes = bytes;
    entry.file = file;
    entry.map.store(map, std::memory_order_release);
    return;
  }
}

void UnwatchMap(const char* map) {
  MutexLock lock(WatchedMutex());
  for (Watched& entry : watched) {
    if (entry.map.load() == map) entry.map = nullptr;
  }
}

}  // namespace widerow::lmdb
