#include "shell/import_source.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <istream>

#include "base/text.h"
#include "shell/interrupt.h"

namespace widerow {

ImportSource::~ImportSource() {
  if (file_ >= 0) ::close(file_);
}

Status ImportSource::Open(const std::string& path, std::istream& in, const CsvFormat& format) {
  in_ = &in;
  format_ = format;
  if (path.empty()) return OkStatus();
  file_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat info = {};
  if (file_ < 0 || ::fstat(file_, &info) != 0) return ServerError("Cannot read " + path + ": " + std::strerror(errno));
  if (S_ISDIR(info.st_mode)) return ServerError("Cannot read " + path + ": it is a directory");
  if (!S_ISREG(info.st_mode)) return OkStatus();
  regular_ = true;
  size_ = static_cast<uint64_t>(info.st_size);
  modified_nanos_ = info.st_mtim.tv_sec * int64_t{1'000'000'000} + info.st_mtim.tv_nsec;
  return OkStatus();
}

Status ImportSource::SkipTo(uint64_t bytes) {
  if (bytes <= size_ && ::lseek(file_, static_cast<off_t>(bytes), SEEK_SET) >= 0) return OkStatus();
  return ServerError("Cannot read the file from byte " + std::to_string(bytes) + " on");
}

size_t ImportSource::ReadFile(char* to, size_t size) {
  while (true) {
    const ssize_t got = ::read(file_, to, size);
    if (got >= 0) return static_cast<size_t>(got);
    if (errno != EINTR) failure_ = errno;
    if (errno != EINTR || Interrupted()) return 0;
  }
}

size_t ImportSource::ReadLines(char* to, size_t size) {
  if (rest_.empty() && !ended_) {
    ended_ = !std::getline(*in_, rest_) || (!quoted_ && (rest_ == kEndOfInput || rest_ == StrCat(kEndOfInput, "\r")));
    if (ended_) {
      rest_.clear();
    } else {
      quoted_ = IsOpenAfter(rest_, quoted_, format_);
      rest_ += '\n';
    }
  }
  const size_t count = std::min(size, rest_.size());
  std::copy_n(rest_.begin(), count, to);
  rest_.erase(0, count);
  return count;
}

}  // namespace widerow
