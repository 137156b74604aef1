// Segments of protocol version 5 (v5 framing): after the handshake frames travel inside checked segments of at most 128 KiB,
// each with its own length and CRC24, then the payload and its CRC32. A self-contained segment holds whole frames; a large
// frame is cut over several. Pure: bytes in, payloads out.
#pragma once

#include "base/bytes.h"
#include "base/result.h"

namespace widerow {

inline constexpr size_t kSegmentPayloadMax = (1u << 17) - 1;

// Cuts a stream of bytes into segments.
class SegmentDecoder {
 public:
  enum class State : uint8_t {
    kNeedsMore,      // All of the input is taken.
    kSegment,        // payload() is whole.
    kBadHeader,      // The header's checksum fails: nothing behind it can be trusted. Final.
    kBadPayload,     // The payload's checksum fails, or it does not decompress. Final.
  };

  explicit SegmentDecoder(bool compressed) : compressed_(compressed) {}

  State Next(ByteView& input);
  ByteView payload() const { return payload_; }
  bool self_contained() const { return self_contained_; }
  // The bytes of the header that failed; fewer than a frame's header.
  ByteView header_bytes() const { return held_; }
  size_t held_bytes() const { return held_.size(); }

 private:
  size_t header_size() const { return compressed_ ? 8 : 6; }
  State DecodeHeader();
  State DecodePayload();

  const bool compressed_;
  Bytes held_;             // Of the unfinished segment: header first, then payload and checksum.
  bool has_header_ = false;
  size_t stored_bytes_ = 0;        // Of the payload as it travels.
  size_t uncompressed_bytes_ = 0;  // 0: stored as it is.
  bool self_contained_ = false;
  Bytes payload_;
};

// Collects answers into segments: small frames share one, large ones are cut.
class SegmentWriter {
 public:
  explicit SegmentWriter(bool compressed) : compressed_(compressed) {}
  void AddFrame(ByteView frame);
  // All segments since the last call.
  Bytes Take();

 private:
  void Flush();
  void AppendSegment(ByteView payload, bool self_contained);

  const bool compressed_;
  Bytes frames_;  // Whole frames that do not fill a segment yet.
  Bytes out_;
};

// Checksums of the v5 framing, for tests too.
uint32_t Crc24(uint64_t bytes, size_t length);  // Of the `length` low bytes, lowest first.
uint32_t SegmentCrc32(ByteView payload);

}  // namespace widerow
