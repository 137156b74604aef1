#include "base/checksum.h"

// Inlines the hash. Records are short, so a call would be a large part of the cost.
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace widerow {

uint64_t Hash64(ByteView bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

uint32_t Checksum(ByteView bytes) { return static_cast<uint32_t>(Hash64(bytes)); }

void Seal(Bytes& record) { AppendBigEndian(record, Checksum(record)); }

bool Unseal(ByteView& record) {
  if (record.size() < kChecksumBytes) return false;
  const ByteView body(record.data(), record.size() - kChecksumBytes);
  if (ReadBigEndian<uint32_t>(body.data() + body.size()) !=
      static_cast<uint32_t>(XXH3_64bits(body.data(), body.size()))) {
    return false;
  }
  record = body;
  return true;
}

}  // namespace widerow
