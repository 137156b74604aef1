// Frames of the native protocol (v4 section 2): a header of nine bytes, then a body. The decoder takes bytes as they come
// and gives whole frames; nothing here reads a socket, and no byte sequence can make it hold more than was received.
#pragma once

#include "base/bytes.h"
#include "net/protocol/opcode.h"

namespace widerow {

inline constexpr size_t kFrameHeaderBytes = 9;

struct FrameFlags {
  static constexpr uint8_t kCompressed = 0x01, kTracing = 0x02, kCustomPayload = 0x04, kWarning = 0x08, kUseBeta = 0x10;
};

struct FrameHeader {
  uint8_t version = 0;       // Without the direction's bit.
  bool is_response = false;  // The direction's bit.
  uint8_t flags = 0;
  int16_t stream = 0;
  uint8_t opcode = 0;
  uint32_t body_bytes = 0;
};

// The first nine bytes of `bytes`, which are there.
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
    kNeedsMore,   // All of the input is taken.
    kFrame,       // frame() is whole.
    kBadVersion,  // header() is of a version that is not spoken: where its frame ends is unknown. Final.
    kTooLong,     // header() announces more than the bound. SkipBody() to go on, or stop.
  };

  explicit FrameDecoder(uint32_t body_bytes_max) : body_bytes_max_(body_bytes_max) {}

  // Takes what belongs to the next frame from the front of `input`. Call again while it does not say kNeedsMore.
  State Next(ByteView& input);
  const FrameHeader& header() const { return frame_.header; }
  Frame TakeFrame() { return std::move(frame_); }

  // The rest of the current frame is read and thrown away.
  void SkipBody();
  // In the middle of a frame: a header is known, its body is not whole.
  bool in_body() const { return has_header_; }
  bool skipping() const { return skip_bytes_ > 0; }
  // Nothing of a frame has been received.
  bool at_boundary() const { return !has_header_ && header_bytes_ == 0 && skip_bytes_ == 0; }
  // Bytes of the unfinished frame that are held.
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
