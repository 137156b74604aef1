// A request while it runs: the state and the helpers shared by the functions that run QUERY, PREPARE, EXECUTE and
// BATCH.
#pragma once

#include "exec/engine/engine.h"
#include "net/native/session.h"
#include "net/protocol/error_response.h"
#include "net/protocol/query.h"
#include "net/protocol/result_response.h"
#include "parser/error_text.h"

namespace widerow {

// The request, and its answer as far as it has been made.
struct RunningRequest {
  Engine& engine;
  const NativeRequest& request;
  const std::shared_ptr<const ConnectionFacts>& connection;
  ByteView message;            // The decompressed body, without the custom payload.
  AnswerRoom* room = nullptr;  // Counts the memory of the answer's rows (AnswerLimits).
  NativeAnswer answer = {};
  std::vector<std::string> warnings = {};  // The warnings of a request that fails.
  bool* ran_long = nullptr;                // Not null if this thread may run short reads only (ReadLimits::ran_long).

  const AnswerTo& to() const { return request.to; }
  bool traced() const { return (request.flags & FrameFlags::kTracing) != 0; }
  void Fail(const Error& error, std::string_view statement, ErrorFields fields) {
    fields.warnings = std::move(warnings);
    answer.frame = EncodeError(to(), error, FullErrorText(error, statement), fields);
    answer.error = error.code;
  }
  void Fail(const Error& error) { Fail(error, {}, {}); }
  void FailUnprepared(ByteView id) {
    answer.frame = EncodeUnprepared(to(), id);
    answer.error = ErrorCode::kUnprepared;
  }
};

// Completes the request's parameters with the settings of the frame and of the connection.
void Complete(QueryParameters& parameters, RunningRequest& running);

// Returns the statement that the client knows by `id`; null if the client has to prepare it, perhaps again. For
// `reads_described` see KnownStatements::MayRun.
PreparedPtr FindPrepared(RunningRequest& running, ByteView id, bool reads_described);

// The form of rows metadata in an answer, and the new metadata id if it has changed.
struct RowsDescription {
  MetadataForm form = MetadataForm::kFull;
  Bytes new_id;
};
// Chooses how rows are described to the client. `statement` is the prepared statement, or null if the client sent a
// text. `skip`: the client asked to leave the metadata out. `known_id`: the metadata id that the client has.
RowsDescription DescribeRows(const ResultColumnsPtr& columns, const PreparedStatement* statement, bool skip,
                             ByteView known_id, uint8_t version);

// The columns that the client knows, as its request says.
struct KnownColumns {
  const PreparedStatement* statement = nullptr;
  bool skip_metadata = false;
  ByteView metadata_id;
};

// Encodes the answer of a request that succeeded.
void Succeed(RunningRequest& running, const Outcome& outcome, const KnownColumns& known);

// Runs a BATCH message.
void RunBatch(RunningRequest& running);

}  // namespace widerow
