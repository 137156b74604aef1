#include "net/hbase/wire/frames.h"

#include "base/text.h"
#include "net/hbase/cells/java_error.h"
#include "net/hbase/cells/parse_message.h"
#include "net/hbase/proto/rpc.pb.h"

namespace widerow::hbase {

namespace {

namespace pb = ::hbase::pb;

constexpr char kSimple = 80;

// Removes a message, and the length before it, from the front of `in`.
bool TakeSized(ByteView& in, ByteView& message) {
  uint64_t size = 0;
  if (!TakeVarint(in, size) || size > in.size()) return false;
  message = in.substr(0, size);
  in.remove_prefix(size);
  return true;
}

Bytes EncodeFrame(const pb::ResponseHeader& header, const Answer& answer) {
  Bytes body;
  AppendSized(body, header.SerializeAsString());
  if (!header.has_exception()) AppendSized(body, answer.message);
  Bytes frame;
  frame.reserve(4 + body.size() + answer.cell_block.size());
  AppendBigEndian(frame, static_cast<uint32_t>(body.size() + answer.cell_block.size()));
  frame += body;
  frame += answer.cell_block;
  return frame;
}

}  // namespace

Preamble ParsePreamble(ByteView bytes, std::string& reason) {
  if (bytes == "Regist") return Preamble::kRegistry;
  if (bytes.substr(0, 4) != "HBas" || bytes[4] != 0) {
    reason = "the client does not speak HBase's protocol, version 0";
    return Preamble::kRefused;
  }
  if (bytes[5] == kSimple) return Preamble::kConnect;
  reason = "only SIMPLE authentication is supported: set hbase.security.authentication to simple";
  return Preamble::kRefused;
}

Result<ConnectionHeader> ParseConnectionHeader(ByteView bytes) {
  pb::ConnectionHeader header;
  if (!ParseMessage(bytes, header)) {
    return MakeJavaError("org.apache.hadoop.hbase.ipc.BadConnectionHeaderException", "the header is malformed");
  }
  if (!header.cell_block_compressor_class().empty()) {
    return MakeJavaError("org.apache.hadoop.hbase.ipc.UnsupportedCompressionCodecException",
                         header.cell_block_compressor_class());
  }
  if (!header.rpc_crypto_cipher_transformation().empty()) return NotSupported("encryption of the connection");
  const std::string& codec = header.cell_block_codec_class();
  if (!codec.empty() && codec != "org.apache.hadoop.hbase.codec.KeyValueCodec") {
    return MakeJavaError("org.apache.hadoop.hbase.ipc.UnsupportedCellCodecException", codec);
  }
  return ConnectionHeader{.service = header.service_name(), .cell_blocks = !codec.empty()};
}

std::optional<RequestFrame> ParseRequestFrame(ByteView bytes) {
  ByteView message;
  pb::RequestHeader header;
  if (!TakeSized(bytes, message) || !ParseMessage(message, header)) { return std::nullopt; }
  RequestFrame frame;
  frame.call_id = header.call_id();
  frame.method = header.method_name();
  if (header.request_param() && !TakeSized(bytes, frame.parameter)) return std::nullopt;
  if (header.has_cell_block_meta()) {
    const size_t length = header.cell_block_meta().length();
    if (length > bytes.size()) return std::nullopt;
    frame.cell_block = bytes.substr(0, length);
  }
  return frame;
}

Bytes EncodeAnswer(uint32_t call_id, const Answer& answer) {
  pb::ResponseHeader header;
  header.set_call_id(call_id);
  if (!answer.cell_block.empty()) {
    header.mutable_cell_block_meta()->set_length(static_cast<uint32_t>(answer.cell_block.size()));
  }
  return EncodeFrame(header, answer);
}

Bytes EncodeFailure(uint32_t call_id, const Error& error, const ServerAddress& address) {
  const JavaError java = ToJavaError(error);
  pb::ResponseHeader header;
  header.set_call_id(call_id);
  pb::ExceptionResponse& exception = *header.mutable_exception();
  exception.set_exception_class_name(java.class_name);
  exception.set_stack_trace(java.text);
  exception.set_hostname(address.host);
  exception.set_port(address.port);
  exception.set_do_not_retry(java.do_not_retry);
  return EncodeFrame(header, {});
}

}  // namespace widerow::hbase
