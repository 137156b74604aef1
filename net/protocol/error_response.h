// ERROR (v4 section 9): code, message and what the code brings with it.
#pragma once

#include "base/error.h"
#include "exec/consistency.h"
#include "net/protocol/frame_writer.h"

namespace widerow {

// What some codes carry beside the message. A server of one machine knows most of it beforehand.
struct ErrorFields {
  ConsistencyLevel consistency = ConsistencyLevel::kOne;  // Of the request: time-outs and failures repeat it.
  bool is_batch = false;      // Of a write: BATCH or SIMPLE.
  ByteView prepared_id;       // kUnprepared.
  std::vector<std::string> warnings = {};  // Sent before all else, as with a result.
};

// `text` is the message as the client shall read it.
Bytes EncodeError(const AnswerTo& to, const Error& error, std::string_view text, const ErrorFields& fields = {});
// The same with the error's own text and hint.
Bytes EncodeError(const AnswerTo& to, const Error& error);

// Cassandra's sentence for an id that is not known (any more).
Bytes EncodeUnprepared(const AnswerTo& to, ByteView id);

}  // namespace widerow
