#include "storage/backup/group_codec.h"

#include "base/checksum.h"

namespace widerow {

Bytes EncodeGroupHeader(const LogGroup& group) {
  Bytes out;
  AppendBigEndian(out, uint64_t{group.body.size()});
  AppendBigEndian(out, group.last_sequence);
  AppendBigEndian(out, group.previous_sequence);
  AppendBigEndian(out, group.last_timestamp);
  AppendBigEndian(out, Hash64(group.body));
  AppendBigEndian(out, Hash64(out));
  return out;
}

std::optional<GroupHeader> DecodeGroupHeader(ByteView bytes) {
  const auto number = [&](size_t index) { return ReadBigEndian<uint64_t>(bytes.data() + 8 * index); };
  if (bytes.size() != kGroupHeaderBytes || number(5) != Hash64(bytes.substr(0, 40))) return std::nullopt;
  return GroupHeader{.body_bytes = number(0),
                     .last_sequence = number(1),
                     .previous_sequence = number(2),
                     .micros = static_cast<int64_t>(number(3)),
                     .body_checksum = number(4)};
}

bool MatchesBody(const GroupHeader& header, ByteView body) {
  return body.size() == header.body_bytes && Hash64(body) == header.body_checksum;
}

}  // namespace widerow
