// Expected failures as values. An Error has the CQL protocol's error code (native protocol v4, section 9), a message
// whose first line is Cassandra's sentence if Cassandra has one, and, for faults in the user's text, the byte range of
// the fault. Line, column and caret lines are made in one place only (parser/error_text.h).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace widerow {

// The half-open byte range [begin, end) in a statement's text.
struct SourceRange {
  uint32_t begin = 0;
  uint32_t end = 0;

  friend bool operator==(const SourceRange&, const SourceRange&) = default;
};

enum class ErrorCode : uint32_t {
  kServerError = 0x0000,
  kProtocolError = 0x000A,
  kBadCredentials = 0x0100,
  kUnavailable = 0x1000,
  kOverloaded = 0x1001,
  kIsBootstrapping = 0x1002,
  kTruncateError = 0x1003,
  kWriteTimeout = 0x1100,
  kReadTimeout = 0x1200,
  kReadFailure = 0x1300,
  kFunctionFailure = 0x1400,
  kWriteFailure = 0x1500,
  kSyntaxError = 0x2000,
  kUnauthorized = 0x2100,
  kInvalid = 0x2200,
  kConfigError = 0x2300,
  kAlreadyExists = 0x2400,
  kUnprepared = 0x2500,
};

// Returns "Invalid", "SyntaxError", …, the names in test scripts and HTTP answers.
const char* ErrorCodeName(ErrorCode code);

struct [[nodiscard]] Error {
  ErrorCode code = ErrorCode::kServerError;
  std::string message;               // First line: Cassandra's sentence. No trailing newline.
  std::optional<SourceRange> range;  // A part of the statement's text, if the fault is in it.
  std::string hint;                  // Advice, such as a form that would work; empty if there is none.
  // Names that the protocol sends. kAlreadyExists: the existing object. kFunctionFailure: `table` is the function with
  // its argument types, "f(int, text)".
  std::string keyspace, table;
};

inline Error InvalidError(std::string message, std::string hint = {}) {
  return {.code = ErrorCode::kInvalid, .message = std::move(message), .hint = std::move(hint)};
}
inline Error InvalidAt(SourceRange range, std::string message, std::string hint = {}) {
  return {.code = ErrorCode::kInvalid, .message = std::move(message), .range = range, .hint = std::move(hint)};
}
inline Error SyntaxErrorAt(SourceRange range, std::string message) {
  return {.code = ErrorCode::kSyntaxError, .message = std::move(message), .range = range};
}
inline Error ConfigError(std::string message) {
  return {.code = ErrorCode::kConfigError, .message = std::move(message)};
}
inline Error ConfigErrorAt(SourceRange range, std::string message) {
  return {.code = ErrorCode::kConfigError, .message = std::move(message), .range = range};
}
inline Error ServerError(std::string message, std::string hint = {}) {
  return {.code = ErrorCode::kServerError, .message = std::move(message), .hint = std::move(hint)};
}

}  // namespace widerow
