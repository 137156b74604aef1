// ERROR (v4 section 9): the code, the message and the fields that belong to the code.
#pragma once

#include "base/error.h"
#include "exec/rows/consistency.h"
#include "net/protocol/frame_writer.h"

namespace widerow {

// Values of fields that only some error codes have. EncodeError knows the values of other such fields, because there
// is only one server.
struct ErrorFields {
  ConsistencyLevel consistency = ConsistencyLevel::kOne;  // The request's level; time-outs and failures repeat it.
  bool is_batch = false;                                  // A failed write has the type BATCH if true, SIMPLE if false.
  ByteView prepared_id;                                   // For kUnprepared.
  std::vector<std::string> warnings = {};                 // Sent at the start of the body, as in RESULT.
};

// Encodes the error. `text` is the message for the client.
Bytes EncodeError(const AnswerTo& to, const Error& error, std::string_view text, const ErrorFields& fields = {});
// Encodes the error with its own message and hint.
Bytes EncodeError(const AnswerTo& to, const Error& error);

// Encodes UNPREPARED with Cassandra's sentence for an id that is unknown or has been forgotten.
Bytes EncodeUnprepared(const AnswerTo& to, ByteView id);

}  // namespace widerow
