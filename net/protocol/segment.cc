#include "net/protocol/segment.h"

#include <zlib.h>

#include <algorithm>

#include "net/protocol/compression.h"

namespace widerow {

namespace {

constexpr size_t kCrc24Bytes = 3, kCrc32Bytes = 4;

uint64_t ReadLittleEndian(const char* at, size_t bytes) {
  uint64_t value = 0;
  for (size_t i = 0; i < bytes; ++i) value |= uint64_t{static_cast<uint8_t>(at[i])} << (8 * i);
  return value;
}

void AppendLittleEndian(Bytes& out, uint64_t value, size_t bytes) {
  for (size_t i = 0; i < bytes; ++i) out.push_back(static_cast<char>(value >> (8 * i)));
}

}  // namespace

uint32_t Crc24(uint64_t bytes, size_t length) {
  constexpr uint32_t kInitial = 0x875060, kPolynomial = 0x1974F0B;
  uint32_t crc = kInitial;
  for (size_t i = 0; i < length; ++i) {
    crc ^= static_cast<uint32_t>(bytes & 0xFF) << 16;
    bytes >>= 8;
    for (int bit = 0; bit < 8; ++bit) {
      crc <<= 1;
      if (crc & 0x1000000) crc ^= kPolynomial;
    }
  }
  return crc;
}

uint32_t SegmentCrc32(ByteView payload) {
  constexpr uint8_t kInitial[] = {0xFA, 0x2D, 0x55, 0xCA};
  const auto seed = crc32(0, kInitial, sizeof kInitial);
  return static_cast<uint32_t>(
      crc32(seed, reinterpret_cast<const Bytef*>(payload.data()), static_cast<uInt>(payload.size())));
}

SegmentDecoder::State SegmentDecoder::DecodeHeader() {
  const size_t fields_bytes = header_size() - kCrc24Bytes;
  const uint64_t fields = ReadLittleEndian(held_.data(), fields_bytes);
  if (Crc24(fields, fields_bytes) != ReadLittleEndian(held_.data() + fields_bytes, kCrc24Bytes)) {
    return State::kBadHeader;
  }
  stored_bytes_ = fields & kSegmentPayloadMax;
  uncompressed_bytes_ = compressed_ ? (fields >> 17) & kSegmentPayloadMax : 0;
  self_contained_ = ((fields >> (compressed_ ? 34 : 17)) & 1) != 0;
  has_header_ = true;
  return State::kSegment;
}

SegmentDecoder::State SegmentDecoder::DecodePayload() {
  const ByteView stored = ByteView(held_).substr(header_size(), stored_bytes_);
  const auto crc = static_cast<uint32_t>(ReadLittleEndian(held_.data() + header_size() + stored_bytes_, kCrc32Bytes));
  if (SegmentCrc32(stored) != crc) return State::kBadPayload;
  payload_.clear();
  if (uncompressed_bytes_ == 0) {
    payload_.assign(stored);
  } else if (!DecompressBlock(stored, uncompressed_bytes_, payload_)) {
    return State::kBadPayload;
  }
  held_.clear();
  has_header_ = false;
  return State::kSegment;
}

SegmentDecoder::State SegmentDecoder::Next(ByteView& input) {
  const auto fill = [&](size_t wanted) {
    const size_t taken = std::min(wanted - std::min(wanted, held_.size()), input.size());
    held_.append(input.substr(0, taken));
    input.remove_prefix(taken);
    return held_.size() >= wanted;
  };
  if (!has_header_) {
    if (!fill(header_size())) return State::kNeedsMore;
    if (const State state = DecodeHeader(); state != State::kSegment) return state;
  }
  if (!fill(header_size() + stored_bytes_ + kCrc32Bytes)) return State::kNeedsMore;
  return DecodePayload();
}

void SegmentWriter::AppendSegment(ByteView payload, bool self_contained) {
  Bytes compressed;
  uint64_t fields = 0;
  size_t fields_bytes = 3;
  ByteView stored = payload;
  if (compressed_) {
    CompressBlock(payload, compressed);
    const bool smaller = compressed.size() < payload.size();
    if (smaller) stored = compressed;
    fields = stored.size() | (smaller ? uint64_t{payload.size()} : 0) << 17 | uint64_t{self_contained} << 34;
    fields_bytes = 5;
  } else {
    fields = stored.size() | uint64_t{self_contained} << 17;
  }
  AppendLittleEndian(out_, fields, fields_bytes);
  AppendLittleEndian(out_, Crc24(fields, fields_bytes), kCrc24Bytes);
  out_.append(stored);
  AppendLittleEndian(out_, SegmentCrc32(stored), kCrc32Bytes);
}

void SegmentWriter::Flush() {
  if (frames_.empty()) return;
  AppendSegment(frames_, true);
  frames_.clear();
}

void SegmentWriter::AddFrame(ByteView frame) {
  if (frames_.size() + frame.size() > kSegmentPayloadMax) Flush();
  if (frame.size() <= kSegmentPayloadMax) {
    frames_.append(frame);
    return;
  }
  for (; !frame.empty(); frame.remove_prefix(std::min(frame.size(), kSegmentPayloadMax))) {
    AppendSegment(frame.substr(0, kSegmentPayloadMax), false);
  }
}

Bytes SegmentWriter::Take() {
  Flush();
  return std::exchange(out_, {});
}

}  // namespace widerow
