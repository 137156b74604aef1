// A library for LD_PRELOAD that moves the calendar clock of a process. WIDEROW_CLOCK_SHIFT names a file of eight bytes,
// a signed number of nanoseconds that the library adds to CLOCK_REALTIME. A change of the file moves the clock of the
// running process at once. As when an administrator or NTP sets the clock of a machine, the monotonic clocks do not
// change.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <ctime>

namespace {

constexpr int64_t kNanos = 1'000'000'000;

// Returns the number that the file contains now.
int64_t Shift() {
  static const std::atomic<int64_t>* const shift = []() -> const std::atomic<int64_t>* {
    const char* path = std::getenv("WIDEROW_CLOCK_SHIFT");
    const int file = path == nullptr ? -1 : open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return nullptr;
    void* mapped = mmap(nullptr, sizeof(int64_t), PROT_READ, MAP_SHARED, file, 0);
    close(file);
    return mapped == MAP_FAILED ? nullptr : static_cast<const std::atomic<int64_t>*>(mapped);
  }();
  return shift == nullptr ? 0 : shift->load(std::memory_order_relaxed);
}

}  // namespace

extern "C" {

int clock_gettime(clockid_t clock, timespec* out) noexcept {
  const int result = static_cast<int>(syscall(SYS_clock_gettime, clock, out));
  if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) {
    const int64_t nanos = out->tv_sec * kNanos + out->tv_nsec + Shift();
    out->tv_sec = nanos / kNanos;
    out->tv_nsec = nanos % kNanos;
  }
  return result;
}

time_t time(time_t* out) noexcept {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  if (out != nullptr) *out = now.tv_sec;
  return now.tv_sec;
}

int gettimeofday(timeval* out, void*) noexcept {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  out->tv_sec = now.tv_sec;
  out->tv_usec = now.tv_nsec / 1'000;
  return 0;
}

}  // extern "C"
