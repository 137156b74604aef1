// The decoders of all requests, and the decompression of bodies, must accept any bytes without harm.
#include "base/check.h"
#include "net/protocol/auth_response.h"
#include "net/protocol/batch.h"
#include "net/protocol/compression.h"
#include "net/protocol/execute.h"
#include "net/protocol/prepare.h"
#include "net/protocol/query.h"
#include "net/protocol/register.h"
#include "net/protocol/startup.h"
#include "tests/fuzz/fuzz_target.h"

using namespace widerow;

namespace {

// Checks that a decoded value is inside the body.
void CheckInside(ByteView part, ByteView body) {
  if (part.empty()) return;
  WR_CHECK(part.data() >= body.data() && part.data() + part.size() <= body.data() + body.size());
}

void CheckSize(const RequestParameters& request, ByteView body) {
  size_t bytes = request.paging_state.size() + request.keyspace.size();
  for (const BoundValue& value : request.values) bytes += 4 + value.bytes.size();
  WR_CHECK(bytes <= body.size());
  WR_CHECK(request.names.empty() || request.names.size() == request.values.size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  FuzzInput input(data, size);
  const uint8_t what = input.Byte();
  const auto version = static_cast<uint8_t>(3 + input.Byte() % 3);
  const Bytes body(input.rest());
  switch (what % 9) {
    case 0: (void)DecodeStartup(body, version); break;
    case 1:
      if (const auto message = DecodeQuery(body, version); message.ok()) {
        CheckInside(message->text, body);
        CheckSize(message->parameters.request, body);
      }
      break;
    case 2:
      if (const auto message = DecodePrepare(body, version); message.ok()) {
        CheckInside(message->text, body);
        CheckInside(message->keyspace, body);
      }
      break;
    case 3:
      if (const auto message = DecodeExecute(body, version); message.ok()) {
        CheckInside(message->id, body);
        CheckSize(message->parameters.request, body);
      }
      break;
    case 4:
      if (const auto message = DecodeBatch(body, version); message.ok()) {
        for (const auto& entry : message->entries) CheckInside(entry.text_or_id, body);
      }
      break;
    case 5: (void)DecodeRegister(body); break;
    case 6: (void)DecodeAuthResponse(body); break;
    default: {
      const Compression compression = what % 9 == 7 ? Compression::kLz4 : Compression::kSnappy;
      if (const auto plain = DecompressBody(compression, body, 100'000); plain.ok()) {
        WR_CHECK(plain->size() <= 100'000);
        Bytes again;
        CompressBody(compression, *plain, again);
        WR_CHECK(*DecompressBody(compression, again, 100'000) == *plain);
      }
    }
  }
  return 0;
}
