// The segment decoder of version 5 must return what the writer has written, however the bytes are divided. It must
// refuse anything else.
#include "base/check.h"
#include "net/protocol/segment.h"
#include "tests/fuzz/fuzz_target.h"

using namespace widerow;

namespace {

Bytes Decode(ByteView stream, bool compressed, size_t piece, SegmentDecoder::State& last) {
  SegmentDecoder decoder(compressed);
  Bytes payloads;
  last = SegmentDecoder::State::kNeedsMore;
  while (!stream.empty()) {
    ByteView input = stream.substr(0, piece);
    stream.remove_prefix(input.size());
    while ((last = decoder.Next(input)) == SegmentDecoder::State::kSegment) payloads += decoder.payload();
    if (last != SegmentDecoder::State::kNeedsMore) break;
  }
  return payloads;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  FuzzInput input(data, size);
  const uint8_t how = input.Byte();
  const bool compressed = (how & 1) != 0;
  const size_t piece = 1 + input.Byte();
  SegmentDecoder::State last{};
  Decode(input.rest(), compressed, piece,
         last);  // The bytes are not changed here. In most cases they are not a valid segment.

  // The same bytes get right checksums here, so that the code after the checks is reached.
  Bytes mended(input.rest());
  const size_t fields_bytes = compressed ? 5 : 3, header_bytes = fields_bytes + 3;
  if (mended.size() >= header_bytes + 4) {
    const size_t payload_bytes = mended.size() - header_bytes - 4;
    uint64_t fields = 0;
    for (size_t i = 0; i < fields_bytes; ++i) fields |= uint64_t{static_cast<uint8_t>(mended[i])} << (8 * i);
    fields = (fields & ~uint64_t{kSegmentPayloadMax}) | (payload_bytes & kSegmentPayloadMax);
    for (size_t i = 0; i < fields_bytes; ++i) mended[i] = static_cast<char>(fields >> (8 * i));
    const uint32_t header_crc = Crc24(fields, fields_bytes);
    for (size_t i = 0; i < 3; ++i) mended[fields_bytes + i] = static_cast<char>(header_crc >> (8 * i));
    const uint32_t crc = SegmentCrc32(ByteView(mended).substr(header_bytes, payload_bytes));
    for (size_t i = 0; i < 4; ++i) mended[mended.size() - 4 + i] = static_cast<char>(crc >> (8 * i));
    Decode(mended, compressed, piece, last);
    WR_CHECK(last != SegmentDecoder::State::kBadHeader);
  }

  SegmentWriter writer(compressed);
  Bytes all;
  for (FuzzInput frames = input; !frames.empty();) {
    const ByteView frame = frames.Take(1 + frames.Byte());
    writer.AddFrame(frame);
    all += frame;
  }
  WR_CHECK(Decode(writer.Take(), compressed, piece, last) == all);
  WR_CHECK(last == SegmentDecoder::State::kNeedsMore);
  return 0;
}
