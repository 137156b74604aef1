#include "tests/unit/net/native_client.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace widerow {

std::string NativeReply::error_text() const {
  if (!is_error()) return "no error";
  BodyReader in(body);
  in.Int();
  return std::string(in.String());
}

NativeRows RowsOf(const NativeReply& reply) {
  NativeRows rows;
  EXPECT_EQ(reply.result_kind(), 2) << reply.error_text();
  if (reply.result_kind() != 2) return rows;
  BodyReader in(reply.body);
  in.Int();
  rows.flags = in.Int();
  rows.column_count = in.Int();
  if (rows.flags & 2) rows.paging_state = in.NullableBytes().value_or(ByteView());
  if (rows.flags & 8) rows.metadata_id = in.ShortBytes();
  if (rows.flags & 1) {
    in.String();
    in.String();
  }
  for (int32_t i = 0; (rows.flags & 4) == 0 && i < rows.column_count; ++i) {
    rows.names.emplace_back(in.String());
    if (in.Short() == 0) in.String();
  }
  const int32_t count = in.Int();
  for (int32_t row = 0; row < count && in.ok(); ++row) {
    auto& values = rows.rows.emplace_back();
    for (int32_t i = 0; i < rows.column_count; ++i) {
      const std::optional<ByteView> value = in.NullableBytes();
      values.push_back(value ? Value(Bytes(*value)) : std::nullopt);
    }
  }
  EXPECT_TRUE(in.ok());
  EXPECT_EQ(in.left(), 0u);
  return rows;
}

NativePrepared PreparedOf(const NativeReply& reply) {
  EXPECT_EQ(reply.result_kind(), 4) << reply.error_text();
  BodyReader in(reply.body);
  in.Int();
  NativePrepared prepared{.id = Bytes(in.ShortBytes())};
  if (reply.header.version >= 5) prepared.metadata_id = in.ShortBytes();
  for (const bool markers : {true, false}) {
    const int32_t flags = in.Int(), count = in.Int();
    for (int32_t i = markers && reply.header.version >= 4 ? in.Int() : 0; i > 0; --i) in.Short();
    if (flags & 1) {
      in.String();
      in.String();
    }
    for (int32_t i = 0; (flags & 4) == 0 && i < count; ++i) {
      const std::string_view name = in.String();
      if (!markers) prepared.names.emplace_back(name);
      if (in.Short() == 0) in.String();
    }
  }
  return prepared;
}

NativeClient::NativeClient(uint16_t port, uint8_t version, const char* from) : version_(version) {
  socket_ = ::socket(AF_INET, SOCK_STREAM, 0);
  const int receive_bytes = 65'536, one = 1;
  ::setsockopt(socket_, SOL_SOCKET, SO_RCVBUF, &receive_bytes, sizeof receive_bytes);
  ::setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  sockaddr_in here{};
  here.sin_family = AF_INET;
  inet_pton(AF_INET, from, &here.sin_addr);
  EXPECT_EQ(::bind(socket_, reinterpret_cast<sockaddr*>(&here), sizeof here), 0);
  EXPECT_EQ(::connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  const timeval timeout{.tv_sec = 30, .tv_usec = 0};
  ::setsockopt(socket_, SOL_SOCKET, SO_SNDTIMEO, &timeout, sizeof timeout);
}

NativeClient::~NativeClient() { ::close(socket_); }

NativeReply NativeClient::Startup(const std::string& compression) {
  NativeReply ready = Ask(Opcode::kStartup, StartupBody(compression));
  if (ready.opcode() != Opcode::kReady && ready.opcode() != Opcode::kAuthenticate) return ready;
  if (compression == "lz4") compression_ = Compression::kLz4;
  if (compression == "snappy") compression_ = Compression::kSnappy;
  if (version_ >= 5) {
    segmented = true;
    segments_.emplace(compression_ == Compression::kLz4);
  }
  return ready;
}

void NativeClient::Send(Opcode opcode, ByteView body, int16_t stream, uint8_t flags) {
  if (segmented) {
    SegmentWriter writer(compression_ == Compression::kLz4);
    writer.AddFrame(MakeFrame(opcode, body, version_, stream, flags));
    SendRaw(writer.Take());
    return;
  }
  Bytes compressed;
  if (compression_ != Compression::kNone) {
    CompressBody(compression_, body, compressed);
    body = compressed;
    flags |= FrameFlags::kCompressed;
  }
  SendRaw(MakeFrame(opcode, body, version_, stream, flags));
}

bool NativeClient::SendRaw(ByteView bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<size_t>(sent));
  }
  return true;
}

bool NativeClient::Fill(int timeout_ms) {
  pollfd waiting{.fd = socket_, .events = POLLIN};
  if (::poll(&waiting, 1, timeout_ms) <= 0) return false;
  char buffer[65'536];
  const ssize_t got = ::recv(socket_, buffer, sizeof buffer, 0);
  if (got <= 0) return false;
  received_.append(buffer, static_cast<size_t>(got));
  if (!segments_ || !segmented) {
    payload_ += std::exchange(received_, {});
    return true;
  }
  ByteView input = received_;
  while (segments_->Next(input) == SegmentDecoder::State::kSegment) payload_ += segments_->payload();
  EXPECT_TRUE(input.empty()) << "a segment is damaged";
  received_.clear();
  return true;
}

bool NativeClient::TakeFrame(Frame& frame) {
  if (payload_.size() < kFrameHeaderBytes) return false;
  frame.header = DecodeFrameHeader(payload_.data());
  if (payload_.size() < kFrameHeaderBytes + frame.header.body_bytes) return false;
  frame.body = payload_.substr(kFrameHeaderBytes, frame.header.body_bytes);
  payload_.erase(0, kFrameHeaderBytes + frame.header.body_bytes);
  return true;
}

std::optional<NativeReply> NativeClient::Read(int timeout_ms) {
  Frame frame;
  while (!TakeFrame(frame)) {
    if (!Fill(timeout_ms)) return std::nullopt;
  }
  EXPECT_TRUE(frame.header.is_response);
  if (frame.header.flags & FrameFlags::kCompressed) {
    Result<Bytes> body = DecompressBody(compression_, frame.body, size_t{1} << 30);
    EXPECT_TRUE(body.ok());
    frame.body = std::move(*body);
  }
  NativeReply reply{.header = frame.header};
  BodyReader in(frame.body);
  ByteView body = frame.body;
  if (frame.header.flags & FrameFlags::kTracing) {
    reply.trace_id = body.substr(0, 16);
    in = BodyReader(body.substr(16));
  }
  if (frame.header.flags & FrameFlags::kWarning) reply.warnings = in.StringList();
  reply.body = in.rest();
  return reply;
}

NativeReply NativeClient::Ask(Opcode opcode, ByteView body, uint8_t flags) {
  Send(opcode, body, 1, flags);
  std::optional<NativeReply> reply = Read();
  EXPECT_TRUE(reply.has_value()) << "no answer";
  return reply.value_or(NativeReply{.body = Bytes(64, '\0')});
}

NativeReply NativeClient::Query(std::string_view cql, const ParametersText& parameters) {
  return Ask(Opcode::kQuery, QueryBody(cql, version_, parameters));
}

NativePrepared NativeClient::Prepare(std::string_view cql) {
  return PreparedOf(Ask(Opcode::kPrepare, PrepareBody(cql, version_)));
}

bool NativeClient::WaitForClose(int timeout_ms) {
  char buffer[65'536];
  for (pollfd waiting{.fd = socket_, .events = POLLIN}; ::poll(&waiting, 1, timeout_ms) > 0;) {
    if (::recv(socket_, buffer, sizeof buffer, 0) <= 0) return true;
  }
  return false;
}

void NativeClient::CloseSending() { ::shutdown(socket_, SHUT_WR); }

}  // namespace widerow
