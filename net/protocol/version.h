// The supported versions of the native protocol, and their names in Cassandra's spelling.
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
