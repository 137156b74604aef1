#include "net/hbase/cells/java_error.h"

#include "base/text.h"

namespace widerow::hbase {

namespace {

constexpr std::string_view kRetried[] = {
    "org.apache.hadoop.hbase.CallQueueTooBigException",
    "java.io.IOException",
    "org.apache.hadoop.hbase.exceptions.ScannerResetException",
};

bool IsRetried(std::string_view class_name) {
  for (const std::string_view retried : kRetried) {
    if (retried == class_name) return true;
  }
  return false;
}

// Returns the length of the class name at the beginning of the message, or 0 if the message begins with no class name.
size_t ClassLength(std::string_view message) {
  if (!message.starts_with("org.apache.hadoop.") && !message.starts_with("java.")) return 0;
  const size_t end = message.find(": ");
  return end == std::string_view::npos ? 0 : end;
}

std::string_view ClassOf(ErrorCode code) {
  switch (code) {
    case ErrorCode::kOverloaded:
    case ErrorCode::kUnavailable: return "org.apache.hadoop.hbase.CallQueueTooBigException";
    case ErrorCode::kServerError:
    case ErrorCode::kReadTimeout:
    case ErrorCode::kReadFailure:
    case ErrorCode::kWriteTimeout:
    case ErrorCode::kWriteFailure: return "java.io.IOException";
    case ErrorCode::kUnauthorized:
    case ErrorCode::kBadCredentials: return "org.apache.hadoop.hbase.security.AccessDeniedException";
    default: return kDoNotRetry;
  }
}

}  // namespace

Error MakeJavaError(std::string_view class_name, std::string text) {
  return InvalidError(StrCat(class_name, ": ", text));
}

Error NotSupported(std::string what) {
  return MakeJavaError(kDoNotRetry, StrCat(kUnsupported, ": ", what, " is not supported"));
}

JavaError ToJavaError(const Error& error) {
  const std::string_view message = error.message;
  const size_t length = ClassLength(message);
  JavaError java;
  if (length > 0) {
    java.class_name = message.substr(0, length);
    java.text = message.substr(length + 2);
  } else {
    java.class_name = ClassOf(error.code);
    java.text = message;
  }
  if (!error.hint.empty()) java.text += "\nhint: " + error.hint;
  java.do_not_retry = !IsRetried(java.class_name);
  return java;
}

}  // namespace widerow::hbase
