// Parses messages of HBase's protocol.
#pragma once

#include <google/protobuf/message_lite.h>

#include "base/bytes.h"

namespace widerow::hbase {

// False if the bytes are malformed, or if a required field is missing. ParseFromString would also write a line to
// standard error.
inline bool ParseMessage(ByteView bytes, ::google::protobuf::MessageLite& message) {
  return message.ParsePartialFromArray(bytes.data(), static_cast<int>(bytes.size())) && message.IsInitialized();
}

}  // namespace widerow::hbase
