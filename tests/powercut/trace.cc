#include "trace.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace widerow::powercut {

Trace::Trace(const std::string& path) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat info {};
  if (fd < 0 || fstat(fd, &info) != 0) {
    std::fprintf(stderr, "cannot read the trace %s: %s\n", path.c_str(), std::strerror(errno));
    std::exit(2);
  }
  bytes_ = static_cast<size_t>(info.st_size);
  if (bytes_ > 0) memory_ = mmap(nullptr, bytes_, PROT_READ, MAP_SHARED, fd, 0);
  close(fd);
  if (memory_ == MAP_FAILED) {
    std::perror("mapping the trace");
    std::exit(2);
  }
  const char* at = static_cast<const char*>(memory_);
  for (const char* const end = at + bytes_; at + sizeof(EventHeader) <= end;) {
    Event event;
    std::memcpy(static_cast<EventHeader*>(&event), at, sizeof(EventHeader));
    at += sizeof(EventHeader);
    if (event.payload_bytes > static_cast<size_t>(end - at)) break;
    event.payload = {at, event.payload_bytes};
    at += event.payload_bytes;
    events_.push_back(event);
  }
}

Trace::~Trace() {
  if (memory_ != nullptr) munmap(memory_, bytes_);
}

bool CanFailWith(NameCall call, int code) {
  switch (call) {
    case NameCall::kOpen: return code == EIO || code == EMFILE || code == ENOMEM;
    case NameCall::kCreate: return code == EIO || code == EMFILE || code == ENOMEM || code == ENOSPC;
    case NameCall::kRename:
    case NameCall::kMakeDirectory: return code == EIO || code == ENOSPC || code == ENOMEM;
    case NameCall::kUnlink: return code == EIO || code == ENOMEM;
    case NameCall::kMap: return code == ENOMEM;
  }
  return false;
}

}  // namespace widerow::powercut
