#include "net/protocol/frame.h"

#include <algorithm>

#include "net/protocol/version.h"

namespace widerow {

namespace {

constexpr uint8_t kResponseBit = 0x80;
// The most memory that is reserved for a body as long as only its header has arrived. Beyond it, the memory grows with
// the bytes received.
constexpr size_t kClaimBytesMax = 64u << 10;

}  // namespace

FrameHeader DecodeFrameHeader(const char* bytes) {
  const auto first = static_cast<uint8_t>(bytes[0]);
  return {.version = static_cast<uint8_t>(first & ~kResponseBit),
          .is_response = (first & kResponseBit) != 0,
          .flags = static_cast<uint8_t>(bytes[1]),
          .stream = ReadBigEndian<int16_t>(bytes + 2),
          .opcode = static_cast<uint8_t>(bytes[4]),
          .body_bytes = ReadBigEndian<uint32_t>(bytes + 5)};
}

void AppendFrameHeader(Bytes& out, const FrameHeader& header) {
  out.push_back(static_cast<char>(header.version | (header.is_response ? kResponseBit : 0)));
  out.push_back(static_cast<char>(header.flags));
  AppendBigEndian(out, header.stream);
  out.push_back(static_cast<char>(header.opcode));
  AppendBigEndian(out, header.body_bytes);
}

FrameDecoder::State FrameDecoder::TakeHeader(ByteView& input) {
  const size_t taken = std::min(kFrameHeaderBytes - header_bytes_, input.size());
  std::memcpy(header_ + header_bytes_, input.data(), taken);
  header_bytes_ += taken;
  input.remove_prefix(taken);
  // Frames of versions 1 and 2 have shorter headers, so nine bytes may never come. Four bytes are enough to check the
  // version, and they contain the stream's number for the answer.
  if (header_bytes_ >= 4 && !IsSupportedVersion(static_cast<uint8_t>(header_[0]) & ~kResponseBit)) {
    frame_.header = DecodeFrameHeader(header_);
    if (frame_.header.version < kProtocolVersionMin) frame_.header.stream = static_cast<int8_t>(header_[2]);
    return State::kBadVersion;
  }
  if (header_bytes_ < kFrameHeaderBytes) return State::kNeedsMore;
  frame_.header = DecodeFrameHeader(header_);
  frame_.body.clear();
  has_header_ = true;
  return frame_.header.body_bytes > body_bytes_max_ ? State::kTooLong : State::kFrame;
}

bool FrameDecoder::TakeBody(ByteView& input) {
  const size_t whole = frame_.header.body_bytes;
  const size_t taken = std::min(whole - frame_.body.size(), input.size());
  if (frame_.body.capacity() < frame_.body.size() + taken) {
    const size_t held = frame_.body.size() + taken;
    Bytes larger;  // reserve() on the body itself might double its memory.
    larger.reserve(std::min(whole, std::max(kClaimBytesMax, held + held / 2)));
    larger.append(frame_.body);
    frame_.body = std::move(larger);
  }
  frame_.body.append(input.substr(0, taken));
  input.remove_prefix(taken);
  return frame_.body.size() == whole;
}

FrameDecoder::State FrameDecoder::Next(ByteView& input) {
  if (skip_bytes_ > 0) {
    const size_t skipped = std::min(skip_bytes_, input.size());
    input.remove_prefix(skipped);
    skip_bytes_ -= skipped;
  }
  if (input.empty() && !(has_header_ && frame_.header.body_bytes == frame_.body.size())) return State::kNeedsMore;
  if (!has_header_) {
    const State state = TakeHeader(input);
    if (state != State::kFrame) return state;
  }
  if (!TakeBody(input)) return State::kNeedsMore;
  has_header_ = false;
  header_bytes_ = 0;
  return State::kFrame;
}

void FrameDecoder::SkipBody() {
  skip_bytes_ = frame_.header.body_bytes - frame_.body.size();
  has_header_ = false;
  header_bytes_ = 0;
  Bytes().swap(frame_.body);  // Assigning an empty string would keep the memory.
}

}  // namespace widerow
