// Logging in: AUTHENTICATE (v4 section 4.2.3), AUTH_RESPONSE (4.1.2), a token of the client's authenticator, AUTH_SUCCESS (4.2.8).
#pragma once

#include "net/protocol/body_reader.h"
#include "net/protocol/frame_writer.h"

namespace widerow {

struct AuthResponseMessage {
  std::optional<ByteView> token;  // In the body.
};

Result<AuthResponseMessage> DecodeAuthResponse(ByteView body);

// Asks for a name and a password, as drivers know it: in the name of Cassandra's authenticator.
Bytes EncodeAuthenticate(const AnswerTo& to);
// Without a token.
Bytes EncodeAuthSuccess(const AnswerTo& to);

}  // namespace widerow
