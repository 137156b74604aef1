// STARTUP (v4 section 4.1.1): the client says which CQL and which compression it wants.
#pragma once

#include <map>
#include <string>

#include "base/result.h"
#include "net/protocol/compression.h"

namespace widerow {

struct StartupRequest {
  Compression compression = Compression::kNone;
  std::map<std::string, std::string> options;  // All that the client gave, names in upper case.
};

// Checks the options as Cassandra does; those it does not know (DRIVER_NAME, …) are accepted. ProtocolError with Cassandra's
// sentence for a missing or too old CQL_VERSION and for a compression that `version` does not have.
Result<StartupRequest> DecodeStartup(ByteView body, uint8_t version);

}  // namespace widerow
