#include "net/protocol/startup.h"

#include <algorithm>

#include "net/protocol/body_reader.h"

namespace widerow {

namespace {

std::string UpperCase(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](char c) { return c >= 'a' && c <= 'z' ? c - 32 : c; });
  return text;
}

// Returns 3 for "3.4.7": three numbers, optionally followed by '-' or '+' and anything.
std::optional<int> MajorOf(const std::string& version) {
  int numbers = 0, major = 0, digits = 0;
  size_t at = 0;
  for (; at < version.size() && version[at] != '-' && version[at] != '+'; ++at) {
    if (version[at] == '.') {
      if (digits == 0) return std::nullopt;
      ++numbers;
      digits = 0;
    } else if (version[at] >= '0' && version[at] <= '9' && digits < 6) {
      if (numbers == 0) major = major * 10 + (version[at] - '0');
      ++digits;
    } else {
      return std::nullopt;
    }
  }
  return numbers == 2 && digits > 0 ? std::optional<int>(major) : std::nullopt;
}

Result<Compression> ParseCompression(const std::string& name, uint8_t version) {
  const std::string upper = UpperCase(name);
  if (upper == "LZ4") return Compression::kLz4;
  if (upper != "SNAPPY") return ProtocolError("Unknown compression algorithm: " + name);
  if (version >= 5)
    return ProtocolError("Snappy compression is not supported in protocol V5", "use lz4, or protocol v4");
  return Compression::kSnappy;
}

}  // namespace

Result<StartupRequest> DecodeStartup(ByteView body, uint8_t version) {
  BodyReader in(body);
  StartupRequest request;
  std::string cql_version, compression;
  for (auto& [key, value] : in.StringMap()) {
    const std::string name = UpperCase(key);
    if (name == "CQL_VERSION") cql_version = value;
    if (name == "COMPRESSION") compression = value;
    request.options[name] = std::move(value);
  }
  WR_RETURN_IF_ERROR(in.status());
  if (cql_version.empty()) return ProtocolError("Missing value CQL_VERSION in STARTUP message");
  const std::optional<int> major = MajorOf(cql_version);
  if (!major) return ProtocolError("Invalid version value: " + cql_version);
  if (*major < 3) {
    return ProtocolError("CQL version " + cql_version +
                         " is not supported by the binary protocol (supported version are >= 3.0.0)");
  }
  if (!compression.empty()) { WR_ASSIGN_OR_RETURN(request.compression, ParseCompression(compression, version)); }
  return request;
}

}  // namespace widerow
