// PREPARE (v4 section 4.1.5). Version 5 adds flags and a keyspace.
#pragma once

#include "net/protocol/body_reader.h"

namespace widerow {

struct PrepareMessage {
  ByteView text;      // Both fields borrow the body.
  ByteView keyspace;  // Version 5 only; empty: the connection's keyspace.
};

// Decodes PREPARE. The result borrows `body`. ProtocolError if `body` is malformed.
Result<PrepareMessage> DecodePrepare(ByteView body, uint8_t version);

}  // namespace widerow
