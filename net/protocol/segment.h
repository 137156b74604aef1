// Segments of protocol version 5 (v5 framing). After the handshake, frames travel inside segments. A segment is shorter
// than 128 KiB: a header with length and CRC24, then the payload and its CRC32. A self-contained segment has whole
// frames; a large frame spans several segments. Nothing here reads a socket: bytes come in, and payloads come out.
#pragma once

#include "base/bytes.h"
#include "base/result.h"

namespace widerow {

inline constexpr size_t kSegmentPayloadMax = (1u << 17) - 1;

// Cuts a stream of bytes into segments.
class SegmentDecoder {
 public:
  enum class State : uint8_t {
    kNeedsMore,   // The input is used up.
    kSegment,     // payload() is complete.
    kBadHeader,   // The header's checksum is wrong. Next must not be called again.
    kBadPayload,  // The payload has a wrong checksum or does not decompress. Next must not be called again.
  };

  explicit SegmentDecoder(bool compressed) : compressed_(compressed) {}

  State Next(ByteView& input);
  ByteView payload() const { return payload_; }
  bool self_contained() const { return self_contained_; }
  // Returns the bytes of the header with the wrong checksum. They are fewer than those of a frame's header.
  ByteView header_bytes() const { return held_; }
  size_t held_bytes() const { return held_.size(); }

 private:
  size_t header_size() const { return compressed_ ? 8 : 6; }
  State DecodeHeader();
  State DecodePayload();

  const bool compressed_;
  Bytes held_;  // The incomplete segment: header first, then payload and checksum.
  bool has_header_ = false;
  size_t stored_bytes_ = 0;        // Size of the payload on the wire.
  size_t uncompressed_bytes_ = 0;  // 0: the payload is not compressed.
  bool self_contained_ = false;
  Bytes payload_;
};

// Collects answers into segments: small frames share a segment, large frames are cut.
class SegmentWriter {
 public:
  explicit SegmentWriter(bool compressed) : compressed_(compressed) {}
  void AddFrame(ByteView frame);
  // Returns all segments since the last call.
  Bytes Take();

 private:
  void Flush();
  void AppendSegment(ByteView payload, bool self_contained);

  const bool compressed_;
  Bytes frames_;  // Whole frames that do not fill a segment yet.
  Bytes out_;
};

// Return the checksums of the v5 framing. Tests use them too.
uint32_t Crc24(uint64_t bytes, size_t length);  // Covers the `length` low bytes, lowest first.
uint32_t SegmentCrc32(ByteView payload);

}  // namespace widerow
