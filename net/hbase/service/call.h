// One request of HBase's protocol and its answer, without sockets.
#pragma once

#include "base/result.h"
#include "net/hbase/cells/cell.h"
#include "net/hbase/store/caller.h"

namespace widerow {
class AnswerRoom;
}

namespace google::protobuf {
class MessageLite;
}

namespace widerow::hbase {

// Borrows the bytes of the request.
struct Call {
  std::string_view method;  // "Get", "Scan", …
  ByteView parameter;       // The serialized request.
  ByteView cell_block;
  AnswerRoom* room = nullptr;  // Counts the memory of the answer; may be null.
  bool cell_blocks = false;    // The client takes answers with cell blocks.
  Caller caller;               // The client.
  // If set, the call is a Get, and runs on a thread that other requests need. If the Get is not short, it fails, and
  // *ran_long becomes true. The caller then runs the Get again on another thread, without `ran_long`.
  bool* ran_long = nullptr;
};

struct Answer {
  Bytes message;  // The serialized response.
  Bytes cell_block;
};

// The address at which clients reach the server.
struct ServerAddress {
  std::string host;
  uint16_t port = 0;
  uint64_t start_code = 0;  // When the server started, in milliseconds.
};

// Parses the request. Fails with DoNotRetryIOException if it is malformed, and with kOverloaded if there is no room for
// its objects.
Status ParseRequest(const Call& call, ::google::protobuf::MessageLite& request);
Bytes Serialize(const ::google::protobuf::MessageLite& response);

}  // namespace widerow::hbase
