// Having written bytes sent to the disk before a sync asks for it.
#pragma once

#include <cstdint>
#include <system_error>

namespace widerow {

// Waits until `size` bytes at `offset` of the file have left the page cache; nothing is durable by that. So that a later
// fdatasync has little left to do, and others' syncs need not queue behind it. A failed write is told only once: after an error
// the next fdatasync would find all well. Does nothing on file systems that cannot do it.
std::error_code WriteBack(int fd, uint64_t offset, uint64_t size);

}  // namespace widerow
