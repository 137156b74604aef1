// EXECUTE (v4 section 4.1.6). Version 5 adds the id of the result metadata that the client knows.
#pragma once

#include "net/protocol/query_parameters.h"

namespace widerow {

struct ExecuteMessage {
  ByteView id;           // Both ids borrow the body.
  ByteView metadata_id;  // Version 5 only.
  QueryParameters parameters;
};

// Decodes EXECUTE. The result borrows `body`. ProtocolError if `body` is malformed.
Result<ExecuteMessage> DecodeExecute(ByteView body, uint8_t version);

}  // namespace widerow
