// A blocking client of the native protocol for tests that sends the very bytes it is given, so that it can also send wrong
// ones. Understands compression and, after STARTUP with version 5, segments.
#pragma once

#include <optional>
#include <string>

#include "net/protocol/body_reader.h"
#include "net/protocol/compression.h"
#include "net/protocol/segment.h"
#include "tests/unit/net/native_messages.h"

namespace widerow {

// An answer; `body` is what follows the tracing id and the warnings.
struct NativeReply {
  FrameHeader header;
  Bytes trace_id;
  std::vector<std::string> warnings;
  Bytes body;

  Opcode opcode() const { return static_cast<Opcode>(header.opcode); }
  bool is_error() const { return opcode() == Opcode::kError; }
  uint32_t error_code() const { return is_error() ? ReadBigEndian<uint32_t>(body.data()) : 0xFFFF'FFFF; }
  std::string error_text() const;
  // RESULT kinds: 1 void, 2 rows, 3 set keyspace, 4 prepared, 5 schema change; 0 if it is none.
  int32_t result_kind() const { return opcode() == Opcode::kResult ? ReadBigEndian<int32_t>(body.data()) : 0; }
};

// A Rows result, taken apart; values of all columns as they came.
struct NativeRows {
  int32_t flags = 0;
  int32_t column_count = 0;
  Bytes paging_state, metadata_id;
  std::vector<std::string> names;            // Empty without metadata. Only for columns of plain types.
  std::vector<std::vector<Value>> rows;
};
NativeRows RowsOf(const NativeReply& reply);

struct NativePrepared {
  Bytes id, metadata_id;
};
NativePrepared PreparedOf(const NativeReply& reply);

class NativeClient {
 public:
  explicit NativeClient(uint16_t port, uint8_t version = 4);  // Of 127.0.0.1. Says nothing yet.
  ~NativeClient();
  NativeClient(const NativeClient&) = delete;
  NativeClient& operator=(const NativeClient&) = delete;

  // STARTUP; the answer is READY unless something is wrong.
  NativeReply Startup(const std::string& compression = {});
  // One request in this connection's framing and compression.
  void Send(Opcode opcode, ByteView body, int16_t stream = 1, uint8_t flags = 0);
  bool SendRaw(ByteView bytes);  // False if the other side has closed.
  // The next answer; nullopt if the connection ends first, or after `timeout_ms`.
  std::optional<NativeReply> Read(int timeout_ms = 30'000);
  NativeReply Ask(Opcode opcode, ByteView body, uint8_t flags = 0);  // Fails the test if there is no answer.
  NativeReply Query(std::string_view cql, const ParametersText& parameters = {});
  NativePrepared Prepare(std::string_view cql);
  // True when the other side closes within `timeout_ms`; answers that come first are thrown away.
  bool WaitForClose(int timeout_ms);
  void CloseSending();

  bool segmented = false;  // Tests that break the framing set it themselves.

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
