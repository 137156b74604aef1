// Frames of the native protocol (v4 section 2): a header of nine bytes, then a body. The decoder takes bytes as they
// arrive and returns complete frames. It reads no socket, and no byte sequence makes it hold much more than was
// received.
#pragma once

#include "base/bytes.h"
#include "net/protocol/opcode.h"

namespace widerow {

inline constexpr size_t kFrameHeaderBytes = 9;

struct FrameFlags {
  static constexpr uint8_t kCompressed = 0x01, kTracing = 0x02, kCustomPayload = 0x04, kWarning = 0x08, kUseBeta = 0x10;
};

struct FrameHeader {
  uint8_t version = 0;       // Without the direction bit.
  bool is_response = false;  // The direction bit.
  uint8_t flags = 0;
  int16_t stream = 0;
  uint8_t opcode = 0;
  uint32_t body_bytes = 0;
};

// `bytes` must have nine bytes.
FrameHeader DecodeFrameHeader(const char* bytes);
void AppendFrameHeader(Bytes& out, const FrameHeader& header);

struct Frame {
  FrameHeader header;
  Bytes body;
};

// Cuts a stream of bytes into frames.
class FrameDecoder {
 public:
  enum class State : uint8_t {
    kNeedsMore,   // The input is used up.
    kFrame,       // TakeFrame() returns a complete frame.
    kBadVersion,  // header() has an unsupported version, so the frame's end is unknown. Do not call Next again.
    kTooLong,     // header() announces more bytes than allowed. The caller calls SkipBody() or stops.
  };

  explicit FrameDecoder(uint32_t body_bytes_max) : body_bytes_max_(body_bytes_max) {}

  // Removes the bytes of the next frame from the front of `input`. Call it again until it returns kNeedsMore.
  State Next(ByteView& input);
  const FrameHeader& header() const { return frame_.header; }
  Frame TakeFrame() { return std::move(frame_); }

  // Discards the rest of the current frame as it arrives.
  void SkipBody();
  // True in the middle of a frame: its header is known, its body is incomplete.
  bool in_body() const { return has_header_; }
  bool skipping() const { return skip_bytes_ > 0; }
  // True between two frames: no byte of the next frame has been received.
  bool at_boundary() const { return !has_header_ && header_bytes_ == 0 && skip_bytes_ == 0; }
  // Returns the number of bytes held of the incomplete frame.
  size_t held_bytes() const { return frame_.body.size(); }
  void set_body_bytes_max(uint32_t bytes) { body_bytes_max_ = bytes; }

 private:
  State TakeHeader(ByteView& input);
  bool TakeBody(ByteView& input);

  uint32_t body_bytes_max_;
  Frame frame_;
  char header_[kFrameHeaderBytes] = {};
  size_t header_bytes_ = 0;
  bool has_header_ = false;
  size_t skip_bytes_ = 0;
};

}  // namespace widerow
