// Builds one answer: the header, then tracing id and warnings if there are any, then the bytes that the caller appends
// to body().
#pragma once

#include <string>
#include <vector>

#include "net/protocol/compression.h"
#include "net/protocol/frame.h"

namespace widerow {

// The request's stream, and the version and compression of its answer.
struct AnswerTo {
  uint8_t version = 4;
  int16_t stream = 0;
  Compression compression = Compression::kNone;  // For frames; none in version 5, where segments are compressed.
};

// The longest body of an answer, before compression. Cassandra's drivers refuse longer frames.
inline constexpr size_t kAnswerBytesMax = 256u << 20;

class FrameWriter {
 public:
  // `trace_id` has 16 bytes or none. Version 3 has no warnings: they are left out.
  FrameWriter(const AnswerTo& to, Opcode opcode, ByteView trace_id = {}, const std::vector<std::string>& warnings = {});

  Bytes& body() { return bytes_; }
  // Returns the complete frame, compressed if that makes it smaller. If the body is longer than kAnswerBytesMax,
  // returns an ERROR frame that says so.
  Bytes Finish();

 private:
  const AnswerTo to_;
  FrameHeader header_;
  Bytes bytes_;  // The frame. Until Finish(), zeros are in place of the header.
};

}  // namespace widerow
