// The shim's state: the descriptors that belong to the data directory, the trace, and the fault to inject. One for the
// process. Its mutex is held during each call except syncs, so that the order of events is the kernel's order.
#pragma once

#include <sys/uio.h>

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "trace.h"

namespace widerow::powercut {

// Faults: WIDEROW_POWERCUT_FAIL=n:errno:mode:kind. The n-th call of the process fails with errno. The kind `data`
// counts writes, changes of sizes, write-backs and syncs. The kind `names` counts the calls of NameCall, and only those
// that can fail with this errno do.
enum class FaultMode {
  kOnce,    // Only that call fails.
  kSticky,  // That call and all later ones fail.
  kShort,   // A write is cut in half and succeeds; all later calls fail.
};

class Recorder {
 public:
  // Reads the environment: WIDEROW_POWERCUT_DIRECTORY, WIDEROW_POWERCUT_TRACE, WIDEROW_POWERCUT_SYNC_MICROS (the
  // longest time of a sync), WIDEROW_POWERCUT_FAIL, WIDEROW_POWERCUT_DIE_AT (the call before which the process kills
  // itself), WIDEROW_POWERCUT_LIE (syncs do nothing). Returns null without a directory: then no call is recorded.
  static Recorder* Get();

  // Each function returns the system call's result and sets errno.
  int Open(int at, const char* path, int flags, unsigned mode);
  void Opened(int fd, const char* path, bool existed);  // For files opened by fopen.
  int Close(int fd);
  // `offset` < 0 means the descriptor's own offset.
  ssize_t Write(int fd, const iovec* parts, int count, int64_t offset);
  int Resize(int fd, int64_t size);
  int Allocate(int fd, int mode, int64_t offset, int64_t length);
  int Sync(int fd);
  // A success promises nothing: by the manual it covers neither the file's size nor the disk's cache. A failure loses
  // writes as a failed sync does, and the next sync does not report it.
  int WriteBack(int fd);
  void SyncEverything();
  int Rename(int from_at, const char* from, int to_at, const char* to, unsigned flags);
  int Unlink(int at, const char* path, int flags);
  int MakeDirectory(int at, const char* path, unsigned mode);

  // Returns false, with errno set, if the file must not be mapped.
  bool MayMap();

  bool Tracks(int fd);
  bool Exists(const char* path);
  void AddMark(const void* bytes, size_t size);
  uint64_t calls();
  // Returns one NameCall for each call of that kind so far.
  std::string name_calls();

 private:
  struct Descriptor {
    bool tracked = false, directory = false, dsync = false, append = false;
    uint32_t node = 0;
    std::string path;  // For directories.
  };

  Recorder(std::string directory, const std::string& trace);
  void LoadNodes(const std::string& trace);
  // Finds the path below the data directory ("" for itself). Returns false if the path is outside or is not recorded.
  bool Below(int at, const char* path, std::string& below);
  Descriptor* Find(int fd);
  void Track(int fd, int flags, const std::string& below, bool existed, bool truncated);
  void Append(EventHeader header, const iovec* parts = nullptr, int count = 0);
  void AppendText(EventKind kind, uint32_t node, std::string_view text, uint64_t a = 0, uint64_t b = 0);
  // Counts a call that can fail. Returns true, with errno set, if it must fail; sets `half` if the write must be cut in
  // half.
  bool Fails(bool* half = nullptr);
  // The same for a call on a name.
  bool NameFails(NameCall call);
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
  std::string name_calls_;
  bool lies_ = false, fail_names_ = false;
  FaultMode fail_mode_ = FaultMode::kOnce;
};

}  // namespace widerow::powercut
