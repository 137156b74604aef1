// STARTUP (v4 section 4.1.1): the CQL version and the compression that the client asks for.
#pragma once

#include <map>
#include <string>

#include "base/result.h"
#include "net/protocol/compression.h"

namespace widerow {

struct StartupRequest {
  Compression compression = Compression::kNone;
  std::map<std::string, std::string> options;  // All options of the client, names in upper case.
};

// Checks the options as Cassandra does; unknown options (DRIVER_NAME, …) are accepted. ProtocolError with Cassandra's
// sentence if CQL_VERSION is missing or too old, or if `version` does not have the compression.
Result<StartupRequest> DecodeStartup(ByteView body, uint8_t version);

}  // namespace widerow
