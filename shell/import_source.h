// What an import reads.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>

#include "base/result.h"

namespace widerow {

// The bytes of a file, or of STDIN up to a line with \. alone.
class ImportSource {
 public:
  ~ImportSource();

  // Of STDIN: an empty path.
  Status Open(const std::string& path, std::istream& in);
  // Fills up to `size` bytes; 0 at the end, after a failure, and when Ctrl-C came while it waited.
  size_t Read(char* to, size_t size) { return file_ >= 0 ? ReadFile(to, size) : ReadLines(to, size); }
  // Of what comes, further on. A regular file only. kServerError if it is not so long.
  Status SkipTo(uint64_t bytes);
  bool regular() const { return regular_; }
  uint64_t size() const { return size_; }   // 0: not known.
  int64_t modified_nanos() const { return modified_nanos_; }
  int failure() const { return failure_; }  // errno.

 private:
  size_t ReadFile(char* to, size_t size);
  size_t ReadLines(char* to, size_t size);

  int file_ = -1;
  std::istream* in_ = nullptr;
  std::string rest_;
  bool ended_ = false;
  bool regular_ = false;
  uint64_t size_ = 0;
  int64_t modified_nanos_ = 0;
  int failure_ = 0;
};

}  // namespace widerow
