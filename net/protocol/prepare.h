// PREPARE (v4 section 4.1.5; v5 adds flags and a keyspace).
#pragma once

#include "net/protocol/body_reader.h"

namespace widerow {

struct PrepareMessage {
  ByteView text;      // Both in the body.
  ByteView keyspace;  // Version 5 only; empty: the connection's.
};

Result<PrepareMessage> DecodePrepare(ByteView body, uint8_t version);

}  // namespace widerow
