// Receive cuts bytes into segments (version 5, after STARTUP) and frames. OnFrame checks the header and the state:
// QUERY, PREPARE, EXECUTE and BATCH go through Admit, which checks the memory bounds and makes a NativeRequest;
// OnHandshake handles all other messages. Send collects answers; TakeOutput puts them into segments. In the memory
// budget, a session counts its running requests, its answers, and its unfinished frame.
#include "net/native/session.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "exec/session/request_counts.h"
#include "net/protocol/auth_response.h"
#include "net/protocol/error_response.h"
#include "net/protocol/event.h"
#include "net/protocol/register.h"
#include "net/protocol/startup.h"
#include "net/protocol/supported.h"
#include "net/protocol/version.h"

namespace widerow {

namespace {

// The memory that a request takes in addition to its body.
constexpr size_t kRequestBytes = 256;
// An incomplete frame is not refused for lack of memory while at most this number of its bytes has arrived.
constexpr size_t kSmallFrameBytes = 64u << 10;
// A connection may always run one request of this size, however little memory is free.
constexpr size_t kSmallRequestBytes = 16u << 10;

Error OverloadedError() {
  return {.code = ErrorCode::kOverloaded,
          .message = "Server is in overloaded state. Cannot accept more requests at this point"};
}

Error TooLong(size_t bytes, size_t bytes_max, bool ready) {
  Error error =
      InvalidError(StrCat("Request is too big: length ", bytes, " exceeds maximum allowed length ", bytes_max, "."));
  if (ready) error.hint = "write a large value over HTTP: PUT /v1/blob/KEYSPACE/TABLE/COLUMN?key=[…], into a longblob";
  return error;
}

Error BadVersion(uint8_t version) {
  return ProtocolError(StrCat("Invalid or unsupported protocol version (", version,
                              "); the lowest supported version is ", kProtocolVersionMin, " and the greatest is ",
                              kProtocolVersionMax));
}

Error NotServed(Admission admission) {
  if (admission == Admission::kTooMany) {
    return {
        .code = ErrorCode::kOverloaded, .message = "Too many connections are open", .hint = "close idle connections"};
  }
  return {.code = ErrorCode::kOverloaded,
          .message = "Too many connections from this address have not logged in",
          .hint = "wait until they have, or close them"};
}

bool RunsInDatabase(Opcode opcode) {
  return opcode == Opcode::kQuery || opcode == Opcode::kPrepare || opcode == Opcode::kExecute ||
         opcode == Opcode::kBatch;
}

}  // namespace

NativeSession::NativeSession(const SessionLimits& limits, MemoryBudget& budget, Admission admission,
                             RequestCounts* counts)
    : limits_(limits),
      budget_(budget),
      counts_(counts),
      frames_(limits.startup_bytes_max),
      answers_(budget, limits.answers_bytes_max) {
  if (admission != Admission::kServed) refusal_ = NotServed(admission);
}

NativeSession::~NativeSession() { budget_.Remove(request_bytes_ + frame_bytes_); }

AnswerTo NativeSession::ReplyTo(const FrameHeader& header) const {
  uint8_t version = version_;
  if (version == 0) version = IsSupportedVersion(header.version) ? header.version : kProtocolVersionMax;
  const bool compress_frames = version_ != 0 && version_ < 5;
  return {
      .version = version, .stream = header.stream, .compression = compress_frames ? compression_ : Compression::kNone};
}

void NativeSession::Send(Bytes frame) {
  if (frame.empty()) return;
  answers_.Add(frame.size());
  const bool joins = output_.size() > plain_output_ && output_.back().size() + frame.size() <= kSegmentPayloadMax;
  if (joins) {
    output_.back() += frame;
  } else {
    output_.push_back(std::move(frame));
  }
}

void NativeSession::SendError(const AnswerTo& to, const Error& error) {
  CountError(error.code);
  Send(EncodeError(to, error));
}

void NativeSession::CountError(ErrorCode code) {
  if (counts_ != nullptr) counts_->CountError(RequestCounts::Protocol::kCql, code);
}

void NativeSession::CloseWith(const AnswerTo& to, const Error& error) {
  SendError(to, error);
  closing_ = true;
}

Bytes NativeSession::TakeOutput() {
  if (output_.empty()) return {};
  Bytes out = std::move(output_.front());
  output_.pop_front();
  const size_t frame_bytes = out.size();
  if (plain_output_ > 0) {
    --plain_output_;
  } else if (segment_writer_) {
    segment_writer_->AddFrame(out);
    Bytes().swap(out);
    out = segment_writer_->Take();
  }
  // From here on, answers_ counts the size of the output on the wire. Segments add bytes, and compression removes some.
  if (out.size() != frame_bytes) {
    answers_.Add(out.size());
    answers_.Remove(frame_bytes);
  }
  sending_bytes_ += out.size();
  return out;
}

void NativeSession::Written(size_t bytes) {
  const size_t counted = std::min(bytes, sending_bytes_);
  sending_bytes_ -= counted;
  answers_.Remove(counted);
}

void NativeSession::ReceiveSegments(ByteView bytes, std::vector<NativeRequest>& requests) {
  while (!bytes.empty() && !closing_) {
    const SegmentDecoder::State state = segments_->Next(bytes);
    if (state == SegmentDecoder::State::kNeedsMore) return;
    if (state != SegmentDecoder::State::kSegment) return OnBadSegment(state);
    const bool self_contained = segments_->self_contained();
    if (self_contained && in_large_frame_) {
      return CloseWith({.version = version_}, ProtocolError("A self-contained segment stands inside a large frame"));
    }
    ReceiveFrames(segments_->payload(), requests);
    in_large_frame_ = !frames_.at_boundary();
    if (self_contained && in_large_frame_ && !closing_) {
      CloseWith({.version = version_}, ProtocolError("A self-contained segment ends inside a frame"));
    }
  }
}

void NativeSession::ReceiveFrames(ByteView bytes, std::vector<NativeRequest>& requests) {
  while (!closing_) {
    const FrameDecoder::State state = frames_.Next(bytes);
    if (state == FrameDecoder::State::kFrame) {
      budget_.Remove(std::exchange(frame_bytes_, 0));  // The frame is counted again as a request.
      OnFrame(frames_.TakeFrame(), requests);
    } else if (state == FrameDecoder::State::kBadVersion) {
      CloseWith(ReplyTo(frames_.header()), BadVersion(frames_.header().version));
    } else if (state == FrameDecoder::State::kTooLong) {
      const uint32_t bytes_max = ready() ? limits_.frame_bytes_max : limits_.startup_bytes_max;
      CloseWith(ReplyTo(frames_.header()), TooLong(frames_.header().body_bytes, bytes_max, ready()));
    }
    CountUnfinishedFrame();
    // STARTUP of version 5 changes how the bytes after it are read.
    if (state == FrameDecoder::State::kFrame && segments_ && segments_begin_) {
      segments_begin_ = false;
      return ReceiveSegments(bytes, requests);
    }
    if (state == FrameDecoder::State::kNeedsMore) return;
  }
}

void NativeSession::Receive(ByteView bytes, std::vector<NativeRequest>& requests) {
  if (segments_) return ReceiveSegments(bytes, requests);
  ReceiveFrames(bytes, requests);
}

bool NativeSession::Exceeds(size_t bytes) const {
  return request_bytes_ + frame_bytes_ + bytes > std::min(limits_.requests_bytes_max, budget_.whole_max());
}

// Counts the bytes of a frame that is not complete yet. If they exceed the budget, the frame is refused and the rest of
// its body is skipped.
void NativeSession::CountUnfinishedFrame() {
  const size_t held = frames_.held_bytes();
  budget_.Add(held);
  budget_.Remove(std::exchange(frame_bytes_, held));
  if (!frames_.in_body() || held <= kSmallFrameBytes || !Exceeds(0)) return;
  budget_.Remove(std::exchange(frame_bytes_, 0));
  SendError(ReplyTo(frames_.header()), OverloadedError());
  frames_.SkipBody();
}

void NativeSession::OnBadSegment(SegmentDecoder::State state) {
  const ByteView header = segments_->header_bytes();
  const bool old_framing = state == SegmentDecoder::State::kBadHeader && header.size() >= 5 &&
                           static_cast<uint8_t>(header[0]) == 5 &&
                           FindOpcode(static_cast<uint8_t>(header[4])) != nullptr;
  if (old_framing) {
    // A client that writes without segments also reads without segments.
    segment_writer_.reset();
    return CloseWith({.version = version_, .stream = ReadBigEndian<int16_t>(header.data() + 2)},
                     ProtocolError("The client speaks the beta framing of protocol v5, which was replaced by segments "
                                   "before v5 was final",
                                   "use protocol v4, or a newer driver"));
  }
  const char* part = state == SegmentDecoder::State::kBadHeader ? "header" : "payload";
  CloseWith({.version = version_}, ProtocolError(std::string("The checksum of a segment's ") + part + " is wrong"));
}

std::optional<Error> NativeSession::CheckHeader(const FrameHeader& header) const {
  const OpcodeInfo* info = FindOpcode(header.opcode);
  if (info == nullptr) return ProtocolError("Unknown opcode " + std::to_string(header.opcode));
  if (header.is_response || !info->is_request) {
    const char* expected = info->is_request ? "REQUEST" : "RESPONSE";
    const char* got = header.is_response ? "RESPONSE" : "REQUEST";
    if (header.is_response == info->is_request) {
      return ProtocolError(StrCat("Wrong protocol direction (expected ", expected, ", got ", got, ") for opcode ",
                                  header.opcode, " (", info->name, ")"));
    }
    return ProtocolError(std::string("Unexpected message ") + info->name + " from a client");
  }
  if (version_ != 0 && header.version != version_) {
    return ProtocolError("Invalid message version. Got " + VersionName(header.version) +
                         " but previous messages on this connection had version " + VersionName(version_));
  }
  if (header.version < 4 && (header.flags & FrameFlags::kCustomPayload)) {
    return ProtocolError("Received frame with CUSTOM_PAYLOAD flag for native protocol version < 4");
  }
  return std::nullopt;
}

void NativeSession::OnFrame(Frame frame, std::vector<NativeRequest>& requests) {
  const AnswerTo to = ReplyTo(frame.header);
  ++frames_received_;
  if (refusal_) return CloseWith(to, *refusal_);
  if (const std::optional<Error> wrong = CheckHeader(frame.header)) return SendError(to, *wrong);
  const auto opcode = static_cast<Opcode>(frame.header.opcode);
  if (state_ == State::kNew && opcode != Opcode::kStartup && opcode != Opcode::kOptions) {
    return CloseWith(to, ProtocolError(std::string("Unexpected message ") + FindOpcode(frame.header.opcode)->name +
                                       ", expecting STARTUP or OPTIONS"));
  }
  if ((state_ == State::kLogin || state_ == State::kChecking) && opcode != Opcode::kAuthResponse) {
    return SendError(to, ProtocolError(std::string("Unexpected message ") + FindOpcode(frame.header.opcode)->name +
                                       ", expecting SASL_RESPONSE"));
  }
  // Without an agreed compression the flag has no meaning, as in Cassandra. In version 5 the segments are compressed
  // instead.
  if (to.compression == Compression::kNone) frame.header.flags &= static_cast<uint8_t>(~FrameFlags::kCompressed);
  if (RunsInDatabase(opcode)) return Admit(std::move(frame), requests);
  if (frame.header.flags & FrameFlags::kCompressed) {
    Result<Bytes> body = DecompressBody(compression_, frame.body, limits_.startup_bytes_max);
    if (!body.ok()) return SendError(to, body.error());
    frame.body = std::move(*body);
  }
  OnHandshake(opcode, frame, requests);
}

void NativeSession::OnHandshake(Opcode opcode, Frame& frame, std::vector<NativeRequest>& requests) {
  const AnswerTo to = ReplyTo(frame.header);
  if (opcode == Opcode::kOptions) return Send(EncodeSupported(to));
  if (opcode == Opcode::kStartup) return OnStartup(frame);
  if (opcode == Opcode::kRegister) return OnRegister(frame);
  OnAuthResponse(frame, requests);
}

void NativeSession::OnAuthResponse(const Frame& frame, std::vector<NativeRequest>& requests) {
  const AnswerTo to = ReplyTo(frame.header);
  const Result<AuthResponseMessage> message = DecodeAuthResponse(frame.body);
  if (!message.ok()) return SendError(to, message.error());
  if (state_ != State::kLogin) {
    return SendError(to, ProtocolError("Unexpected message AUTH_RESPONSE, there was no challenge",
                                       limits_.login_required ? "the client has logged in, or is being looked up"
                                                              : "this server needs no authentication"));
  }
  state_ = State::kChecking;
  ++requests_running_;
  requests.push_back({.opcode = Opcode::kAuthResponse, .to = to, .body = Bytes(message->token.value_or(ByteView()))});
}

void NativeSession::OnStartup(const Frame& frame) {
  const AnswerTo to = ReplyTo(frame.header);
  if (state_ != State::kNew) {
    return SendError(to, ProtocolError("Unexpected message STARTUP, the connection is already initialized"));
  }
  Result<StartupRequest> startup = DecodeStartup(frame.body, frame.header.version);
  if (!startup.ok()) return SendError(to, startup.error());
  const bool login_waits = limits_.login_required && !certificate_login_;
  if (certificate_login_ && !certificate_login_->ok()) return CloseWith(to, certificate_login_->error());
  Send(login_waits ? EncodeAuthenticate(to) : FrameWriter(to, Opcode::kReady).Finish());
  version_ = frame.header.version;
  compression_ = startup->compression;
  startup_options_ = std::move(startup->options);
  if (login_waits) {
    state_ = State::kLogin;
  } else {
    BeReady();
  }
  if (version_ < 5) return;
  segments_.emplace(compression_ == Compression::kLz4);
  segment_writer_.emplace(compression_ == Compression::kLz4);
  plain_output_ = output_.size();
  segments_begin_ = true;
}

void NativeSession::BeReady() {
  state_ = State::kReady;
  frames_.set_body_bytes_max(limits_.frame_bytes_max);
}

void NativeSession::OnRegister(const Frame& frame) {
  const AnswerTo to = ReplyTo(frame.header);
  const Result<RegisterMessage> message = DecodeRegister(frame.body);
  if (!message.ok()) return SendError(to, message.error());
  if (message->schema_change) wants_schema_changes_ = true;
  Send(FrameWriter(to, Opcode::kReady).Finish());
}

void NativeSession::Admit(Frame frame, std::vector<NativeRequest>& requests) {
  const AnswerTo to = ReplyTo(frame.header);
  size_t held = kRequestBytes + frame.body.capacity();
  if (frame.header.flags & FrameFlags::kCompressed) {
    const Result<size_t> unfolded = UncompressedBytes(compression_, frame.body, limits_.frame_bytes_max);
    if (!unfolded.ok()) return SendError(to, unfolded.error());
    held += *unfolded;
  }
  budget_.Add(held);
  const bool small = requests_running_ == 0 && held <= kSmallRequestBytes;
  if (!small && Exceeds(held)) {
    budget_.Remove(held);
    return SendError(to, OverloadedError());
  }
  request_bytes_ += held;
  ++requests_running_;
  requests.push_back({.opcode = static_cast<Opcode>(frame.header.opcode),
                      .flags = frame.header.flags,
                      .to = to,
                      .keyspace = keyspace_,
                      .body = std::move(frame.body),
                      .held_bytes = held,
                      .known = &known_});
}

void NativeSession::Deliver(NativeAnswer answer) {
  --requests_running_;
  request_bytes_ -= answer.request_bytes;
  budget_.Remove(answer.request_bytes);
  answers_.Remove(answer.held_bytes);
  if (answer.keyspace) keyspace_ = std::move(*answer.keyspace);
  if (closing_) return;
  if (answer.error) CountError(*answer.error);
  Send(std::move(answer.frame));
  if (state_ != State::kChecking) return;
  if (answer.user == nullptr) {
    closing_ = true;  // A client that guesses passwords must connect again for each try.
  } else {
    BeReady();
  }
}

void NativeSession::Push(const SchemaChange& change) {
  if (!wants_schema_changes_ || closing_) return;
  Send(EncodeSchemaChangeEvent(ReplyTo({.version = version_}), change));
}

}  // namespace widerow
