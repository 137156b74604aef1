// One connection's side of the protocol, without its socket: bytes in; requests to run, and bytes out. Handshake, framing,
// segments, limits and the connection's keyspace live here. Belongs to one thread at a time; never blocks.
//
//   kNew ──STARTUP──► kReady          (version 5: from then on, segments in both directions)
//     │                  ▲ the database knows the client
//     └─STARTUP─► kLogin ─AUTH_RESPONSE─► kChecking       where logging in is required
//     └──── anything malformed beyond repair, a wrong password ────► closing(): send the output, then close
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "net/native/memory_budget.h"
#include "net/protocol/compression.h"
#include "net/protocol/frame.h"
#include "net/protocol/frame_writer.h"
#include "net/protocol/segment.h"
#include "planner/schema_change.h"

namespace widerow {

class User;

struct SessionLimits {
  uint32_t frame_bytes_max = 256u << 20;    // A frame's body, also when decompressed.
  uint32_t startup_bytes_max = 64u << 10;   // The same until the handshake is done.
  size_t requests_bytes_max = 512u << 20;   // Requests of the connection that run at once.
  bool login_required = false;
};

// A whole QUERY, PREPARE, EXECUTE or BATCH, as it came; or an AUTH_RESPONSE, whose body is its token alone.
struct NativeRequest {
  Opcode opcode = Opcode::kQuery;
  uint8_t flags = 0;
  AnswerTo to;
  std::string keyspace;   // The connection's, when the request came.
  Bytes body;             // Compressed if flags say so.
  size_t held_bytes = 0;  // What it counts in the budget, until its answer is delivered.
};

struct NativeAnswer {
  Bytes frame;
  std::optional<std::string> keyspace;  // The connection's from now on (USE).
  size_t request_bytes = 0;             // NativeRequest::held_bytes.
  std::shared_ptr<const User> user;     // Of an AUTH_RESPONSE: who has logged in; null: nobody has.
};

class NativeSession {
 public:
  // `budget` outlives the session. `refused`: one connection too many; its first message is answered with Overloaded.
  NativeSession(const SessionLimits& limits, MemoryBudget& budget, bool refused = false);
  ~NativeSession();
  NativeSession(const NativeSession&) = delete;
  NativeSession& operator=(const NativeSession&) = delete;

  // Takes bytes as they came and appends complete requests to `requests`. What needs no database is answered at once.
  void Receive(ByteView bytes, std::vector<NativeRequest>& requests);
  // The answer to one of the requests.
  void Deliver(NativeAnswer answer);
  // Tells the client if it has registered for such events.
  void Push(const SchemaChange& change);

  // Answers since the last call, ready for the socket. Their bytes count in the budget until Written().
  Bytes TakeOutput();
  void Written(size_t bytes);

  bool ready() const { return state_ == State::kReady; }
  bool segmented() const { return segments_.has_value(); }
  bool closing() const { return closing_; }
  uint8_t version() const { return version_; }                     // 0 before STARTUP.
  const std::string& keyspace() const { return keyspace_; }
  const std::map<std::string, std::string>& startup_options() const { return startup_options_; }
  // In the middle of a frame or segment: more bytes must come.
  bool incomplete() const { return !frames_.at_boundary() || (segments_ && segments_->held_bytes() > 0); }
  size_t frames_received() const { return frames_received_; }
  size_t requests_running() const { return requests_running_; }
  // Requests that run and answers that are not written yet.
  size_t answer_bytes() const { return answer_bytes_; }
  size_t pending_bytes() const { return request_bytes_ + answer_bytes_; }

 private:
  enum class State : uint8_t { kNew, kLogin, kChecking, kReady };

  void ReceiveSegments(ByteView bytes, std::vector<NativeRequest>& requests);
  void ReceiveFrames(ByteView bytes, std::vector<NativeRequest>& requests);
  void CountUnfinishedFrame();
  void OnFrame(Frame frame, std::vector<NativeRequest>& requests);
  void OnHandshake(Opcode opcode, Frame& frame, std::vector<NativeRequest>& requests);
  void BeReady();
  void OnStartup(const Frame& frame);
  void OnAuthResponse(const Frame& frame, std::vector<NativeRequest>& requests);
  void OnRegister(const Frame& frame);
  void Admit(Frame frame, std::vector<NativeRequest>& requests);
  // nullopt: the frame is in order. Otherwise what is wrong with it.
  std::optional<Error> CheckHeader(const FrameHeader& header) const;
  AnswerTo ReplyTo(const FrameHeader& header) const;
  void Send(Bytes frame);
  void SendError(const AnswerTo& to, const Error& error);
  void CloseWith(const AnswerTo& to, const Error& error);
  void OnBadSegment(SegmentDecoder::State state);

  const SessionLimits limits_;
  MemoryBudget& budget_;
  const bool refused_;
  State state_ = State::kNew;
  uint8_t version_ = 0;  // Of the connection, once it is ready.
  Compression compression_ = Compression::kNone;
  std::string keyspace_;
  std::map<std::string, std::string> startup_options_;
  bool wants_schema_changes_ = false;
  bool closing_ = false;

  FrameDecoder frames_;
  std::optional<SegmentDecoder> segments_;
  bool segments_begin_ = false;  // STARTUP of version 5 has just been answered: what follows is segmented.
  bool in_large_frame_ = false;  // Between the segments of a frame that is cut over several.
  std::optional<SegmentWriter> segment_writer_;
  Bytes output_;                 // Answers that are not segmented.

  size_t frames_received_ = 0;
  size_t requests_running_ = 0;
  size_t request_bytes_ = 0, answer_bytes_ = 0, frame_bytes_ = 0;  // What the session has in the budget.
};

}  // namespace widerow
