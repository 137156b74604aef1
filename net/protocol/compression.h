// Compression of frame bodies in versions 3 and 4 (v4 section 5), and plain lz4 blocks for the segments of version 5.
// Decompression never allocates more than `bytes_max`, nor more than the input could possibly decompress to.
#pragma once

#include "base/bytes.h"
#include "base/result.h"

namespace widerow {

enum class Compression : uint8_t { kNone, kLz4, kSnappy };

// Appends a compressed frame body. An lz4 body begins with the uncompressed size in four bytes; snappy contains the
// size itself.
void CompressBody(Compression compression, ByteView body, Bytes& out);
// Returns the uncompressed size that a body claims. kInvalid if it exceeds `bytes_max`; ProtocolError if a body of this
// length cannot decompress to that size.
Result<size_t> UncompressedBytes(Compression compression, ByteView body, size_t bytes_max);
Result<Bytes> DecompressBody(Compression compression, ByteView body, size_t bytes_max);

// CompressBlock and DecompressBlock use plain lz4 blocks. DecompressBlock returns false if the block is damaged or does
// not have exactly `uncompressed_bytes`.
void CompressBlock(ByteView block, Bytes& out);
bool DecompressBlock(ByteView block, size_t uncompressed_bytes, Bytes& out);

}  // namespace widerow
