// Reads the notations of the native protocol (v4 section 3) from a frame's body. After a read past the end, or of
// anything malformed, the reader has failed: all later reads return zeros and empty values, and status() returns the
// first error. So a decoder reads its fields one after another and checks status() once. Values borrow the body.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "planner/evaluate/evaluate.h"

namespace widerow {

inline Error ProtocolError(std::string message, std::string hint = {}) {
  return {.code = ErrorCode::kProtocolError, .message = std::move(message), .hint = std::move(hint)};
}

class BodyReader {
 public:
  explicit BodyReader(ByteView body) : left_(body) {}

  uint8_t Byte();
  uint16_t Short();
  int32_t Int();
  int64_t Long();
  ByteView String();
  ByteView LongString();
  ByteView ShortBytes();
  std::optional<ByteView> NullableBytes();  // [bytes]; nullopt: null.
  BoundValue Value(uint8_t version);        // [value]; "unset" exists from version 4 on.
  std::vector<std::string> StringList();
  std::vector<std::pair<std::string, std::string>> StringMap();
  void SkipBytesMap();

  // Marks the body as malformed; the first reason is kept.
  void Fail(std::string message);
  bool ok() const { return error_.empty(); }
  Status status() const { return ok() ? Status() : Status(ProtocolError(error_)); }
  size_t left() const { return left_.size(); }
  ByteView rest() const { return left_; }

 private:
  template <typename T>
  T Number();
  // Returns nullopt and fails if fewer bytes are left.
  std::optional<ByteView> Take(size_t bytes);
  ByteView TextAfterLength(int64_t bytes, int length_bytes);

  ByteView left_;
  std::string error_;
};

}  // namespace widerow
