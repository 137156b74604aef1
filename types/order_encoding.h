// The encoding of single values for types/order_codec.h, without component separators: Cassandra's ByteSource, version
// OSS50. Forms: fixed-size numbers with the sign flipped; bigint, varint and decimal with their length first; text,
// blob, inet and duration with escaped zeros; collections and tuples as components of their own, closed by a
// terminator.
#pragma once

#include <cstdint>

#include "types/type.h"

namespace widerow::order_encoding {

namespace marker {
inline constexpr uint8_t kTerminator = 0x38;
inline constexpr uint8_t kNull = 0x3E;
inline constexpr uint8_t kEmpty = 0x3F;
inline constexpr uint8_t kNext = 0x40;
inline constexpr uint8_t kEmptyReversed = 0x41;
}  // namespace marker

// Reads the bytes of an encoding, inverted back if the column is descending.
class Reader {
 public:
  Reader(ByteView in, bool inverted) : in_(in), mask_(inverted ? 0xFF : 0x00) {}

  size_t left() const { return in_.size(); }
  bool inverted() const { return mask_ != 0; }
  uint8_t mask() const { return mask_; }
  ByteView rest() const { return in_; }
  void Skip(size_t count) { in_.remove_prefix(count); }
  // Requires left() > ahead.
  uint8_t Peek(size_t ahead = 0) const { return static_cast<uint8_t>(in_[ahead]) ^ mask_; }
  bool Take(uint8_t& byte) {
    if (in_.empty()) return false;
    byte = Peek();
    Skip(1);
    return true;
  }
  // Takes a big-endian number.
  template <std::unsigned_integral T>
  bool TakeWord(T& word) {
    if (in_.size() < sizeof(T)) return false;
    word = ReadBigEndian<T>(in_.data());
    if (mask_ != 0) word = static_cast<T>(~word);
    Skip(sizeof(T));
    return true;
  }

 private:
  ByteView in_;
  uint8_t mask_;
};

// True if an empty value of this kind has an encoding of its own (escaped zeros) and needs no marker. Such encodings
// are prefix-free only together with the byte that follows them.
constexpr bool EmptyHasBytes(TypeKind kind) {
  return kind == TypeKind::kAscii || kind == TypeKind::kText || kind == TypeKind::kBlob || kind == TypeKind::kInet ||
         kind == TypeKind::kDuration;
}

// Appends the encoding of `value`, which must not be empty, unless EmptyHasBytes(type.kind).
void AppendValue(const Type& type, ByteView value, Bytes& out);
// Removes an encoding from the front of `reader` and decodes it. False if the bytes are no encoding of a value.
bool TakeValue(const Type& type, Reader& reader, Bytes& value);
bool SkipValue(const Type& type, Reader& reader);

// The following functions are in order_encoding_number.cc.
void AppendOrderedBigint(int64_t value, Bytes& out);
bool TakeOrderedBigint(Reader& reader, int64_t& value);
void AppendOrderedVarint(ByteView value, Bytes& out);
bool TakeOrderedVarint(Reader& reader, Bytes& value);
void AppendOrderedDecimal(ByteView value, Bytes& out);
bool TakeOrderedDecimal(Reader& reader, Bytes& value);

}  // namespace widerow::order_encoding
