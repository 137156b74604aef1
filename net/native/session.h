// The server's side of one connection's protocol, without the socket: bytes come in, requests to run and bytes to send
// come out. It owns the handshake, frames, segments, limits and the connection's keyspace. One thread at a time may use
// it; it never blocks.
//
//   kNew ──STARTUP──► kReady          (version 5: from here on, segments in both directions)
//     │                  ▲ the login succeeded; a certificate logs in before STARTUP
//     └─STARTUP─► kLogin ─AUTH_RESPONSE─► kChecking       if logging in is required
//     └──── an error that cannot be repaired, a wrong password ────► closing(): send the output, then close
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "net/admissions.h"
#include "net/memory_budget.h"
#include "net/native/known_statements.h"
#include "net/protocol/compression.h"
#include "net/protocol/frame.h"
#include "net/protocol/frame_writer.h"
#include "net/protocol/segment.h"
#include "planner/schema_change.h"

namespace widerow {

class RequestCounts;
class User;

struct SessionLimits {
  uint32_t frame_bytes_max = 256u << 20;   // For the body of a frame, before and after decompression.
  uint32_t startup_bytes_max = 64u << 10;  // For the body of a frame until the handshake is done.
  size_t requests_bytes_max = 512u << 20;  // For the connection's requests that run at once.
  size_t answers_bytes_max = 64u << 20;    // For the connection's answers (MemoryAccount).
  bool login_required = false;
};

// A complete QUERY, PREPARE, EXECUTE or BATCH as it was received; or an AUTH_RESPONSE, whose body is only its token.
struct NativeRequest {
  Opcode opcode = Opcode::kQuery;
  uint8_t flags = 0;
  AnswerTo to;
  std::string keyspace;   // The connection's keyspace when the request was received.
  Bytes body;             // Compressed if `flags` has kCompressed.
  size_t held_bytes = 0;  // Bytes that the budget counts for this request until the answer is delivered.
  bool alone = false;     // Must run while the connection has no other answer (AnswerMemory::wants_alone).
  // Belongs to the connection and outlives the request. Null: the client knows every statement.
  KnownStatements* known = nullptr;
};

struct NativeAnswer {
  Bytes frame;
  std::optional<std::string> keyspace;  // The connection's new keyspace, after USE.
  size_t request_bytes = 0;             // The NativeRequest's held_bytes.
  size_t held_bytes = 0;                // The bytes of `frame` that NativeSession::answers() counts already.
  // The request, if it must be run again. Then there is no answer yet.
  std::unique_ptr<NativeRequest> again;
  std::optional<ErrorCode> error;    // The code of an answer that is an error.
  std::shared_ptr<const User> user;  // Answers to AUTH_RESPONSE: the user who has logged in; null: the login failed.
};

class NativeSession {
 public:
  // `budget` must outlive the session, and so must `counts`, which may be null. If `admission` is not kServed, the
  // client's first message is answered with Overloaded.
  NativeSession(const SessionLimits& limits, MemoryBudget& budget, Admission admission = Admission::kServed,
                RequestCounts* counts = nullptr);
  ~NativeSession();
  NativeSession(const NativeSession&) = delete;
  NativeSession& operator=(const NativeSession&) = delete;

  // Lets the session answer the first message with this error and then close.
  void Refuse(Error error) { refusal_ = std::move(error); }
  // Gives the result of the login by the client's certificate. If `login` is ok, STARTUP makes the connection ready
  // without a password; otherwise STARTUP is answered with the error.
  void SetCertificateLogin(Status login) { certificate_login_ = std::move(login); }

  // Takes received bytes and appends complete requests to `requests`. Messages that need no database are answered at
  // once.
  void Receive(ByteView bytes, std::vector<NativeRequest>& requests);
  // Takes the answer to one of the requests.
  void Deliver(NativeAnswer answer);
  // Tells the client about the change if it has registered for such events.
  void Push(const SchemaChange& change);

  // Returns the next answers, ready for the socket; empty if there are none. Many small answers come at once, a large
  // one alone, so the next call may return more. Their bytes count in the budget until Written() is called.
  Bytes TakeOutput();
  void Written(size_t bytes);

  bool ready() const { return state_ == State::kReady; }
  bool segmented() const { return segments_.has_value(); }
  bool closing() const { return closing_; }
  uint8_t version() const { return version_; }  // 0 before STARTUP.
  const std::string& keyspace() const { return keyspace_; }
  const std::map<std::string, std::string>& startup_options() const { return startup_options_; }
  // True in the middle of a frame or segment: more bytes must come.
  bool incomplete() const { return !frames_.at_boundary() || (segments_ && segments_->held_bytes() > 0); }
  size_t frames_received() const { return frames_received_; }
  size_t requests_running() const { return requests_running_; }
  // Counts answers that are being made and answers that are not written yet. Safe on any thread.
  MemoryAccount& answers() { return answers_; }
  const MemoryAccount& answers() const { return answers_; }
  // Returns the bytes of running requests and of answers.
  size_t pending_bytes() const { return request_bytes_ + answers_.held_bytes(); }

 private:
  enum class State : uint8_t { kNew, kLogin, kChecking, kReady };

  void ReceiveSegments(ByteView bytes, std::vector<NativeRequest>& requests);
  void ReceiveFrames(ByteView bytes, std::vector<NativeRequest>& requests);
  // True if the session would hold too many bytes of requests with `bytes` more.
  bool Exceeds(size_t bytes) const;
  void CountUnfinishedFrame();
  void OnFrame(Frame frame, std::vector<NativeRequest>& requests);
  void OnHandshake(Opcode opcode, Frame& frame, std::vector<NativeRequest>& requests);
  void BeReady();
  void OnStartup(const Frame& frame);
  void OnAuthResponse(const Frame& frame, std::vector<NativeRequest>& requests);
  void OnRegister(const Frame& frame);
  void Admit(Frame frame, std::vector<NativeRequest>& requests);
  // Returns what is wrong with the frame; nullopt if it is in order.
  std::optional<Error> CheckHeader(const FrameHeader& header) const;
  AnswerTo ReplyTo(const FrameHeader& header) const;
  void Send(Bytes frame);
  void SendError(const AnswerTo& to, const Error& error);
  void CloseWith(const AnswerTo& to, const Error& error);
  void CountError(ErrorCode code);
  void OnBadSegment(SegmentDecoder::State state);

  const SessionLimits limits_;
  MemoryBudget& budget_;
  RequestCounts* const counts_;
  std::optional<Error> refusal_;  // If set, the answer to the client's first message (Refuse).
  std::optional<Status> certificate_login_;
  State state_ = State::kNew;
  uint8_t version_ = 0;  // The connection's version; 0 before STARTUP.
  Compression compression_ = Compression::kNone;
  std::string keyspace_;
  std::map<std::string, std::string> startup_options_;
  KnownStatements known_;
  bool wants_schema_changes_ = false;
  bool closing_ = false;

  FrameDecoder frames_;
  std::optional<SegmentDecoder> segments_;
  bool segments_begin_ = false;  // True if STARTUP of version 5 has just been answered: segments follow.
  bool in_large_frame_ = false;  // True inside a frame that spans several segments.
  std::optional<SegmentWriter> segment_writer_;
  std::deque<Bytes> output_;  // Frames. An element has one frame, or several small ones.
  size_t plain_output_ = 0;   // The number of elements at the front of output_ that are not sent in segments.

  size_t frames_received_ = 0;
  size_t requests_running_ = 0;
  // Bytes that the session counts in the budget: of running requests, and of the unfinished frame.
  size_t request_bytes_ = 0, frame_bytes_ = 0;
  MemoryAccount answers_;
  size_t sending_bytes_ = 0;  // Bytes in answers_ that TakeOutput has returned and that are not written.
};

}  // namespace widerow
