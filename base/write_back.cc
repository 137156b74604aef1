#include "base/write_back.h"

#include <fcntl.h>

#include <cerrno>

namespace widerow {

std::error_code WriteBack(int fd, uint64_t offset, uint64_t size) {
  constexpr unsigned kWhole = SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER;
  const int code = sync_file_range(fd, static_cast<off_t>(offset), static_cast<off_t>(size), kWhole) == 0 ? 0 : errno;
  if (code == 0 || code == ENOSYS || code == ESPIPE) return {};
  return {code, std::generic_category()};
}

}  // namespace widerow
