// 16-byte UUIDs of RFC 4122: random ones (version 4), time-based ones (version 1), and their text form.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/bytes.h"

namespace widerow {

struct Uuid {
  std::array<uint8_t, 16> bytes{};

  ByteView view() const { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }
  int version() const { return bytes[6] >> 4; }
  std::string ToString() const;
  static std::optional<Uuid> FromString(std::string_view text);
  static Uuid FromBytes(ByteView sixteen_bytes);
  static Uuid Random();
  // Returns a time-based UUID, unique in this process; each call returns a greater one. Thread-safe.
  static Uuid TimeBased(int64_t unix_micros);
  // Returns the time of a version 1 UUID, in intervals of 100 ns since 1582-10-15.
  uint64_t timestamp_100ns() const;

  friend auto operator<=>(const Uuid&, const Uuid&) = default;
  // Lets Abseil's hash tables have Uuids as keys.
  template <typename H>
  friend H AbslHashValue(H hash, const Uuid& uuid) {
    return H::combine_contiguous(std::move(hash), uuid.bytes.data(), uuid.bytes.size());
  }
};

inline constexpr uint64_t kUuidEpochOffset100ns = 0x01B21DD213814000ULL;  // From 1582-10-15 to 1970-01-01.

}  // namespace widerow
