// QUERY (v4 section 4.1.4): a statement's text and its values.
#pragma once

#include "net/protocol/query_parameters.h"

namespace widerow {

struct QueryMessage {
  ByteView text;  // Borrows the body.
  QueryParameters parameters;
};

// Decodes QUERY. The result borrows `body`. ProtocolError if `body` is malformed.
Result<QueryMessage> DecodeQuery(ByteView body, uint8_t version);

}  // namespace widerow
