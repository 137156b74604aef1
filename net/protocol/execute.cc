#include "net/protocol/execute.h"

namespace widerow {

Result<ExecuteMessage> DecodeExecute(ByteView body, uint8_t version) {
  BodyReader in(body);
  ExecuteMessage message;
  message.id = in.ShortBytes();
  if (version >= 5) message.metadata_id = in.ShortBytes();
  message.parameters = ReadQueryParameters(in, version);
  WR_RETURN_IF_ERROR(in.status());
  return message;
}

}  // namespace widerow
