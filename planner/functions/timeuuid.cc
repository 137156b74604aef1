#include "planner/functions/timeuuid.h"

#include "base/uuid.h"

namespace widerow::functions {
namespace {

constexpr uint64_t kVersion1 = 0x1000;

// Makes a timeuuid. If the time needs more than 60 bits, its upper bits change the version, as in Cassandra.
Bytes BoundUuid(uint64_t ticks_since_1970, uint64_t clock_and_node) {
  const uint64_t ticks = ticks_since_1970 + kUuidEpochOffset100ns;
  Bytes out;
  AppendBigEndian(out, static_cast<uint32_t>(ticks));
  AppendBigEndian(out, static_cast<uint16_t>(ticks >> 32));
  AppendBigEndian(out, static_cast<uint16_t>(ticks >> 48 | kVersion1));
  AppendBigEndian(out, clock_and_node);
  return out;
}

}  // namespace

Result<int64_t> MillisOfTimeuuid(ByteView sixteen_bytes) {
  const Uuid uuid = Uuid::FromBytes(sixteen_bytes);
  if (uuid.version() != 1) {
    return InvalidError("TimeUUID supports only version 1 UUIDs", uuid.ToString() + " has no time");
  }
  const auto micros =
      static_cast<int64_t>(uuid.timestamp_100ns() / 10) - static_cast<int64_t>(kUuidEpochOffset100ns / 10);
  return micros / 1'000;
}

Bytes MinTimeuuid(int64_t millis) {
  return BoundUuid(static_cast<uint64_t>(millis) * 10'000, 0x8080'8080'8080'8080ULL);
}
Bytes MaxTimeuuid(int64_t millis) {
  return BoundUuid((static_cast<uint64_t>(millis) + 1) * 10'000 - 1, 0x7F7F'7F7F'7F7F'7F7FULL);
}

}  // namespace widerow::functions
