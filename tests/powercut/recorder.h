// The shim's state: which descriptors belong to the data directory, the trace, and the fault to inject. One for the process.
// Its mutex is held over each call but syncs, so that the order of events is the order in which the kernel saw them.
#pragma once

#include <sys/uio.h>

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "trace.h"

namespace widerow::powercut {

// Faults: WIDEROW_POWERCUT_FAIL=n:errno:mode. The n-th write, write-back or sync of the process fails with errno.
enum class FaultMode {
  kOnce,    // That call alone.
  kSticky,  // And all later ones.
  kShort,   // That call, if a write, is cut in half and succeeds; all later ones fail.
};

class Recorder {
 public:
  // From the environment: WIDEROW_POWERCUT_DIRECTORY, WIDEROW_POWERCUT_TRACE, WIDEROW_POWERCUT_SYNC_MICROS (the longest a
  // sync takes), WIDEROW_POWERCUT_FAIL, WIDEROW_POWERCUT_DIE_AT (the call before which the process kills
  // itself), WIDEROW_POWERCUT_LIE (syncs do nothing). Null without a directory: then every call goes straight through.
  static Recorder* Get();

  // All: the system call's result, errno set.
  int Open(int at, const char* path, int flags, unsigned mode);
  void Opened(int fd, const char* path, bool existed);  // By fopen.
  int Close(int fd);
  // `offset` < 0: at the descriptor's own offset.
  ssize_t Write(int fd, const iovec* parts, int count, int64_t offset);
  int Resize(int fd, int64_t size);
  int Allocate(int fd, int mode, int64_t offset, int64_t length);
  int Sync(int fd);
  // Promises nothing: the manual says that neither the file's size nor the disk's cache is seen to. But where it fails, writes
  // are lost as in a failed sync, and the next sync does not tell.
  int WriteBack(int fd);
  void SyncEverything();
  int Rename(int from_at, const char* from, int to_at, const char* to, unsigned flags);
  int Unlink(int at, const char* path, int flags);
  int MakeDirectory(int at, const char* path, unsigned mode);

  bool Tracks(int fd);
  bool Exists(const char* path);
  void AddMark(const void* bytes, size_t size);
  uint64_t calls();

 private:
  struct Descriptor {
    bool tracked = false, directory = false, dsync = false, append = false;
    uint32_t node = 0;
    std::string path;  // Of directories.
  };

  Recorder(std::string directory, const std::string& trace);
  void LoadNodes(const std::string& trace);
  // Path below the data directory ("" for itself); false if it lies outside or is not to be recorded.
  bool Below(int at, const char* path, std::string& below);
  Descriptor* Find(int fd);
  void Track(int fd, int flags, const std::string& below, bool existed, bool truncated);
  void Append(EventHeader header, const iovec* parts = nullptr, int count = 0);
  void AppendText(EventKind kind, uint32_t node, std::string_view text, uint64_t a = 0, uint64_t b = 0);
  // Counts a call that can fail; true if it shall, with errno set. `half` is set if it shall be cut short instead.
  bool Fails(bool* half = nullptr);
  void Wait(std::unique_lock<std::mutex>& lock);
  void EndSync(uint32_t node, uint64_t sync, bool failed);

  std::mutex mutex_;
  const std::string directory_;
  int trace_fd_ = -1;
  std::map<std::string, uint32_t> nodes_;  // By path below the directory.
  uint32_t next_node_ = 1;
  uint64_t next_sync_ = 1;
  std::vector<Descriptor> descriptors_;
  uint64_t sync_micros_max_ = 0, random_ = 88'172'645'463'325'252;
  uint64_t calls_ = 0, fail_at_ = 0, die_at_ = 0;
  int fail_errno_ = 0;
  bool lies_ = false;
  FaultMode fail_mode_ = FaultMode::kOnce;
};

}  // namespace widerow::powercut
