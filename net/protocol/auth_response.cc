#include "net/protocol/auth_response.h"

#include "net/protocol/opcode.h"

namespace widerow {

Result<AuthResponseMessage> DecodeAuthResponse(ByteView body) {
  BodyReader in(body);
  AuthResponseMessage message{.token = in.NullableBytes()};
  WR_RETURN_IF_ERROR(in.status());
  return message;
}

Bytes EncodeAuthenticate(const AnswerTo& to) {
  constexpr std::string_view kClass = "org.apache.cassandra.auth.PasswordAuthenticator";
  FrameWriter frame(to, Opcode::kAuthenticate);
  AppendBigEndian(frame.body(), static_cast<uint16_t>(kClass.size()));
  frame.body() += kClass;
  return frame.Finish();
}

Bytes EncodeAuthSuccess(const AnswerTo& to) {
  FrameWriter frame(to, Opcode::kAuthSuccess);
  AppendBigEndian<int32_t>(frame.body(), -1);
  return frame.Finish();
}

}  // namespace widerow
