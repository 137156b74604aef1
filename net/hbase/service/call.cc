#include "net/hbase/service/call.h"

#include <google/protobuf/message_lite.h>

#include "base/text.h"
#include "net/hbase/cells/java_error.h"
#include "net/hbase/cells/parse_message.h"

namespace widerow::hbase {

Status ParseRequest(const Call& call, ::google::protobuf::MessageLite& request) {
  if (ParseMessage(call.parameter, request)) return OkStatus();
  return MakeJavaError(kDoNotRetry, StrCat("the request ", call.method, " is malformed"));
}

Bytes Serialize(const ::google::protobuf::MessageLite& response) {
  Bytes bytes;
  response.SerializeToString(&bytes);
  return bytes;
}

}  // namespace widerow::hbase
