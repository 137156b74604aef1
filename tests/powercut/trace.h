// The trace: every modification of files under the data directory, in the kernel's order, with the workload's marks in
// between. The shim writes it and the disk model reads it. The file is a sequence of events, each a header and its
// payload. It is read mapped, so that payloads of hundreds of megabytes are never copied.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace widerow::powercut {

enum class EventKind : uint32_t {
  kCreate = 1,            // payload: path below the data directory. node: the new file's number.
  kMakeDirectory = 2,     // payload: path.
  kWrite = 3,             // node, a: offset, payload: the bytes.
  kResize = 4,            // node, a: the new size.
  kZero = 5,              // node, a: offset, b: length; the bytes become zeros.
  kSyncBegin = 6,         // node, a: number of the sync, b: SyncScope; for a directory, payload: path.
  kSyncEnd = 7,           // node, a: number of the sync, b: 0, or 1 if it failed.
  kRename = 8,            // payload: from, NUL, to.
  kUnlink = 9,            // payload: path.
  kRemoveDirectory = 10,  // payload: path.
  kMark = 11,             // payload: the workload's Mark.
};

enum class SyncScope : uint64_t {
  kFile = 0,        // fsync, fdatasync: all of the file's writes so far, and its size.
  kLastWrite = 1,   // A write through O_DSYNC: the event before this one.
  kDirectory = 2,   // fsync of a directory: its entries.
  kEverything = 3,  // sync, syncfs.
};

struct EventHeader {
  EventKind kind{};
  uint32_t node = 0;
  uint64_t a = 0, b = 0;
  uint64_t payload_bytes = 0;
};

struct Event : EventHeader {
  std::string_view payload;  // Borrows from the trace.
};

// A trace file, mapped. An incomplete last event is left out.
class Trace {
 public:
  // Ends the program with a message if the file cannot be read.
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

// A call that opens, makes, renames, removes or maps a file below the data directory.
enum class NameCall : char {
  kOpen = 'o',    // An existing file or directory.
  kCreate = 'c',  // A new file.
  kRename = 'r',
  kUnlink = 'u',
  kMakeDirectory = 'd',
  kMap = 'm',
};
// True if the system can answer the call with this errno.
bool CanFailWith(NameCall call, int code);

// A message of the workload between its calls. In a trace it is a mark's payload: this struct, then `text` to the end.
struct Mark {
  enum Kind : uint32_t {
    kLife = 1,   // A process begins to open the database; earlier operations have ended.
    kBegun = 2,  // Operation `number` of `thread` is passed to the database.
    kAnswered = 3,
    kFailed = 4,      // Answered with an error, `text`: it may or may not have happened.
    kOpenFailed = 5,  // `text`
    kFinding = 6,     // The workload itself found a fault, `text`.
    kCalls = 7,       // `number` calls so far could have failed. `text`: the calls on names (recorder.h, NameCall).
    kRefused = 8,     // Answered: the operation has changed nothing, because its table does not exist.
  };
  Kind kind{};
  uint32_t thread = 0;
  uint64_t number = 0;
};

}  // namespace widerow::powercut
