// The frame decoder must give the same frames, however the bytes are divided. It must keep no more bytes than it
// received.
#include "base/check.h"
#include "net/protocol/frame.h"
#include "tests/fuzz/fuzz_target.h"

using namespace widerow;

namespace {

// Gives the stream to a decoder in pieces of `piece` bytes. Returns a digest of all its answers.
uint64_t Run(ByteView stream, size_t piece) {
  FrameDecoder decoder(5'000);
  uint64_t digest = 1;
  while (!stream.empty()) {
    ByteView input = stream.substr(0, piece);
    stream.remove_prefix(input.size());
    for (;;) {
      const FrameDecoder::State state = decoder.Next(input);
      WR_CHECK(decoder.held_bytes() <= 5'000);
      if (state == FrameDecoder::State::kNeedsMore) break;
      digest = digest * 31 + static_cast<uint64_t>(state);
      if (state == FrameDecoder::State::kBadVersion) return digest;
      if (state == FrameDecoder::State::kTooLong) {
        decoder.SkipBody();
        continue;
      }
      const Frame frame = decoder.TakeFrame();
      WR_CHECK(frame.body.size() == frame.header.body_bytes);
      for (const char c : frame.body) digest = digest * 31 + static_cast<uint8_t>(c);
      digest = digest * 31 + static_cast<uint16_t>(frame.header.stream);
    }
    WR_CHECK(input.empty());
  }
  return digest;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  FuzzInput input(data, size);
  const size_t piece = 1 + input.Byte();
  WR_CHECK(Run(input.rest(), piece) == Run(input.rest(), input.rest().size() + 1));
  return 0;
}
