// A blocking client of the native protocol for tests. Send adds the framing and the compression of the connection: from
// version 5 on, segments after STARTUP. SendRaw sends exactly the bytes that it is given, so that tests can also send
// wrong ones.
#pragma once

#include <optional>
#include <string>

#include "net/protocol/body_reader.h"
#include "net/protocol/compression.h"
#include "net/protocol/segment.h"
#include "tests/unit/net/native_messages.h"

namespace widerow {

// An answer of the server. `body` begins after the tracing id and the warnings.
struct NativeReply {
  FrameHeader header;
  Bytes trace_id;
  std::vector<std::string> warnings;
  Bytes body;

  Opcode opcode() const { return static_cast<Opcode>(header.opcode); }
  bool is_error() const { return opcode() == Opcode::kError; }
  uint32_t error_code() const { return is_error() ? ReadBigEndian<uint32_t>(body.data()) : 0xFFFF'FFFF; }
  std::string error_text() const;
  // Returns the kind of a RESULT: 1 void, 2 rows, 3 set keyspace, 4 prepared, 5 schema change. Returns 0 for any other
  // answer.
  int32_t result_kind() const { return opcode() == Opcode::kResult ? ReadBigEndian<int32_t>(body.data()) : 0; }
};

// A decoded Rows result.
struct NativeRows {
  int32_t flags = 0;
  int32_t column_count = 0;
  Bytes paging_state, metadata_id;
  std::vector<std::string> names;  // The names of the columns. Empty if the result has no metadata.
  std::vector<std::vector<Value>> rows;
};
// Decodes a Rows result. If it has metadata, all columns must have scalar types.
NativeRows RowsOf(const NativeReply& reply);

struct NativePrepared {
  Bytes id, metadata_id;
  std::vector<std::string> names;  // The names of the result's columns.
};
// Decodes a Prepared result. All bind markers and columns must have scalar types.
NativePrepared PreparedOf(const NativeReply& reply);

class NativeClient {
 public:
  // Connects to 127.0.0.1 and sends nothing. `from` is the address of this machine from which the client connects.
  explicit NativeClient(uint16_t port, uint8_t version = 4, const char* from = "127.0.0.1");
  ~NativeClient();
  NativeClient(const NativeClient&) = delete;
  NativeClient& operator=(const NativeClient&) = delete;

  // Sends STARTUP and returns the answer. It is READY if the server accepts the connection.
  NativeReply Startup(const std::string& compression = {});
  // Sends one request, with the framing and the compression of this connection.
  void Send(Opcode opcode, ByteView body, int16_t stream = 1, uint8_t flags = 0);
  bool SendRaw(ByteView bytes);  // Returns false if the server has closed the connection.
  // Returns the next answer. Returns nullopt if the connection ends, or if no answer comes within `timeout_ms`.
  std::optional<NativeReply> Read(int timeout_ms = 30'000);
  NativeReply Ask(Opcode opcode, ByteView body, uint8_t flags = 0);  // The test fails if there is no answer.
  NativeReply Query(std::string_view cql, const ParametersText& parameters = {});
  NativePrepared Prepare(std::string_view cql);
  // Returns true if the server closes the connection within `timeout_ms`. Answers that come before are ignored.
  bool WaitForClose(int timeout_ms);
  void CloseSending();

  bool segmented = false;  // Startup() sets this. Tests of wrong framing change it.

 private:
  bool Fill(int timeout_ms);
  bool TakeFrame(Frame& frame);

  const uint8_t version_;
  int socket_ = -1;
  Compression compression_ = Compression::kNone;
  std::optional<SegmentDecoder> segments_;
  Bytes received_, payload_;
};

}  // namespace widerow
