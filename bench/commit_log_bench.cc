// commit_log_bench <directory> [group bytes = 4096] [groups = 5000]: measures the cost of the commit log: of appending
// groups of writes, without and with a sync, and of a start after a crash with 256 MiB of log. For comparison it also
// measures the bare system calls.
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "storage/log/commit_log.h"

namespace widerow {
namespace {

double Now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

double CpuSeconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

void Print(const char* what, std::vector<double>& seconds, double cpu) {
  std::sort(seconds.begin(), seconds.end());
  const auto at = [&](double share) {
    return 1e6 * seconds[static_cast<size_t>(share * static_cast<double>(seconds.size() - 1))];
  };
  std::printf("%-34s p50 %8.1f us   p99 %8.1f us   CPU %7.1f us\n", what, at(0.5), at(0.99),
              1e6 * cpu / static_cast<double>(seconds.size()));
}

// Calls `step(i)` `count` times. Prints the median and the 99th percentile of the durations, and the mean CPU time.
template <typename Step>
void Measure(const char* what, size_t count, const Step& step) {
  std::vector<double> seconds(count);
  const double cpu = CpuSeconds();
  for (size_t i = 0; i < count; ++i) {
    const double begin = Now();
    step(i);
    seconds[i] = Now() - begin;
  }
  Print(what, seconds, CpuSeconds() - cpu);
}

void Must(const Status& status) {
  if (status.ok()) return;
  std::fprintf(stderr, "%s\n", status.error().message.c_str());
  std::exit(1);
}

std::unique_ptr<CommitLog> Open(const CommitLogOptions& options, uint64_t folded, uint64_t& groups, uint64_t& bytes) {
  auto log = CommitLog::Open(options, folded, [&](const LogGroup& group) {
    ++groups;
    bytes += group.body.size();
    return OkStatus();
  });
  if (!log.ok()) Must(log.error());
  return std::move(log).value();
}

// A file of zeros that is overwritten again and again, as a file of the commit log is.
class BareFile {
 public:
  explicit BareFile(const std::filesystem::path& path) : path_(path) {
    fd_ = open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    const Bytes zeros(kBytes, '\0');
    Check(fd_ >= 0 && pwrite(fd_, zeros.data(), zeros.size(), 0) == static_cast<ssize_t>(zeros.size()));
    Check(fdatasync(fd_) == 0);
  }
  ~BareFile() {
    close(fd_);
    unlink(path_.c_str());
  }
  void WriteAndSync(const Bytes& body) {
    offset_ = offset_ + body.size() > kBytes ? 0 : offset_;
    Check(pwrite(fd_, body.data(), body.size(), static_cast<off_t>(offset_)) == static_cast<ssize_t>(body.size()));
    Check(fdatasync(fd_) == 0);
    offset_ += body.size();
  }

 private:
  void Check(bool ok) const {
    if (!ok) Must(ServerError("cannot write " + path_.string()));
  }
  static constexpr size_t kBytes = 32 << 20;
  const std::filesystem::path path_;
  int fd_ = -1;
  size_t offset_ = 0;
};

void Run(const std::filesystem::path& directory, size_t group_bytes, size_t groups) {
  const CommitLogOptions options{.directory = directory / "log"};
  const Bytes body(group_bytes, 'x');
  const ByteView part = body;
  std::filesystem::remove_all(options.directory);
  std::filesystem::create_directories(directory);

  uint64_t sequence = 0, found = 0, bytes = 0;
  std::unique_ptr<CommitLog> log = Open(options, 0, found, bytes);
  const auto append = [&] { Must(log->Append(++sequence, 0, std::span(&part, 1))); };
  // A write to a new file of the log costs more, because the file grows. This loop runs until the log overwrites its
  // full files and needs no new file.
  while (log->bytes_appended() < (160u << 20)) append();
  Must(log->Sync());
  Must(log->Release(sequence));
  Measure("append", groups, [&](size_t) { append(); });
  Must(log->Sync());
  Must(log->Release(sequence));
  BareFile bare(directory / "bare");
  // The file and the log take turns, because the speed of the disk changes with its other load.
  for (int round = 0; round < 3; ++round) {
    Measure("bare pwrite + fdatasync", groups, [&](size_t) { bare.WriteAndSync(body); });
    Measure("append + sync", groups, [&](size_t) {
      append();
      Must(log->Sync());
    });
    Must(log->Release(sequence));
  }

  const uint64_t folded = sequence;
  while (sequence - folded < (256u << 20) / group_bytes) {
    append();
    if (sequence % 256 == 0) Must(log->Sync());
  }
  log.reset();
  double begin = Now();
  log = Open(options, folded, found, bytes);
  double seconds = Now() - begin;
  std::printf("start after a crash: %.1f ms for %llu groups, %.0f MB: %.0f MB/s\n", 1e3 * seconds,
              static_cast<unsigned long long>(found), static_cast<double>(bytes) / 1e6,
              static_cast<double>(bytes) / 1e6 / seconds);
  Must(log->Close());
  log.reset();
  begin = Now();
  log = Open(options, sequence, found, bytes);
  std::printf("start after a close, all folded: %.2f ms beside %.0f MB of segments\n", 1e3 * (Now() - begin),
              static_cast<double>(log->bytes()) / 1e6);
  log.reset();
  std::filesystem::remove_all(options.directory);
}

}  // namespace
}  // namespace widerow

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "commit_log_bench <directory> [group bytes = 4096] [groups = 5000]\n");
    return 2;
  }
  const auto argument = [&](int i, size_t otherwise) {
    return argc > i ? std::strtoull(argv[i], nullptr, 10) : otherwise;
  };
  widerow::Run(argv[1], std::max<size_t>(1, argument(2, 4096)), std::max<size_t>(1, argument(3, 5000)));
  return 0;
}
