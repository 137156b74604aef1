#include "storage/lmdb/paced_writes.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <map>
#include <utility>

#include "base/mutex.h"
#include "base/write_back.h"

namespace widerow::lmdb {
namespace {

using Clock = std::chrono::steady_clock;

// Writes of less than a page are the meta records of commits. They are not counted, because LMDB writes them through a
// descriptor that syncs each write by itself.
constexpr int64_t kPageBytes = 4'096;
constexpr int64_t kPieceBytesMin = 128 << 10;
constexpr int64_t kPieceBytesMax = 1 << 20;

// Sends the writes of one descriptor in pieces. One thread at a time uses it.
class Pacer {
 public:
  void Wrote(int fd, int64_t offset, int64_t bytes) {
    begin_ = std::min(begin_, offset);
    end_ = std::max(end_, offset + bytes);
    unsent_ += bytes;
    if (unsent_ < piece_bytes_) return;
    const Clock::time_point start = Clock::now();
    Send(fd);
    FitPiece(Clock::now() - start);
  }

  int Sync(int fd) {
    Send(fd);
    const int failed = std::exchange(error_, 0);
    const Clock::time_point start = Clock::now();
    const int result = fdatasync(fd);
    sync_time_ = (sync_time_ * 7 + (Clock::now() - start)) / 8;
    if (result != 0 || failed == 0) return result;
    errno = failed;
    return -1;
  }

  uint64_t pieces() const { return pieces_; }

 private:
  void Send(int fd) {
    if (unsent_ == 0) return;
    // The system reports a failed write only once. So the error is kept, and Sync() returns it to LMDB, as if the sync
    // had failed.
    if (const std::error_code error = WriteBack(fd, begin_, end_ - begin_)) error_ = error.value();
    begin_ = INT64_MAX;
    end_ = unsent_ = 0;
    ++pieces_;
  }

  // Adapts the size of pieces to the disk. Pieces become smaller if a piece takes more than twice as long as a sync,
  // and larger if it takes less than half as long. On some disks, such as network disks, every sync takes long. On
  // these, larger pieces do not delay other syncs much more.
  void FitPiece(Clock::duration took) {
    if (took > 2 * sync_time_) {
      piece_bytes_ = std::max(kPieceBytesMin, piece_bytes_ / 2);
    } else if (2 * took < sync_time_) {
      piece_bytes_ = std::min(kPieceBytesMax, piece_bytes_ * 2);
    }
  }

  // The range of the file that has been written and not sent to the disk. It may have holes.
  int64_t begin_ = INT64_MAX, end_ = 0;
  int64_t unsent_ = 0;
  int64_t piece_bytes_ = kPieceBytesMin;
  Clock::duration sync_time_ = {};  // The average time of a sync.
  uint64_t pieces_ = 0;
  int error_ = 0;
};

// Has the Pacers of all descriptors. Any thread may use this object. A Pacer keeps its address until it is removed.
class Pacers {
 public:
  // Returns the descriptor's Pacer. Adds one if there is none.
  Pacer& Of(int fd) {
    MutexLock lock(mutex_);
    return pacers_[fd];
  }
  void Remove(int fd) {
    MutexLock lock(mutex_);
    pacers_.erase(fd);
  }

 private:
  Mutex mutex_;
  std::map<int, Pacer> pacers_ WR_GUARDED_BY(mutex_);
};

// The object is never destroyed, because a thread may still write while the process ends.
Pacers& AllPacers() {
  static auto& pacers = *new Pacers;
  return pacers;
}

}  // namespace

uint64_t PiecesSent(int fd) { return AllPacers().Of(fd).pieces(); }
void StopPacing(int fd) { AllPacers().Remove(fd); }

}  // namespace widerow::lmdb

extern "C" {

ssize_t widerow_lmdb_pwrite(int fd, const void* data, size_t size, off_t offset) {
  const ssize_t written = pwrite(fd, data, size, offset);
  if (written >= widerow::lmdb::kPageBytes) widerow::lmdb::AllPacers().Of(fd).Wrote(fd, offset, written);
  return written;
}

ssize_t widerow_lmdb_writev(int fd, const iovec* parts, int count) {
  const ssize_t written = writev(fd, parts, count);
  if (written > 0) widerow::lmdb::AllPacers().Of(fd).Wrote(fd, lseek(fd, 0, SEEK_CUR) - written, written);
  return written;
}

int widerow_lmdb_fdatasync(int fd) { return widerow::lmdb::AllPacers().Of(fd).Sync(fd); }
}
