#include "net/protocol/compression.h"

#include <lz4.h>
#include <snappy.h>

#include "net/protocol/body_reader.h"

namespace widerow {

namespace {

// Upper bounds of the number of bytes to which one byte of input can decompress. An lz4 length byte adds at most 255
// bytes. A snappy copy takes two or more bytes and gives at most 64.
constexpr size_t kLz4RatioMax = 255, kSnappyRatioMax = 64;
constexpr size_t kRatioSlack = 64;

Error Damaged(const char* algorithm) {
  return ProtocolError(std::string("The frame's body is not valid ") + algorithm);
}

}  // namespace

void CompressBlock(ByteView block, Bytes& out) {
  const size_t before = out.size();
  const int bound = LZ4_compressBound(static_cast<int>(block.size()));
  WR_CHECK(bound > 0 ||
           block.empty());  // lz4's limit is 2 GB. Answers are shorter (kAnswerBytesMax), and so are segments.
  out.resize(before + static_cast<size_t>(bound));
  const int bytes = LZ4_compress_default(block.data(), out.data() + before, static_cast<int>(block.size()), bound);
  out.resize(before + static_cast<size_t>(bytes));
}

bool DecompressBlock(ByteView block, size_t uncompressed_bytes, Bytes& out) {
  if (uncompressed_bytes > block.size() * kLz4RatioMax + kRatioSlack) return false;
  const size_t before = out.size();
  out.resize(before + uncompressed_bytes);
  const int bytes = LZ4_decompress_safe(block.data(), out.data() + before, static_cast<int>(block.size()),
                                        static_cast<int>(uncompressed_bytes));
  if (bytes >= 0 && static_cast<size_t>(bytes) == uncompressed_bytes) return true;
  out.resize(before);
  return false;
}

void CompressBody(Compression compression, ByteView body, Bytes& out) {
  switch (compression) {
    case Compression::kNone: out.append(body); return;
    case Compression::kLz4:
      AppendBigEndian(out, static_cast<int32_t>(body.size()));
      CompressBlock(body, out);
      return;
    case Compression::kSnappy: {
      const size_t before = out.size();
      out.resize(before + snappy::MaxCompressedLength(body.size()));
      size_t bytes = 0;
      snappy::RawCompress(body.data(), body.size(), out.data() + before, &bytes);
      out.resize(before + bytes);
      return;
    }
  }
}

Result<size_t> UncompressedBytes(Compression compression, ByteView body, size_t bytes_max) {
  size_t bytes = body.size();
  if (compression == Compression::kLz4) {
    if (body.size() < 4) return Damaged("lz4");
    bytes = ReadBigEndian<uint32_t>(body.data());
    if (bytes > bytes_max) {
      return InvalidError("Request is too big: length " + std::to_string(bytes) + " exceeds maximum allowed length " +
                          std::to_string(bytes_max) + '.');
    }
    if (bytes > body.size() * kLz4RatioMax + kRatioSlack) return Damaged("lz4");
  } else if (compression == Compression::kSnappy) {
    if (!snappy::GetUncompressedLength(body.data(), body.size(), &bytes)) return Damaged("snappy");
    if (bytes > bytes_max) {
      return InvalidError("Request is too big: length " + std::to_string(bytes) + " exceeds maximum allowed length " +
                          std::to_string(bytes_max) + '.');
    }
    if (bytes > body.size() * kSnappyRatioMax + kRatioSlack) return Damaged("snappy");
  }
  return bytes;
}

Result<Bytes> DecompressBody(Compression compression, ByteView body, size_t bytes_max) {
  WR_ASSIGN_OR_RETURN(const size_t bytes, UncompressedBytes(compression, body, bytes_max));
  Bytes out;
  switch (compression) {
    case Compression::kNone: return Bytes(body);
    case Compression::kLz4:
      if (!DecompressBlock(body.substr(4), bytes, out)) return Damaged("lz4");
      return out;
    case Compression::kSnappy:
      out.resize(bytes);
      if (!snappy::RawUncompress(body.data(), body.size(), out.data())) return Damaged("snappy");
      return out;
  }
  return out;
}

}  // namespace widerow
