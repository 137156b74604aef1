// AUTH_RESPONSE (v4 section 4.1.2): a token of the client's authenticator.
#pragma once

#include "net/protocol/body_reader.h"

namespace widerow {

struct AuthResponseMessage {
  std::optional<ByteView> token;  // In the body.
};

Result<AuthResponseMessage> DecodeAuthResponse(ByteView body);

}  // namespace widerow
