#include "net/protocol/prepare.h"

namespace widerow {

Result<PrepareMessage> DecodePrepare(ByteView body, uint8_t version) {
  constexpr uint32_t kWithKeyspace = 0x01;
  BodyReader in(body);
  PrepareMessage message;
  message.text = in.LongString();
  if (version >= 5 && (static_cast<uint32_t>(in.Int()) & kWithKeyspace)) message.keyspace = in.String();
  WR_RETURN_IF_ERROR(in.status());
  return message;
}

}  // namespace widerow
