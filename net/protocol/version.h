// The versions of the native protocol that are spoken, and their names as Cassandra writes them.
#pragma once

#include <cstdint>
#include <string>

namespace widerow {

inline constexpr uint8_t kProtocolVersionMin = 3;
inline constexpr uint8_t kProtocolVersionMax = 5;

constexpr bool IsSupportedVersion(uint8_t version) {
  return version >= kProtocolVersionMin && version <= kProtocolVersionMax;
}
inline std::string VersionName(uint8_t version) {
  const std::string number = std::to_string(version);
  return number + "/v" + number;
}

}  // namespace widerow
