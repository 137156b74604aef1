// Errors of HBase's interface. A client chooses what to do by the name of a Java class. So the message of each error
// begins with a class name, as in Java: "org.apache.hadoop.hbase.TableNotFoundException: shop:orders".
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"

namespace widerow::hbase {

struct JavaError {
  std::string class_name, text;
  bool do_not_retry = true;  // The same request would fail again.
};

inline constexpr std::string_view kDoNotRetry = "org.apache.hadoop.hbase.DoNotRetryIOException";
inline constexpr std::string_view kTableNotFound = "org.apache.hadoop.hbase.TableNotFoundException";
inline constexpr std::string_view kNoSuchFamily = "org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException";
inline constexpr std::string_view kUnsupported = "java.lang.UnsupportedOperationException";
inline constexpr std::string_view kIllegalArgument = "java.lang.IllegalArgumentException";

// Makes an error whose message begins with the name of the Java class.
Error MakeJavaError(std::string_view class_name, std::string text);
// Makes the error for an operation that the server does not support. `what` is the operation's name.
Error NotSupported(std::string what);
// Finds the class of an error: the class that its message names, or else the class that stands for its code.
JavaError ToJavaError(const Error& error);

}  // namespace widerow::hbase
