// The trace: all changes of files in the data directory, in the kernel's order, and the workload's marks between them.
// The shim writes the trace, and the disk model reads it. The file is a sequence of events, each with a header and a
// payload. It is read through a mapping, so that payloads of hundreds of megabytes are never copied.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace widerow::powercut {

enum class EventKind : uint32_t {
  kCreate = 1,         // The payload is the path relative to the data directory; `node` is the number of the new file.
  kMakeDirectory = 2,  // The payload is the path.
  kWrite = 3,          // `a` is the offset in the file `node`. The payload has the bytes.
  kResize = 4,         // `a` is the new size of the file `node`.
  kZero = 5,           // `b` bytes from offset `a` on become zeros in the file `node`.
  kSyncBegin = 6,      // `a` is the number of the sync, `b` its SyncScope. For a directory, the payload is its path.
  kSyncEnd = 7,        // `a` is the number of the sync of `node`. `b` is 1 if it failed, and otherwise 0.
  kRename = 8,         // The payload is the old path, a zero byte, and the new path.
  kUnlink = 9,         // The payload is the path.
  kRemoveDirectory = 10,  // The payload is the path.
  kMark = 11,             // The payload is a Mark of the workload.
};

enum class SyncScope : uint64_t {
  kFile = 0,        // fsync and fdatasync cover all writes of the file so far, and its size.
  kLastWrite = 1,   // A write with O_DSYNC covers only itself. This write is the event before the kSyncBegin.
  kDirectory = 2,   // fsync of a directory covers its entries.
  kEverything = 3,  // sync and syncfs cover everything.
};

struct EventHeader {
  EventKind kind{};
  uint32_t node = 0;
  uint64_t a = 0, b = 0;
  uint64_t payload_bytes = 0;
};

struct Event : EventHeader {
  std::string_view payload;  // Points into the trace.
};

// A trace file, mapped into memory. If the last event is incomplete, it is left out.
class Trace {
 public:
  // Opens the file. If it cannot be read, prints a message and ends the program.
  explicit Trace(const std::string& path);
  ~Trace();
  Trace(const Trace&) = delete;
  Trace& operator=(const Trace&) = delete;

  const std::vector<Event>& events() const { return events_; }

 private:
  void* memory_ = nullptr;
  size_t bytes_ = 0;
  std::vector<Event> events_;
};

// A call that opens, makes, renames, removes or maps a file in the data directory.
enum class NameCall : char {
  kOpen = 'o',    // Opens an existing file or directory.
  kCreate = 'c',  // Makes a new file.
  kRename = 'r',
  kUnlink = 'u',
  kMakeDirectory = 'd',
  kMap = 'm',
};
// Returns true if the system can answer the call with this errno.
bool CanFailWith(NameCall call, int code);

// A message of the workload between its calls. The payload of a mark is this struct, followed by `text`.
struct Mark {
  enum Kind : uint32_t {
    kLife = 1,   // A process begins to open the database. All earlier operations have ended.
    kBegun = 2,  // Operation `number` of `thread` is given to the database.
    kAnswered = 3,
    kFailed = 4,      // The answer was the error `text`. The operation may have happened or not.
    kOpenFailed = 5,  // Opening failed with the error `text`.
    kFinding = 6,     // The workload itself has found the fault `text`.
    kCalls = 7,       // `number` calls of the kind `data` (recorder.h) were made. `text` has the letters of NameCalls.
    kRefused = 8,     // The operation has changed nothing, because its table does not exist.
  };
  Kind kind{};
  uint32_t thread = 0;
  uint64_t number = 0;
};

}  // namespace widerow::powercut
