#include "net/protocol/query.h"

namespace widerow {

Result<QueryMessage> DecodeQuery(ByteView body, uint8_t version) {
  BodyReader in(body);
  QueryMessage message;
  message.text = in.LongString();
  message.parameters = ReadQueryParameters(in, version);
  WR_RETURN_IF_ERROR(in.status());
  return message;
}

}  // namespace widerow
