// Compression of frame bodies in versions 3 and 4 (v4 section 5), and the raw lz4 blocks of version 5's segments. No input
// makes decompression claim more memory than `bytes_max`, nor more than the input could possibly unfold to.
#pragma once

#include "base/bytes.h"
#include "base/result.h"

namespace widerow {

enum class Compression : uint8_t { kNone, kLz4, kSnappy };

// A frame body: lz4 begins with the uncompressed size in four bytes; snappy holds it itself.
void CompressBody(Compression compression, ByteView body, Bytes& out);
// The size that a compressed body says it unfolds to; ProtocolError if it cannot be.
Result<size_t> UncompressedBytes(Compression compression, ByteView body, size_t bytes_max);
Result<Bytes> DecompressBody(Compression compression, ByteView body, size_t bytes_max);

// A bare lz4 block. False if it is damaged or does not unfold to exactly `uncompressed_bytes`.
void CompressBlock(ByteView block, Bytes& out);
bool DecompressBlock(ByteView block, size_t uncompressed_bytes, Bytes& out);

}  // namespace widerow
