// A fuzz target is a function that gets some bytes as its input. libFuzzer's main function calls it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/bytes.h"

namespace widerow {

// Reads the input piece by piece. At its end, the results are empty or zero.
class FuzzInput {
 public:
  FuzzInput(const uint8_t* data, size_t size) : left_(reinterpret_cast<const char*>(data), size) {}

  uint8_t Byte() {
    if (left_.empty()) return 0;
    const auto byte = static_cast<uint8_t>(left_[0]);
    left_.remove_prefix(1);
    return byte;
  }
  ByteView Take(size_t bytes) {
    const ByteView taken = left_.substr(0, bytes);
    left_.remove_prefix(taken.size());
    return taken;
  }
  // Returns the bytes before the next zero byte, and skips the zero byte.
  ByteView Line() {
    const size_t end = left_.find('\0');
    const ByteView line = left_.substr(0, end);
    left_.remove_prefix(end == ByteView::npos ? left_.size() : end + 1);
    return line;
  }
  ByteView rest() const { return left_; }
  bool empty() const { return left_.empty(); }

 private:
  ByteView left_;
};

}  // namespace widerow
