// REGISTER (v4 section 4.1.8): the kinds of events that a client asks for.
#pragma once

#include "net/protocol/body_reader.h"

namespace widerow {

struct RegisterMessage {
  bool topology_change = false, status_change = false, schema_change = false;
};

// Decodes REGISTER. ProtocolError if the body is malformed or names an unknown kind of event.
Result<RegisterMessage> DecodeRegister(ByteView body);

}  // namespace widerow
