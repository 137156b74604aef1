// The input of an import.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>

#include "base/result.h"
#include "shell/csv.h"

namespace widerow {

// Reads the bytes of a file, or of STDIN up to a line that contains only \. and is not a part of a quoted field.
class ImportSource {
 public:
  ~ImportSource();

  // An empty path means STDIN. `format` finds quoted fields.
  Status Open(const std::string& path, std::istream& in, const CsvFormat& format);
  // Reads up to `size` bytes. Returns 0 at the end, after a failure, and if Ctrl-C is pressed while the function waits.
  size_t Read(char* to, size_t size) { return file_ >= 0 ? ReadFile(to, size) : ReadLines(to, size); }
  // Continues at this offset. For regular files only. kServerError if the file is shorter.
  Status SkipTo(uint64_t bytes);
  bool regular() const { return regular_; }
  uint64_t size() const { return size_; }  // 0: unknown.
  int64_t modified_nanos() const { return modified_nanos_; }
  int failure() const { return failure_; }  // An errno; 0: none.

 private:
  size_t ReadFile(char* to, size_t size);
  size_t ReadLines(char* to, size_t size);

  int file_ = -1;
  std::istream* in_ = nullptr;
  std::string rest_;
  CsvFormat format_;
  bool quoted_ = false;  // True if the next line begins inside of a quoted field.
  bool ended_ = false;
  bool regular_ = false;
  uint64_t size_ = 0;
  int64_t modified_nanos_ = 0;
  int failure_ = 0;
};

}  // namespace widerow
