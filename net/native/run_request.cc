// RunRequest decompresses the body and calls Dispatch, which chooses RunQuery, RunPrepare, RunExecute or RunBatch
// (run_batch.cc). Each one decodes its message, calls the engine and leaves the answer in RunningRequest. RunPoint is
// the short way for a prepared read of one row: the row goes from the storage directly into the frame. RunIfQuick
// decides whether a request is short enough for the I/O thread; it submits writes without waiting for the disk, and
// AnswerLater encodes their answers on the storage's thread, or on a worker if they are long.
#include "net/native/run_request.h"

#include "base/out_of_memory.h"
#include "exec/engine/statement_planner.h"
#include "exec/prepared/prepared_description.h"
#include "exec/rows/rows_writer.h"
#include "exec/select/read_bound.h"
#include "net/memory_budget.h"
#include "net/native/running_request.h"
#include "net/protocol/execute.h"
#include "net/protocol/prepare.h"

namespace widerow {

namespace {

// The bounds of a quick request: the rows that it may read with and without pages, and the bytes of its body. A page of
// large rows ends early, so more rows are allowed with pages.
constexpr uint32_t kQuickPageRowsMax = 5'000, kQuickUnpagedRowsMax = 500;
constexpr size_t kQuickBytesMax = 4'096;

void RunQuery(RunningRequest& running) {
  Result<QueryMessage> message = DecodeQuery(running.message, running.to().version);
  if (!message.ok()) return running.Fail(message.error());
  Complete(message->parameters, running);
  const Result<Outcome> outcome = running.engine.Execute(message->text, message->parameters.request);
  if (!outcome.ok()) {
    return running.Fail(outcome.error(), message->text, {.consistency = message->parameters.request.consistency});
  }
  Succeed(running, *outcome, {.skip_metadata = message->parameters.skip_metadata});
}

void RunPrepare(RunningRequest& running) {
  const Result<PrepareMessage> message = DecodePrepare(running.message, running.to().version);
  if (!message.ok()) return running.Fail(message.error());
  RequestParameters parameters;
  parameters.keyspace = message->keyspace.empty() ? running.request.keyspace : message->keyspace;
  parameters.trace = running.traced();
  parameters.connection = running.connection;
  const Result<TracedStatement> prepared = running.engine.Prepare(message->text, parameters);
  if (!prepared.ok()) return running.Fail(prepared.error(), message->text, {});
  const PreparedStatement& statement = *prepared->statement;
  if (running.request.known != nullptr) running.request.known->NotePrepared(statement);
  const std::vector<std::string>& planned = statement.plan->warnings;
  const std::vector<std::string> warnings(planned.begin() + static_cast<ptrdiff_t>(statement.plan->warnings_of_answers),
                                          planned.end());
  running.answer.frame =
      EncodePrepared(running.to(), statement, {.trace_id = prepared->trace_id, .warnings = warnings});
}

// True if the statement reads a row by its key, or rows of one partition within the bounds above. Such a read is fast
// unless it meets many dead rows. Then it stops (ReadLimits::ran_long), and a worker runs the request again.
bool IsQuick(const PreparedStatement& statement, const RequestParameters& request) {
  const std::optional<uint32_t> rows = RowsReadMax(*statement.plan, request);
  return rows && *rows <= (request.page_rows > 0 ? kQuickPageRowsMax : kQuickUnpagedRowsMax);
}

// Reads a row by its key, from the storage's page directly into the frame. Returns false, without an answer, if the
// statement cannot be run in this way.
bool RunPoint(RunningRequest& running, const PreparedStatement& statement, ExecuteMessage& message) {
  if (statement.point == nullptr || running.traced()) return false;
  QueryParameters& parameters = message.parameters;
  const bool has_user = running.connection != nullptr && running.connection->user != nullptr;
  if (has_user || running.engine.statement_log()->on()) parameters.request.connection = running.connection;
  parameters.request.answer.room = running.room;
  parameters.request.ran_long = parameters.request.answer.ran_long = running.ran_long;
  const RowsDescription description =
      DescribeRows(statement.columns, &statement, parameters.skip_metadata, message.metadata_id, running.to().version);
  const std::vector<std::string> no_warnings;
  RowsFrame frame(running.to(), *statement.columns, {}, description.form, description.new_id,
                  {.trace_id = {}, .warnings = no_warnings}, kRowBytes);
  RowsPage page;
  page.body = std::move(frame.bytes());
  const Result<bool> read = running.engine.ReadPoint(statement, parameters.request, page);
  if (!read.ok()) {
    running.Fail(read.error(), statement.text, {.consistency = parameters.request.consistency});
    return true;
  }
  if (!*read) return false;
  frame.bytes() = std::move(page.body);
  running.answer.frame = frame.Finish(page.row_count);
  return true;
}

// True if the client decodes rows by the metadata that comes with the rows or, in version 5, by the metadata id. False
// if the client decodes rows by the metadata of PREPARE's answer.
bool ReadsDescribed(const RunningRequest& running, const ExecuteMessage& message) {
  return running.to().version >= 5 || !message.parameters.skip_metadata;
}

void RunPrepared(RunningRequest& running, const PreparedStatement& statement, ExecuteMessage& message) {
  if (RunPoint(running, statement, message)) return;
  Complete(message.parameters, running);
  const Result<Outcome> outcome = running.engine.ExecutePrepared(statement, message.parameters.request);
  if (!outcome.ok()) {
    if (outcome.error().code == ErrorCode::kUnprepared) return running.FailUnprepared(message.id);
    return running.Fail(outcome.error(), statement.text, {.consistency = message.parameters.request.consistency});
  }
  // The schema may have changed after FindPrepared found the statement.
  const auto* page = std::get_if<RowsPage>(&outcome->result);
  const bool compares = page != nullptr && statement.columns != nullptr && !ReadsDescribed(running, message);
  if (compares && !CheckSameColumns(statement.columns, page->columns).ok()) return running.FailUnprepared(message.id);
  Succeed(
      running, *outcome,
      {.statement = &statement, .skip_metadata = message.parameters.skip_metadata, .metadata_id = message.metadata_id});
}

void RunExecute(RunningRequest& running) {
  Result<ExecuteMessage> message = DecodeExecute(running.message, running.to().version);
  if (!message.ok()) return running.Fail(message.error());
  const PreparedPtr statement = FindPrepared(running, message->id, ReadsDescribed(running, *message));
  if (statement == nullptr) return running.FailUnprepared(message->id);
  RunPrepared(running, *statement, *message);
}

// Calls `make`, which makes the answer. If it throws, the answer is an error.
template <typename Make>
void MakeAnswer(const AnswerTo& to, NativeAnswer& answer, const Make& make) {
  try {
    make();
  } catch (const std::exception& thrown) {
    const Error error = ErrorOf(thrown);
    answer.frame = EncodeError(to, error);
    answer.error = error.code;
  }
}

void Dispatch(RunningRequest& running) {
  if (running.request.flags & FrameFlags::kCustomPayload) {
    BodyReader in(running.message);
    in.SkipBytesMap();  // Cassandra's default query handler ignores the payload too.
    if (!in.ok()) return running.Fail(in.status().error());
    running.message = in.rest();
  }
  switch (running.request.opcode) {
    case Opcode::kPrepare: return RunPrepare(running);
    case Opcode::kExecute: return RunExecute(running);
    case Opcode::kBatch: return RunBatch(running);
    default: return RunQuery(running);
  }
}

}  // namespace

NativeAnswer RunRequest(Engine& engine, const NativeRequest& request, std::shared_ptr<const ConnectionFacts> connection,
                        size_t frame_bytes_max, AnswerRoom* room) {
  RunningRequest running{
      .engine = engine, .request = request, .connection = std::move(connection), .message = request.body, .room = room};
  running.answer.request_bytes = request.held_bytes;
  Bytes plain;
  MakeAnswer(request.to, running.answer, [&] {
    if (request.flags & FrameFlags::kCompressed) {
      Result<Bytes> body = DecompressBody(request.to.compression, request.body, frame_bytes_max);
      if (!body.ok()) return running.Fail(body.error());
      plain = std::move(*body);
      running.message = plain;
    }
    Dispatch(running);
  });
  return std::move(running.answer);
}

namespace {

// True if the request is short and has no flags other than those of compression and tracing. Decompresses its body.
bool IsShort(NativeRequest& request) {
  if (request.body.size() > kQuickBytesMax) return false;
  if (request.flags & FrameFlags::kCompressed) {
    Result<Bytes> body = DecompressBody(request.to.compression, request.body, kQuickBytesMax);
    if (!body.ok()) return false;
    request.body = std::move(*body);
    request.flags &= static_cast<uint8_t>(~FrameFlags::kCompressed);
  }
  return (request.flags & ~FrameFlags::kTracing) == 0;
}

// Answers a submitted write. If the answer may have rows, the connection counts their memory.
class AnswerLater {
 public:
  // `text`: byte ranges of errors refer to it.
  AnswerLater(const NativeRequest& request, const Plan& plan, ConsistencyLevel consistency, std::string text,
              std::shared_ptr<AnswerSink> sink)
      : to_(request.to),
        held_bytes_(request.held_bytes),
        consistency_(consistency),
        text_(std::move(text)),
        sink_(std::move(sink)) {
    const auto* modify = std::get_if<ModifyPlan>(&plan.node);
    if (modify != nullptr && modify->condition != RowCondition::kNone) memory_ = sink_->MakeMemory();
  }
  AnswerRoom* room() const { return memory_.get(); }

  void operator()(Result<Outcome> outcome) const {
    const auto* const rows = outcome.ok() ? std::get_if<RowsPage>(&outcome->result) : nullptr;
    if (rows == nullptr || rows->body.size() <= kEncodedHereMax) return Answer(outcome);
    NativeAnswer failed{.request_bytes = held_bytes_};
    MakeAnswer(to_, failed, [&] {
      sink_->RunOnWorker(
          [answer = *this, kept = std::make_shared<Result<Outcome>>(std::move(outcome))] { answer.Answer(*kept); });
    });
    if (failed.error) sink_->CompleteSubmitted(std::move(failed));
  }

 private:
  // Larger answers are encoded by a worker, because other writes wait for the storage's thread.
  static constexpr size_t kEncodedHereMax = 64u << 10;

  void Answer(const Result<Outcome>& outcome) const {
    NativeAnswer done{.request_bytes = held_bytes_};
    MakeAnswer(to_, done, [&] {
      if (!outcome.ok()) {
        done.frame =
            EncodeError(to_, outcome.error(), FullErrorText(outcome.error(), text_), {.consistency = consistency_});
        done.error = outcome.error().code;
        return;
      }
      // Only a conditional write returns rows. They are always described, because PREPARE could not know the columns.
      const ResultExtras extras{.trace_id = outcome->trace_id, .warnings = outcome->warnings};
      const auto* rows = std::get_if<RowsPage>(&outcome->result);
      done.frame = rows == nullptr ? EncodeVoid(to_, extras) : EncodeRows(to_, *rows, MetadataForm::kFull, {}, extras);
    });
    if (memory_ != nullptr) {
      memory_->Encoded(done.frame.capacity());
      done.held_bytes = memory_->Release();
    }
    sink_->CompleteSubmitted(std::move(done));
  }

  AnswerTo to_;
  size_t held_bytes_;
  ConsistencyLevel consistency_;
  std::string text_;
  std::shared_ptr<AnswerSink> sink_;
  std::shared_ptr<AnswerMemory> memory_;  // Null: the answer has no rows.
};

using SinkMaker = std::function<std::shared_ptr<AnswerSink>()>;

QuickRun RunExecuteIfQuick(RunningRequest& running, const SinkMaker& sink) {
  Result<ExecuteMessage> message = DecodeExecute(running.message, running.to().version);
  if (!message.ok()) return QuickRun::kNo;
  const PreparedPtr statement = FindPrepared(running, message->id, ReadsDescribed(running, *message));
  if (statement == nullptr) {
    running.FailUnprepared(message->id);
    return QuickRun::kDone;
  }
  const RequestParameters& parameters = message->parameters.request;
  if (statement->plan->is_modification()) {
    Complete(message->parameters, running);
    AnswerLater answer(running.request, *statement->plan, parameters.consistency, statement->text, sink());
    message->parameters.request.answer.room = answer.room();
    const Result<bool> begun = running.engine.Submit(statement, parameters, std::move(answer));
    if (begun.ok()) return *begun ? QuickRun::kSubmitted : QuickRun::kNo;
    running.Fail(begun.error(), statement->text, {.consistency = parameters.consistency});
    return QuickRun::kDone;
  }
  // If a traced read had to run again, it would leave two traces.
  if (running.traced() || !IsQuick(*statement, parameters)) return QuickRun::kNo;
  bool ran_long = false;
  running.ran_long = &ran_long;
  RunPrepared(running, *statement, *message);
  return ran_long ? QuickRun::kNo : QuickRun::kDone;
}

// Runs a QUERY whose shape has a plan already (docs/internals/unprepared.md), if it is quick.
QuickRun RunQueryIfQuick(RunningRequest& running, const SinkMaker& sink) {
  Result<QueryMessage> message = DecodeQuery(running.message, running.to().version);
  if (!message.ok() || running.traced()) return QuickRun::kNo;
  RequestParameters& parameters = message->parameters.request;
  if (!parameters.names.empty()) return QuickRun::kNo;
  Complete(message->parameters, running);
  std::optional<BatchEntry> shaped =
      running.engine.planner().FindShaped(message->text, parameters.values, parameters.keyspace);
  if (!shaped) return QuickRun::kNo;
  if (shaped->statement->plan->is_modification()) {
    parameters.values = std::move(shaped->values);
    parameters.text = message->text;
    parameters.text_follows = true;
    AnswerLater answer(running.request, *shaped->statement->plan, parameters.consistency, std::string(message->text),
                       sink());
    parameters.answer.room = answer.room();
    const Result<bool> begun = running.engine.Submit(shaped->statement, parameters, std::move(answer));
    if (begun.ok()) return *begun ? QuickRun::kSubmitted : QuickRun::kNo;
    // The plan was made for another text, so such an error may not fit this text. A worker plans this text itself, and
    // answers with its own error.
    if (begun.error().code == ErrorCode::kInvalid || begun.error().range) return QuickRun::kNo;
    running.Fail(begun.error(), message->text, {.consistency = parameters.consistency});
    return QuickRun::kDone;
  }
  RequestParameters bound;
  bound.values = std::move(shaped->values);
  bound.page_rows = parameters.page_rows;
  if (!IsQuick(*shaped->statement, bound)) return QuickRun::kNo;
  bool ran_long = false;
  running.ran_long = &ran_long;
  RunQuery(running);
  return ran_long ? QuickRun::kNo : QuickRun::kDone;
}

}  // namespace

QuickRun RunIfQuick(Engine& engine, NativeRequest& request, const std::shared_ptr<const ConnectionFacts>& connection,
                    const std::function<std::shared_ptr<AnswerSink>()>& sink, NativeAnswer& answer, AnswerRoom* room) {
  const bool execute = request.opcode == Opcode::kExecute;
  if ((!execute && request.opcode != Opcode::kQuery) || !IsShort(request)) return QuickRun::kNo;
  RunningRequest running{
      .engine = engine, .request = request, .connection = connection, .message = request.body, .room = room};
  running.answer.request_bytes = request.held_bytes;
  QuickRun run = QuickRun::kDone;  // If the code throws, this value stays, and the answer is an error.
  MakeAnswer(request.to, running.answer,
             [&] { run = execute ? RunExecuteIfQuick(running, sink) : RunQueryIfQuick(running, sink); });
  if (run == QuickRun::kDone) answer = std::move(running.answer);
  return run;
}

}  // namespace widerow
