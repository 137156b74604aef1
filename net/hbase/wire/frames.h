// The frames of HBase's protocol. After a preamble of 6 bytes and a header of the connection, a client sends requests:
//   length (4) | length (varint), RequestHeader | length (varint), parameter | cell block
// and gets answers of the same form, with a ResponseHeader. Pure functions.
#pragma once

#include <optional>

#include "net/hbase/service/call.h"

namespace widerow::hbase {

inline constexpr size_t kPreambleBytes = 6;

enum class Preamble : uint8_t {
  kConnect,   // "HBas", version 0, SIMPLE authentication.
  kRegistry,  // "Regist": asks for the cluster's id. After the answer, another preamble follows.
  kRefused,
};
// `reason` says why a preamble is refused.
Preamble ParsePreamble(ByteView bytes, std::string& reason);

struct ConnectionHeader {
  std::string service;
  bool cell_blocks = false;
};
// Fails if the client asks for something that the server does not support: compressed cell blocks, encryption, or
// another codec than KeyValueCodec.
Result<ConnectionHeader> ParseConnectionHeader(ByteView bytes);

struct RequestFrame {
  uint32_t call_id = 0;
  std::string method;
  // Borrow the frame's bytes.
  ByteView parameter, cell_block;
};
// Returns nullopt if the bytes are no request. The connection cannot go on then.
std::optional<RequestFrame> ParseRequestFrame(ByteView bytes);

// Returns the whole frame of an answer. The id of an answer to a preamble is -1.
Bytes EncodeAnswer(uint32_t call_id, const Answer& answer);
Bytes EncodeFailure(uint32_t call_id, const Error& error, const ServerAddress& address);

}  // namespace widerow::hbase
