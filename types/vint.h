// Cassandra's variable-length integers (VIntCoding): the first byte begins with one 1 bit for each following byte, then
// comes the number, big-endian. They are used in durations (zigzag), in vectors of variable-size elements and in the
// order-preserving encoding of varints (types/order_encoding.h).
#pragma once

#include <bit>
#include <cstdint>

#include "base/bytes.h"

namespace widerow {

inline void AppendUnsignedVint(Bytes& out, uint64_t value) {
  const int bits = 64 - std::countl_zero(value | 1);
  const int extra = bits > 56 ? 8 : (bits - 1) / 7;
  if (extra < 8) {
    out.push_back(static_cast<char>((0xFF00u >> extra & 0xFF) | (value >> (8 * extra))));
  } else {
    out.push_back('\xFF');
  }
  for (int i = extra; i-- > 0;) out.push_back(static_cast<char>(value >> (8 * i)));
}

// Removes a number from the front of `in`. False if the number is cut off.
inline bool TakeUnsignedVint(ByteView& in, uint64_t& value) {
  if (in.empty()) return false;
  const auto first = static_cast<uint8_t>(in[0]);
  const int extra = std::countl_one(first);
  if (in.size() < static_cast<size_t>(extra) + 1) return false;
  value = extra >= 7 ? 0 : first & (0xFFu >> (extra + 1));
  for (int i = 1; i <= extra; ++i) value = value << 8 | static_cast<uint8_t>(in[i]);
  in.remove_prefix(extra + 1);
  return true;
}

inline void AppendSignedVint(Bytes& out, int64_t value) {
  AppendUnsignedVint(out, static_cast<uint64_t>(value) << 1 ^ static_cast<uint64_t>(value >> 63));
}

inline bool TakeSignedVint(ByteView& in, int64_t& value) {
  uint64_t zigzag = 0;
  if (!TakeUnsignedVint(in, zigzag)) return false;
  value = static_cast<int64_t>(zigzag >> 1 ^ (~(zigzag & 1) + 1));
  return true;
}

}  // namespace widerow
