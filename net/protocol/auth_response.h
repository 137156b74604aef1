// The messages for logging in: AUTHENTICATE (v4 section 4.2.3), AUTH_RESPONSE (4.1.2), which carries a token of the
// client's authenticator, and AUTH_SUCCESS (4.2.8).
#pragma once

#include "net/protocol/body_reader.h"
#include "net/protocol/frame_writer.h"

namespace widerow {

struct AuthResponseMessage {
  std::optional<ByteView> token;  // Borrows the body.
};

// Decodes AUTH_RESPONSE. The result borrows `body`. ProtocolError if `body` is malformed.
Result<AuthResponseMessage> DecodeAuthResponse(ByteView body);

// Encodes AUTHENTICATE, which asks for a user name and a password. It names Cassandra's PasswordAuthenticator, which
// drivers know.
Bytes EncodeAuthenticate(const AnswerTo& to);
// Encodes AUTH_SUCCESS, which says that the login succeeded; it has no token.
Bytes EncodeAuthSuccess(const AnswerTo& to);

}  // namespace widerow
