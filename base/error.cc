#include "base/error.h"

namespace widerow {

const char* ErrorCodeName(ErrorCode code) {
  switch (code) {
    case ErrorCode::kServerError: return "ServerError";
    case ErrorCode::kProtocolError: return "ProtocolError";
    case ErrorCode::kBadCredentials: return "BadCredentials";
    case ErrorCode::kUnavailable: return "Unavailable";
    case ErrorCode::kOverloaded: return "Overloaded";
    case ErrorCode::kIsBootstrapping: return "IsBootstrapping";
    case ErrorCode::kTruncateError: return "TruncateError";
    case ErrorCode::kWriteTimeout: return "WriteTimeout";
    case ErrorCode::kReadTimeout: return "ReadTimeout";
    case ErrorCode::kReadFailure: return "ReadFailure";
    case ErrorCode::kFunctionFailure: return "FunctionFailure";
    case ErrorCode::kWriteFailure: return "WriteFailure";
    case ErrorCode::kSyntaxError: return "SyntaxError";
    case ErrorCode::kUnauthorized: return "Unauthorized";
    case ErrorCode::kInvalid: return "Invalid";
    case ErrorCode::kConfigError: return "ConfigError";
    case ErrorCode::kAlreadyExists: return "AlreadyExists";
    case ErrorCode::kUnprepared: return "Unprepared";
  }
  return "ServerError";
}

}  // namespace widerow
