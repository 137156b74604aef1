// BATCH (v4 section 4.1.7): statements, each given as text or as a prepared id, that are applied together.
#pragma once

#include "net/protocol/query_parameters.h"
#include "parser/ast.h"

namespace widerow {

struct BatchMessage {
  struct Entry {
    bool is_prepared = false;
    ByteView text_or_id;  // Borrows the body.
    std::vector<BoundValue> values;
    std::vector<std::string> names;
  };
  BatchStatement::Kind kind = BatchStatement::Kind::kLogged;
  std::vector<Entry> entries;
  QueryParameters parameters;  // The parameters of the whole batch. They have no values and no paging.
};

// Decodes BATCH. The result borrows `body`. ProtocolError if `body` is malformed.
Result<BatchMessage> DecodeBatch(ByteView body, uint8_t version);

}  // namespace widerow
