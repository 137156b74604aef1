// Writes a part of a file to the disk before a sync asks for it, so that the sync is short.
#pragma once

#include <cstdint>
#include <system_error>

namespace widerow {

// Waits until `size` bytes at `offset` of the file have been written from the page cache. This makes nothing durable,
// but a later fdatasync has little left to do, and syncs of other files need not wait behind these bytes. The system
// reports a failed write only once: after an error of WriteBack, the next fdatasync would report success. Has no effect
// on file systems without support.
std::error_code WriteBack(int fd, uint64_t offset, uint64_t size);

}  // namespace widerow
