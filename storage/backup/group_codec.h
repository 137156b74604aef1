// Encodes groups of the commit log for backups. All integers are big-endian.
//     group = bytes of the body u64; last sequence number u64; last sequence number of the previous group u64;
//             time i64; checksum of the body u64; checksum of these 40 bytes u64; body
// The checksums are XXH3 (64 bits, no seed). Pure functions.
#pragma once

#include <optional>

#include "base/bytes.h"
#include "storage/log/recovery.h"

namespace widerow {

inline constexpr size_t kGroupHeaderBytes = 48;

struct GroupHeader {
  uint64_t body_bytes = 0;
  uint64_t last_sequence = 0, previous_sequence = 0;
  int64_t micros = 0;
  uint64_t body_checksum = 0;
};

Bytes EncodeGroupHeader(const LogGroup& group);
// `bytes` has kGroupHeaderBytes bytes. Returns nullopt if they are not the header of a group.
std::optional<GroupHeader> DecodeGroupHeader(ByteView bytes);
bool MatchesBody(const GroupHeader& header, ByteView body);

}  // namespace widerow
