// Byte strings and big-endian integers. Bytes owns its content, ByteView borrows it; both hold arbitrary bytes, not
// text.
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace widerow {

using Bytes = std::string;
using ByteView = std::string_view;

template <std::integral T>
T ToBigEndian(T value) {
  if constexpr (sizeof(T) == 1 || std::endian::native == std::endian::big) {
    return value;
  } else if constexpr (sizeof(T) == 2) {
    return static_cast<T>(__builtin_bswap16(static_cast<uint16_t>(value)));
  } else if constexpr (sizeof(T) == 4) {
    return static_cast<T>(__builtin_bswap32(static_cast<uint32_t>(value)));
  } else {
    return static_cast<T>(__builtin_bswap64(static_cast<uint64_t>(value)));
  }
}

template <std::integral T>
void AppendBigEndian(Bytes& out, T value) {
  const T big = ToBigEndian(value);
  out.append(reinterpret_cast<const char*>(&big), sizeof big);
}

// Reads sizeof(T) bytes at `at`; the caller must have checked that they exist.
template <std::integral T>
T ReadBigEndian(const char* at) {
  T big;
  std::memcpy(&big, at, sizeof big);
  return ToBigEndian(big);
}

// Appends an unsigned LEB128 number, at most 10 bytes.
void AppendVarint(Bytes& out, uint64_t value);
// Appends the length of `bytes` as a varint, then the bytes.
void AppendSized(Bytes& out, ByteView bytes);
// Removes a varint from the front of `in`. False if `in` is cut off or the varint is longer than 10 bytes.
bool TakeVarint(ByteView& in, uint64_t& value);

// Returns lower-case hexadecimal, two digits per byte.
std::string ToHex(ByteView bytes);
// Returns false if `hex` has an odd length or a character other than 0-9a-fA-F.
bool FromHex(std::string_view hex, Bytes& out);

}  // namespace widerow
