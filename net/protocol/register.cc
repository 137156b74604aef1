#include "net/protocol/register.h"

#include <algorithm>

namespace widerow {

Result<RegisterMessage> DecodeRegister(ByteView body) {
  BodyReader in(body);
  RegisterMessage message;
  for (const std::string& type : in.StringList()) {
    std::string upper = type;
    std::transform(upper.begin(), upper.end(), upper.begin(), [](char c) { return c >= 'a' && c <= 'z' ? c - 32 : c; });
    if (upper == "TOPOLOGY_CHANGE") {
      message.topology_change = true;
    } else if (upper == "STATUS_CHANGE") {
      message.status_change = true;
    } else if (upper == "SCHEMA_CHANGE") {
      message.schema_change = true;
    } else {
      in.Fail("Invalid value '" + type + "' for Type");
    }
  }
  WR_RETURN_IF_ERROR(in.status());
  return message;
}

}  // namespace widerow
