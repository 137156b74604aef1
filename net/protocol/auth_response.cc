#include "net/protocol/auth_response.h"

namespace widerow {

Result<AuthResponseMessage> DecodeAuthResponse(ByteView body) {
  BodyReader in(body);
  AuthResponseMessage message{.token = in.NullableBytes()};
  WR_RETURN_IF_ERROR(in.status());
  return message;
}

}  // namespace widerow
