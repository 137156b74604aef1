// Tests a whole connection with a real database, but without sockets. The client's bytes go through the session, the
// parser, the planner, the executor and the storage. The output must be whole frames, one for each request. The first
// byte says how the rest is read: as the client's bytes, or as messages that get correct frames, lengths and checksums.
// In the second way, a change of one byte reaches the statement and its values.
#include <future>
#include <memory>
#include <vector>

#include "base/check.h"
#include "net/native/run_request.h"
#include "net/native/session.h"
#include "tests/fuzz/fuzz_database.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/unit/net/native_messages.h"

using namespace widerow;

namespace {

constexpr SessionLimits kLimits{.frame_bytes_max = 20'000, .startup_bytes_max = 2'000, .requests_bytes_max = 60'000};
constexpr size_t kBudget = 200'000;
constexpr size_t kPieceBytes = 512, kAnswersBytesMax = 64u << 20;

// Waits for the answer to a write, which comes from a thread of the storage.
struct Later : AnswerSink {
  std::promise<NativeAnswer> answer;
  void CompleteSubmitted(NativeAnswer done) override { answer.set_value(std::move(done)); }
};

class FuzzedConnection {
 public:
  FuzzedConnection(FuzzDatabase& database, FuzzInput input) : database_(database), input_(input) {
    const uint8_t how = input_.Byte();
    version_ = static_cast<uint8_t>(3 + (how & 3) % 3);
    if (how & 4) compression_ = (how & 8) && version_ < 5 ? Compression::kSnappy : Compression::kLz4;
    raw_ = (how & 16) != 0;
  }

  void Run() {
    if (raw_) {
      while (!input_.empty()) {
        Receive(input_.Take(kPieceBytes));
        Answer(waiting_.size());
      }
    } else {
      SendFrame(Opcode::kStartup, StartupBody(compression_ == Compression::kNone  ? ""
                                              : compression_ == Compression::kLz4 ? "lz4"
                                                                                  : "snappy"));
      while (!input_.empty() && !session_.closing()) Step();
    }
    Answer(waiting_.size());
    TakeOutput();
    WR_CHECK(session_.pending_bytes() == 0);
  }

 private:
  void Step() {
    const uint8_t step = input_.Byte();
    switch (step % 8) {
      case 0: SendFrame(static_cast<Opcode>(input_.Byte()), input_.Take(input_.Byte()), input_.Byte()); break;
      case 1: {
        Bytes body;
        AppendLongString(body, input_.Line());
        SendFrame(Opcode::kQuery, body + Parameters());
        break;
      }
      case 2: SendFrame(Opcode::kPrepare, PrepareBody(input_.Line(), version_, (step & 8) ? "k" : "")); break;
      case 3: {
        const PreparedStatement& statement = database_.Prepared(input_.Byte());
        Bytes body;
        AppendShortBytes(body, statement.id);
        if (version_ >= 5) AppendShortBytes(body, (step & 8) ? Bytes(16, 'x') : statement.columns_id);
        SendFrame(Opcode::kExecute, body + Parameters(), (step & 16) ? FrameFlags::kTracing : 0);
        break;
      }
      case 4: SendBatch(step); break;
      case 5: Answer(1 + input_.Byte() % 4); break;
      case 6: Receive(input_.Take(input_.Byte())); break;
      default: session_.Push({.keyspace = "k"});
    }
    if (waiting_.size() > 4) Answer(waiting_.size());
  }

  Bytes Value() {
    const uint8_t bytes = input_.Byte();
    return bytes == 255 ? kNullValue : bytes == 254 ? kUnsetValue : SizedValue(input_.Take(bytes));
  }
  Bytes Parameters() {
    Bytes body;
    const uint8_t how = input_.Byte();
    // In this case the parameters are bytes of the input, which are seldom well-formed.
    if (how == 255) return Bytes(input_.Take(input_.Byte()));
    ParametersText text{.skip_metadata = (how & 1) != 0};
    if (how & 2) text.page_rows = 1 + input_.Byte() % 8;
    if (how & 4) {
      text.paging_state = paging_state_;
      if (how & 8 && !text.paging_state.empty())
        text.paging_state[input_.Byte() % text.paging_state.size()] ^= input_.Byte();
    }
    if (how & 16) text.timestamp = ReadBigEndian<int64_t>((Bytes(input_.Take(8)) + Bytes(8, '\1')).data());
    if (how & 32) text.now_seconds = 1'700'000'000 + input_.Byte();
    if (how & 64) text.keyspace = "k";
    for (size_t i = 0, count = input_.Byte() % 20; i < count; ++i) {
      if (how & 128) text.names.emplace_back(input_.Line());
      text.values.push_back(Value());
    }
    if (version_ < 5) text.now_seconds = 0, text.keyspace.clear();
    AppendParameters(body, text, version_);
    return body;
  }

  void SendBatch(uint8_t step) {
    std::vector<BatchEntryText> entries(input_.Byte() % 6);
    for (BatchEntryText& entry : entries) {
      const uint8_t which = input_.Byte();
      if (which & 1) {
        entry.id = database_.Prepared(which >> 1).id;
      } else {
        entry.cql = input_.Line();
      }
      for (size_t i = 0, count = input_.Byte() % 12; i < count; ++i) entry.values.push_back(Value());
    }
    SendFrame(Opcode::kBatch, BatchBody(step / 8 % 3, entries, version_));
  }

  void SendFrame(Opcode opcode, ByteView body, uint8_t flags = 0) {
    Bytes compressed;
    flags &= static_cast<uint8_t>(~FrameFlags::kCompressed);
    if (session_.ready() && version_ < 5 && compression_ != Compression::kNone) {
      CompressBody(compression_, body, compressed);
      body = compressed;
      flags |= FrameFlags::kCompressed;
    }
    const Bytes frame = MakeFrame(opcode, body, version_, static_cast<int16_t>(++stream_ % 100), flags);
    if (!session_.segmented()) return Receive(frame);
    SegmentWriter writer(compression_ == Compression::kLz4);
    writer.AddFrame(frame);
    Receive(writer.Take());
  }

  void Receive(ByteView bytes) { session_.Receive(bytes, waiting_); }

  // Runs `count` of the waiting requests. The last ones run first, so that answers leave in another order.
  void Answer(size_t count) {
    for (; count > 0 && !waiting_.empty(); --count) {
      NativeRequest request = std::move(waiting_.back());
      waiting_.pop_back();
      const int16_t stream = request.to.stream;
      NativeAnswer answer;
      const auto later = std::make_shared<Later>();
      switch (RunIfQuick(
          database_.engine(), request, facts_, [&] { return later; }, answer)) {
        case QuickRun::kNo:
          answer = RunRequest(database_.engine(), std::move(request), facts_, kLimits.frame_bytes_max);
          break;
        case QuickRun::kDone: break;
        case QuickRun::kSubmitted: answer = later->answer.get_future().get(); break;
      }
      WR_CHECK(ReadBigEndian<int16_t>(answer.frame.data() + 2) == stream);
      KeepPagingState(answer.frame);
      session_.Deliver(std::move(answer));
    }
    TakeOutput();
  }

  // Keeps the paging state of a Rows answer, if it is not compressed, has no warnings, and is not the last page.
  void KeepPagingState(ByteView frame) {
    constexpr size_t kPlaceBytes = kFrameHeaderBytes + 12;
    if (frame.size() < kPlaceBytes + 4 || frame[1] != 0 || frame[4] != static_cast<char>(Opcode::kResult)) return;
    if (ReadBigEndian<int32_t>(frame.data() + kFrameHeaderBytes) != 2) return;
    if ((ReadBigEndian<int32_t>(frame.data() + kFrameHeaderBytes + 4) & 2) == 0) return;
    const auto bytes = ReadBigEndian<uint32_t>(frame.data() + kPlaceBytes);
    WR_CHECK(bytes > 0 && kPlaceBytes + 4 + bytes <= frame.size());
    paging_state_ = frame.substr(kPlaceBytes + 4, bytes);
  }

  // Checks the output. It has frames until the READY after which segments begin, and then segments with frames in them.
  void TakeOutput() {
    Bytes out;
    for (Bytes part; !(part = session_.TakeOutput()).empty(); out += part) session_.Written(part.size());
    ByteView left = out;
    if (!segments_) CheckFrames(left);
    if (!segments_ && session_.segmented()) {
      const auto compression = session_.startup_options().find("COMPRESSION");
      segments_.emplace(compression != session_.startup_options().end() && !compression->second.empty());
    }
    while (!left.empty()) {
      const SegmentDecoder::State state = segments_->Next(left);
      // A client of the beta of version 5 gets a refusal without segments. It is the last frame of the connection.
      if (state == SegmentDecoder::State::kBadHeader && session_.closing()) return;
      WR_CHECK(state == SegmentDecoder::State::kSegment);
      ByteView payload = segments_->payload();
      CheckFrames(payload);
      WR_CHECK(payload.empty());
    }
    WR_CHECK(frames_.at_boundary());
  }
  // Checks the frames at the front of `out` and removes them: all frames, or those up to the READY after which segments
  // begin.
  void CheckFrames(ByteView& out) {
    while (!out.empty()) {
      const FrameDecoder::State state = frames_.Next(out);
      WR_CHECK(state == FrameDecoder::State::kFrame || (state == FrameDecoder::State::kNeedsMore && segments_));
      if (state == FrameDecoder::State::kNeedsMore) return;
      const FrameHeader header = frames_.TakeFrame().header;
      WR_CHECK(header.is_response);
      if (!segments_ && session_.segmented() && header.opcode == static_cast<uint8_t>(Opcode::kReady)) return;
    }
  }

  FuzzDatabase& database_;
  FuzzInput input_;
  uint8_t version_ = 4;
  Compression compression_ = Compression::kNone;
  bool raw_ = false;
  uint32_t stream_ = 0;
  MemoryBudget budget_{kBudget};
  NativeSession session_{kLimits, budget_};
  FrameDecoder frames_{kAnswersBytesMax};
  std::optional<SegmentDecoder> segments_;
  std::vector<NativeRequest> waiting_;
  Bytes paging_state_;
  const std::shared_ptr<const ConnectionFacts> facts_ = std::make_shared<const ConnectionFacts>(ConnectionFacts{
      .local_address = Bytes("\x7f\0\0\1", 4), .local_port = 9042, .client_address = Bytes("\x7f\0\0\1", 4)});
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  // Never destroyed, because the database's threads run until the process ends.
  static FuzzDatabase* const database = new FuzzDatabase;
  database->BeginInput();
  FuzzedConnection(*database, FuzzInput(data, size)).Run();
  return 0;
}
