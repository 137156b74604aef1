// The Recorder holds what the shim knows: the descriptors of files in the data directory, the trace, and the fault to
// inject. Each process has one Recorder. Its mutex is held during each call except syncs, so the order of events is the
// order in the kernel.
#pragma once

#include <sys/uio.h>

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "trace.h"

namespace widerow::powercut {

// The environment variable WIDEROW_POWERCUT_FAIL=n:errno:mode:kind injects a fault: the n-th call of the process fails
// with errno. The kind `data` counts writes, changes of sizes, write-backs and syncs. The kind `names` counts the calls
// of NameCall. A call that cannot fail with this errno does not fail.
enum class FaultMode {
  kOnce,    // Only this call fails.
  kSticky,  // This call and all later ones fail.
  kShort,   // This write is cut in half and succeeds. All later calls fail.
};

class Recorder {
 public:
  // Returns the recorder, which these environment variables configure:
  // - WIDEROW_POWERCUT_DIRECTORY: the data directory. Without it, the result is null, and no call is recorded.
  // - WIDEROW_POWERCUT_TRACE: the trace.
  // - WIDEROW_POWERCUT_SYNC_MICROS: the longest time of a sync.
  // - WIDEROW_POWERCUT_FAIL: the fault, see above.
  // - WIDEROW_POWERCUT_DIE_AT: the number of the call before which the process kills itself.
  // - WIDEROW_POWERCUT_LIE: syncs do nothing.
  static Recorder* Get();

  // Each of these functions makes a system call and records it. It returns the call's result and sets errno.
  int Open(int at, const char* path, int flags, unsigned mode);
  void Opened(int fd, const char* path, bool existed);  // For files that fopen has opened.
  int Close(int fd);
  // If `offset` < 0, the descriptor's own offset is used.
  ssize_t Write(int fd, const iovec* parts, int count, int64_t offset);
  int Resize(int fd, int64_t size);
  int Allocate(int fd, int mode, int64_t offset, int64_t length);
  int Sync(int fd);
  // Sends bytes to the disk early (sync_file_range). If this succeeds, nothing is promised: it covers neither the size
  // of the file nor the cache of the disk. If it fails, writes are lost as by a failed sync, and the next sync does not
  // report this.
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
  // Returns the letters of all calls of NameCall so far.
  std::string name_calls();

 private:
  struct Descriptor {
    bool tracked = false, directory = false, dsync = false, append = false;
    uint32_t node = 0;
    std::string path;  // Only for directories.
  };

  Recorder(std::string directory, const std::string& trace);
  void LoadNodes(const std::string& trace);
  // Finds the path relative to the data directory ("" for the directory itself). Returns false if the path is outside
  // or is not recorded.
  bool Below(int at, const char* path, std::string& below);
  Descriptor* Find(int fd);
  void Track(int fd, int flags, const std::string& below, bool existed, bool truncated);
  void Append(EventHeader header, const iovec* parts = nullptr, int count = 0);
  void AppendText(EventKind kind, uint32_t node, std::string_view text, uint64_t a = 0, uint64_t b = 0);
  // Counts a call that can fail. If it must fail, sets errno and returns true. If a write must be cut in half, sets
  // `half`.
  bool Fails(bool* half = nullptr);
  // Does the same for a call of NameCall.
  bool NameFails(NameCall call);
  void Wait(std::unique_lock<std::mutex>& lock);
  void EndSync(uint32_t node, uint64_t sync, bool failed);

  std::mutex mutex_;
  const std::string directory_;
  int trace_fd_ = -1;
  std::map<std::string, uint32_t> nodes_;  // The numbers of files, by path relative to the directory.
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
