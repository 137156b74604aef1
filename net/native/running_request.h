// A request while it runs: what the functions that run QUERY, PREPARE, EXECUTE and BATCH share.
#pragma once

#include "exec/engine.h"
#include "net/native/session.h"
#include "net/protocol/error_response.h"
#include "net/protocol/query.h"
#include "net/protocol/result_response.h"
#include "parser/error_text.h"

namespace widerow {

// The request, and its answer while it grows.
struct RunningRequest {
  Engine& engine;
  const NativeRequest& request;
  const std::shared_ptr<const ConnectionFacts>& connection;
  ByteView message;  // The body behind what flags put before it.
  NativeAnswer answer;
  std::vector<std::string> warnings;  // Of a request that fails.

  const AnswerTo& to() const { return request.to; }
  bool traced() const { return (request.flags & FrameFlags::kTracing) != 0; }
  void Fail(const Error& error, std::string_view statement, ErrorFields fields) {
    fields.warnings = std::move(warnings);
    answer.frame = EncodeError(to(), error, FullErrorText(error, statement), fields);
  }
  void Fail(const Error& error) { Fail(error, {}, {}); }
};

// Completes the request's parameters with what the frame and the connection say.
void Complete(QueryParameters& parameters, RunningRequest& running);

// How rows are described to a client that has `statement` prepared, or (null) sent a text.
struct RowsDescription {
  MetadataForm form = MetadataForm::kFull;
  Bytes new_id;
};
RowsDescription DescribeRows(const ResultColumnsPtr& columns, const PreparedStatement* statement, bool skip, ByteView known_id,
                     uint8_t version);

// What the client knows of the statement's columns.
struct KnownColumns {
  const PreparedStatement* statement = nullptr;
  bool skip_metadata = false;
  ByteView metadata_id;
};

// The answer of what went well.
void Succeed(RunningRequest& running, const Outcome& outcome, const KnownColumns& known);

// A BATCH message.
void RunBatch(RunningRequest& running);

}  // namespace widerow
