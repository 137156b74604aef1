#include "net/protocol/batch.h"

namespace widerow {

namespace {

BatchStatement::Kind ReadKind(BodyReader& in) {
  const uint8_t kind = in.Byte();
  if (kind == 0) return BatchStatement::Kind::kLogged;
  if (kind == 1) return BatchStatement::Kind::kUnlogged;
  if (kind == 2) return BatchStatement::Kind::kCounter;
  in.Fail("Invalid BATCH message type " + std::to_string(kind));
  return BatchStatement::Kind::kLogged;
}

// The values of an entry have no names, because the flag that would announce names comes after the entries
// (CASSANDRA-10246).
BatchMessage::Entry ReadEntry(BodyReader& in, uint8_t version) {
  BatchMessage::Entry entry;
  const uint8_t kind = in.Byte();
  if (kind > 1) in.Fail("Invalid query kind in BATCH messages. Must be 0 or 1 but got " + std::to_string(kind));
  entry.is_prepared = kind == 1;
  entry.text_or_id = entry.is_prepared ? in.ShortBytes() : in.LongString();
  const uint16_t count = in.Short();
  for (uint16_t i = 0; i < count && in.ok(); ++i) entry.values.push_back(in.Value(version));
  return entry;
}

}  // namespace

Result<BatchMessage> DecodeBatch(ByteView body, uint8_t version) {
  BodyReader in(body);
  BatchMessage message;
  message.kind = ReadKind(in);
  const uint16_t count = in.Short();
  for (uint16_t i = 0; i < count && in.ok(); ++i) message.entries.push_back(ReadEntry(in, version));
  message.parameters.request.consistency = ReadConsistency(in);
  const uint32_t flags = ReadQueryFlags(in, version);
  ReadTrailingParameters(in, version, flags, message.parameters);
  WR_RETURN_IF_ERROR(in.status());
  return message;
}

}  // namespace widerow
