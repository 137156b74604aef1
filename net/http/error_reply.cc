#include "net/http/error_reply.h"

#include <algorithm>

#include "parser/error_text.h"
#include "types/json_form.h"

namespace widerow {

namespace {

uint32_t CodePoints(std::string_view text) {
  return static_cast<uint32_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<uint8_t>(c) & 0xC0) != 0x80; }));
}

void AppendField(const char* name, std::string_view value, std::string& out) {
  out.append(",\"").append(name).append("\":");
  AppendJsonString(value, out);
}

void AppendPlace(const SourceRange& range, std::string_view statement, std::string& out) {
  const LineColumn place = LocateOffset(statement, range.begin);
  const uint32_t length = CodePoints(statement.substr(range.begin, range.end - range.begin));
  out.append(",\"line\":").append(std::to_string(place.line));
  out.append(",\"column\":").append(std::to_string(place.column + 1));
  out.append(",\"length\":").append(std::to_string(length));
}

}  // namespace

std::string ErrorJson(const Error& error, std::string_view statement) {
  std::string out = "{\"error\":{\"code\":" + std::to_string(static_cast<uint32_t>(error.code));
  AppendField("name", ErrorCodeName(error.code), out);
  AppendField("message", std::string_view(error.message).substr(0, error.message.find('\n')), out);
  if (!error.hint.empty()) AppendField("hint", error.hint, out);
  const bool placed = error.range && error.range->begin <= error.range->end && error.range->end <= statement.size();
  if (placed) AppendPlace(*error.range, statement, out);
  AppendField("text", FullErrorText(error, statement), out);
  if (!error.keyspace.empty()) AppendField("keyspace", error.keyspace, out);
  if (!error.table.empty()) AppendField("table", error.table, out);
  return out.append("}}\n");
}

unsigned HttpStatusOf(ErrorCode code) {
  switch (code) {
    case ErrorCode::kSyntaxError:
    case ErrorCode::kInvalid:
    case ErrorCode::kConfigError:
    case ErrorCode::kAlreadyExists:
    case ErrorCode::kFunctionFailure:
    case ErrorCode::kProtocolError: return 400;
    case ErrorCode::kBadCredentials: return 401;
    case ErrorCode::kUnauthorized: return 403;
    case ErrorCode::kUnavailable:
    case ErrorCode::kOverloaded:
    case ErrorCode::kIsBootstrapping: return 503;
    case ErrorCode::kWriteTimeout:
    case ErrorCode::kReadTimeout: return 504;
    case ErrorCode::kServerError:
    case ErrorCode::kTruncateError:
    case ErrorCode::kReadFailure:
    case ErrorCode::kWriteFailure:
    case ErrorCode::kUnprepared: return 500;
  }
  return 500;
}

HttpReply ErrorReply(const Error& error, std::string_view statement) {
  HttpReply reply{.status = HttpStatusOf(error.code), .error = error.code, .body = ErrorJson(error, statement)};
  if (reply.status == 503) reply.headers.emplace_back("Retry-After", "1");
  return reply;
}

HttpReply HttpErrorReply(unsigned status, std::string message, std::string hint) {
  const ErrorCode code = status == 503 ? ErrorCode::kOverloaded : ErrorCode::kProtocolError;
  HttpReply reply = ErrorReply({.code = code, .message = std::move(message), .hint = std::move(hint)}, {});
  reply.status = status;
  return reply;
}

}  // namespace widerow
