// Tests a whole connection without its socket: handshake, frames, segments, late answers in any order, and events. The
// output must be whole frames or valid segments. At the end, no memory may be counted as held, and memory must always
// stay within the limits. Unlike connection_fuzz.cc, this target has no database. So it runs a hundred times as many
// inputs in the same time.
#include <vector>

#include "base/check.h"
#include "net/native/session.h"
#include "net/protocol/batch.h"
#include "net/protocol/error_response.h"
#include "net/protocol/execute.h"
#include "net/protocol/prepare.h"
#include "net/protocol/query.h"
#include "net/protocol/version.h"
#include "tests/fuzz/fuzz_target.h"

using namespace widerow;

namespace {

constexpr SessionLimits kLimits{.frame_bytes_max = 20'000, .startup_bytes_max = 2'000, .requests_bytes_max = 60'000};
constexpr size_t kBudget = 50'000;

Status Decode(const NativeRequest& request, ByteView body) {
  const auto status = [](auto result) { return result.ok() ? Status() : Status(result.error()); };
  const uint8_t version = request.to.version;
  switch (request.opcode) {
    case Opcode::kPrepare: return status(DecodePrepare(body, version));
    case Opcode::kExecute: return status(DecodeExecute(body, version));
    case Opcode::kBatch: return status(DecodeBatch(body, version));
    default: return status(DecodeQuery(body, version));
  }
}

// Answers in place of a database: each request gets an error or an empty result.
NativeAnswer Answer(const NativeRequest& request) {
  NativeAnswer answer{.request_bytes = request.held_bytes};
  Result<Bytes> body = (request.flags & FrameFlags::kCompressed)
                           ? DecompressBody(request.to.compression, request.body, kLimits.frame_bytes_max)
                           : Result<Bytes>(request.body);
  Status status = body.ok() ? Decode(request, *body) : Status(body.error());
  if (!status.ok()) {
    answer.frame = EncodeError(request.to, status.error());
    return answer;
  }
  FrameWriter frame(request.to, Opcode::kResult, {}, {"a warning"});
  AppendBigEndian(frame.body(), int32_t{1});
  frame.body() += *body;
  answer.frame = frame.Finish();
  if (request.opcode == Opcode::kQuery) answer.keyspace = "k";
  return answer;
}

// Checks that the output is a sequence of whole frames of a known version.
void CheckFrames(ByteView out) {
  FrameDecoder decoder(1u << 20);
  while (!out.empty()) {
    WR_CHECK(decoder.Next(out) == FrameDecoder::State::kFrame);
    WR_CHECK(decoder.header().is_response);
    decoder.TakeFrame();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  MemoryBudget budget(kBudget);
  {
    FuzzInput input(data, size);
    NativeSession session(kLimits, budget, input.Byte() == 0xFF ? Admission::kTooMany : Admission::kServed);
    std::vector<NativeRequest> waiting;
    while (!input.empty()) {
      const uint8_t step = input.Byte();
      if (step < 200) {
        const ByteView bytes = input.Take(step < 100 ? step : (step - 99) * 100u);
        if (session.segmented() && input.Byte() % 4 != 0) {
          // Random bytes never have the right checksum. Only with this step is the code after the check of the checksum
          // reached.
          SegmentWriter writer((input.Byte() & 1) != 0);
          writer.AddFrame(bytes);
          session.Receive(writer.Take(), waiting);
        } else {
          session.Receive(bytes, waiting);
        }
      } else if (step < 230 && !waiting.empty()) {
        const size_t which = step % waiting.size();
        session.Deliver(Answer(waiting[which]));
        waiting.erase(waiting.begin() + static_cast<ptrdiff_t>(which));
      } else if (step < 240) {
        session.Push({.keyspace = "k"});
      } else {
        const Bytes out = session.TakeOutput();
        if (!session.segmented()) CheckFrames(out);
        session.Written(out.size());
      }
      WR_CHECK(session.requests_running() == waiting.size());
      WR_CHECK(budget.held_bytes() <= kBudget + (1u << 20));
    }
    for (const NativeRequest& request : waiting) session.Deliver(Answer(request));
    for (Bytes out; !(out = session.TakeOutput()).empty();) session.Written(out.size());
    WR_CHECK(session.pending_bytes() == 0);
  }
  WR_CHECK(budget.held_bytes() == 0);
  return 0;
}
