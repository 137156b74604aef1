#include "net/protocol/error_response.h"

#include <algorithm>

#include "net/protocol/body_writer.h"
#include "parser/error_text.h"

namespace widerow {

namespace {

// Appends <cl><received><blockfor>: one replica had to answer, and none did.
void AppendReplicas(Bytes& out, const ErrorFields& fields) {
  AppendBigEndian(out, static_cast<uint16_t>(fields.consistency));
  AppendBigEndian(out, int32_t{0});
  AppendBigEndian(out, int32_t{1});
}

// Appends the failed replicas. Version 5 lists them with address and reason, older versions give their number only. The
// only replica is this machine.
void AppendFailures(Bytes& out, uint8_t version) {
  constexpr char kLoopback[] = {4, 127, 0, 0, 1};
  AppendBigEndian(out, int32_t{1});
  if (version < 5) return;
  out.append(kLoopback, sizeof kLoopback);
  AppendBigEndian(out, uint16_t{0});  // UNKNOWN
}

// Appends keyspace, name and argument types of a function such as "_divide(int, int)".
void AppendFunction(Bytes& out, const Error& error) {
  const size_t open = std::min(error.table.find('('), error.table.size());
  std::vector<std::string> types;
  for (size_t at = open + 1; at < error.table.size();) {
    const size_t end = std::min(error.table.find_first_of(",)", at), error.table.size());
    types.push_back(error.table.substr(at, end - at));
    at = end + 2;
  }
  AppendString(out, error.keyspace);
  AppendString(out, error.table.substr(0, open));
  AppendStringList(out, types);
}

void AppendFields(Bytes& out, uint8_t version, const Error& error, const ErrorFields& fields) {
  const char* write_type = fields.is_batch ? "BATCH" : "SIMPLE";
  switch (error.code) {
    case ErrorCode::kUnavailable:
      AppendBigEndian(out, static_cast<uint16_t>(fields.consistency));
      AppendBigEndian(out, int32_t{1});
      AppendBigEndian(out, int32_t{0});
      return;
    case ErrorCode::kWriteTimeout:
      AppendReplicas(out, fields);
      AppendString(out, write_type);
      return;
    case ErrorCode::kReadTimeout:
      AppendReplicas(out, fields);
      out.push_back(0);  // No data present.
      return;
    case ErrorCode::kReadFailure:
      AppendReplicas(out, fields);
      AppendFailures(out, version);
      out.push_back(0);
      return;
    case ErrorCode::kWriteFailure:
      AppendReplicas(out, fields);
      AppendFailures(out, version);
      AppendString(out, write_type);
      return;
    case ErrorCode::kFunctionFailure: AppendFunction(out, error); return;
    case ErrorCode::kAlreadyExists:
      AppendString(out, error.keyspace);
      AppendString(out, error.table);
      return;
    case ErrorCode::kUnprepared: AppendShortBytes(out, fields.prepared_id); return;
    case ErrorCode::kServerError:
    case ErrorCode::kProtocolError:
    case ErrorCode::kBadCredentials:
    case ErrorCode::kOverloaded:
    case ErrorCode::kIsBootstrapping:
    case ErrorCode::kTruncateError:
    case ErrorCode::kSyntaxError:
    case ErrorCode::kUnauthorized:
    case ErrorCode::kInvalid:
    case ErrorCode::kConfigError: return;
  }
}

// Replaces codes that exist from version 4 on: an older client gets the nearest code that it knows.
ErrorCode CodeFor(uint8_t version, ErrorCode code) {
  if (version >= 4) return code;
  if (code == ErrorCode::kReadFailure) return ErrorCode::kReadTimeout;
  if (code == ErrorCode::kWriteFailure) return ErrorCode::kWriteTimeout;
  if (code == ErrorCode::kFunctionFailure) return ErrorCode::kInvalid;
  return code;
}

}  // namespace

Bytes EncodeError(const AnswerTo& to, const Error& error, std::string_view text, const ErrorFields& fields) {
  Error sent = error;
  sent.code = CodeFor(to.version, error.code);
  FrameWriter frame(to, Opcode::kError, {}, fields.warnings);
  AppendBigEndian(frame.body(), static_cast<int32_t>(sent.code));
  AppendString(frame.body(), text);
  AppendFields(frame.body(), to.version, sent, fields);
  return frame.Finish();
}

Bytes EncodeError(const AnswerTo& to, const Error& error) { return EncodeError(to, error, FullErrorText(error, {})); }

Bytes EncodeUnprepared(const AnswerTo& to, ByteView id) {
  const Error error{.code = ErrorCode::kUnprepared,
                    .message = "Prepared query with ID " + ToHex(id) +
                               " not found (either the query was not prepared on this host (maybe the host has been "
                               "restarted?) or you have prepared too many queries and it has been evicted from the "
                               "internal cache)"};
  return EncodeError(to, error, error.message, {.prepared_id = id});
}

}  // namespace widerow
