// Converts UUIDs to two unsigned words that sort in CQL's order. uuid: by version, then version 1 by time and the
// others by their bytes. timeuuid: by time, then by the last eight bytes as signed bytes, an order that Cassandra has
// kept from its first releases.
#pragma once

#include <cstdint>

#include "base/bytes.h"

namespace widerow {

struct UuidOrderKey {
  uint64_t high = 0;
  uint64_t low = 0;
};

// The first eight bytes of a UUID are time_low, time_mid, and version with time_hi. TimeFirst puts them in the opposite
// order, so that times can be compared as numbers. TimeLast is the inverse.
inline uint64_t TimeFirst(uint64_t high) { return high << 48 | (high << 16 & 0xFFFF'0000'0000ULL) | high >> 32; }
inline uint64_t TimeLast(uint64_t ordered) { return ordered << 32 | (ordered >> 16 & 0xFFFF'0000ULL) | ordered >> 48; }

inline constexpr uint64_t kSignedBytes = 0x8080'8080'8080'8080ULL;

inline UuidOrderKey TimeuuidToOrder(const char* sixteen_bytes) {
  return {.high = TimeFirst(ReadBigEndian<uint64_t>(sixteen_bytes)),
          .low = ReadBigEndian<uint64_t>(sixteen_bytes + 8) ^ kSignedBytes};
}
inline UuidOrderKey UuidToOrder(const char* sixteen_bytes) {
  const auto high = ReadBigEndian<uint64_t>(sixteen_bytes);
  const uint64_t version = high >> 12 & 0xF;
  return {
      .high = version == 1 ? TimeFirst(high) : version << 60 | (high >> 4 & 0x0FFF'FFFF'FFFF'F000ULL) | (high & 0xFFF),
      .low = ReadBigEndian<uint64_t>(sixteen_bytes + 8)};
}

inline uint64_t UuidHighFromOrder(uint64_t ordered) {
  const uint64_t version = ordered >> 60;
  if (version == 1) return TimeLast(ordered);
  return (ordered & 0x0FFF'FFFF'FFFF'F000ULL) << 4 | version << 12 | (ordered & 0xFFF);
}

}  // namespace widerow
