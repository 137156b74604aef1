// uuid(), now() and the conversions between timeuuid, timestamp, date and bigint milliseconds.
#include "base/uuid.h"
#include "planner/functions/calendar.h"
#include "planner/functions/registry.h"
#include "types/value_bytes.h"

namespace widerow::functions {

namespace {

constexpr int64_t kMillisPerDay = 86'400'000;
constexpr int64_t kMicrosPerDay = 86'400'000'000;
int64_t MillisOf(ByteView timeuuid) {
  const auto ticks = static_cast<int64_t>(Uuid::FromBytes(timeuuid).timestamp_100ns() - kUuidEpochOffset100ns);
  return ticks / 10'000 - (ticks % 10'000 < 0 ? 1 : 0);
}
// Rounds towards zero, as Cassandra does: one millisecond before 1970 is still 1970-01-01.
int64_t DayOf(int64_t millis) { return millis / kMillisPerDay + kEpochDay; }
int64_t MillisOfDay(int64_t day) {
  return (static_cast<int64_t>(static_cast<uint32_t>(day)) - kEpochDay) * kMillisPerDay;
}

// Returns the milliseconds of a timeuuid, timestamp or date.
int64_t MillisOf(TypeKind kind, ByteView bytes) {
  if (kind == TypeKind::kTimeuuid) return MillisOf(bytes);
  return kind == TypeKind::kDate ? MillisOfDay(DecodeInteger(bytes)) : DecodeInteger(bytes);
}

Bytes BoundUuid(int64_t ticks_since_1970, uint64_t clock_and_node) {
  const uint64_t ticks = static_cast<uint64_t>(ticks_since_1970) + kUuidEpochOffset100ns;
  Bytes out;
  AppendBigEndian(out, static_cast<uint32_t>(ticks));
  AppendBigEndian(out, static_cast<uint16_t>(ticks >> 32));
  AppendBigEndian(out, static_cast<uint16_t>((ticks >> 48 & 0x0FFF) | 0x1000));
  AppendBigEndian(out, clock_and_node);
  return out;
}
// Returns the smallest (or largest) timeuuid of a millisecond, in timeuuid order (signed bytes).
Bytes MinTimeuuid(int64_t millis) {
  return BoundUuid(static_cast<int64_t>(static_cast<uint64_t>(millis) * 10'000), 0x8080'8080'8080'8080ULL);
}
Bytes MaxTimeuuid(int64_t millis) {
  return BoundUuid(static_cast<int64_t>((static_cast<uint64_t>(millis) + 1) * 10'000 - 1), 0x7F7F'7F7F'7F7F'7F7FULL);
}

using Convert = std::function<Bytes(ByteView)>;

void AddConversion(FamilyMap& families, std::initializer_list<const char*> names, TypeKind from, TypeKind to,
                   const Convert& convert) {
  for (const char* name : names) {
    families[name].overloads.push_back(
        {.name = name,
         .parameters = {ScalarType(from)},
         .returns = ScalarType(to),
         .monotonic = true,
         .body = [convert](const FunctionContext&, std::span<const ValueView> values) -> Result<Value> {
           return Value(convert(*values[0]));
         }});
  }
}

using Produce = Bytes (*)(int64_t now_micros);

void AddCurrent(FamilyMap& families, std::initializer_list<const char*> names, TypeKind kind, Produce produce) {
  for (const char* name : names) {
    families[name].overloads.push_back(
        {.name = name,
         .returns = ScalarType(kind),
         .pure = false,
         .body = [produce](const FunctionContext& context, std::span<const ValueView>) -> Result<Value> {
           return Value(produce(context.now_micros));
         }});
  }
}

}  // namespace

void AddUuidAndTime(FamilyMap& families) {
  AddCurrent(families, {"uuid"}, TypeKind::kUuid, [](int64_t) { return Bytes(Uuid::Random().view()); });
  AddCurrent(families, {"now", "current_timeuuid", "currenttimeuuid"}, TypeKind::kTimeuuid,
             [](int64_t micros) { return Bytes(Uuid::TimeBased(micros).view()); });
  AddCurrent(families, {"current_timestamp", "currenttimestamp"}, TypeKind::kTimestamp,
             [](int64_t micros) { return EncodeInteger(TypeKind::kTimestamp, micros / 1'000); });
  AddCurrent(families, {"current_date", "currentdate"}, TypeKind::kDate,
             [](int64_t micros) { return EncodeInteger(TypeKind::kDate, DayOf(micros / 1'000)); });
  AddCurrent(families, {"current_time", "currenttime"}, TypeKind::kTime,
             [](int64_t micros) { return EncodeInteger(TypeKind::kTime, micros % kMicrosPerDay * 1'000); });

  for (const TypeKind from : {TypeKind::kTimeuuid, TypeKind::kDate}) {
    AddConversion(families, {"to_timestamp", "totimestamp"}, from, TypeKind::kTimestamp,
                  [from](ByteView bytes) { return EncodeInteger(TypeKind::kTimestamp, MillisOf(from, bytes)); });
  }
  for (const TypeKind from : {TypeKind::kTimeuuid, TypeKind::kTimestamp}) {
    AddConversion(families, {"to_date", "todate"}, from, TypeKind::kDate,
                  [from](ByteView bytes) { return EncodeInteger(TypeKind::kDate, DayOf(MillisOf(from, bytes))); });
  }
  for (const TypeKind from : {TypeKind::kTimeuuid, TypeKind::kTimestamp, TypeKind::kDate}) {
    AddConversion(families, {"to_unix_timestamp", "tounixtimestamp"}, from, TypeKind::kBigint,
                  [from](ByteView bytes) { return EncodeInteger(TypeKind::kBigint, MillisOf(from, bytes)); });
  }
  AddConversion(families, {"min_timeuuid", "mintimeuuid"}, TypeKind::kTimestamp, TypeKind::kTimeuuid,
                [](ByteView bytes) { return MinTimeuuid(DecodeInteger(bytes)); });
  AddConversion(families, {"max_timeuuid", "maxtimeuuid"}, TypeKind::kTimestamp, TypeKind::kTimeuuid,
                [](ByteView bytes) { return MaxTimeuuid(DecodeInteger(bytes)); });
  // Cassandra 5 has no such functions. They serve statements written for 4.1.
  AddConversion(families, {"dateof"}, TypeKind::kTimeuuid, TypeKind::kTimestamp,
                [](ByteView bytes) { return EncodeInteger(TypeKind::kTimestamp, MillisOf(bytes)); });
  AddConversion(families, {"unixtimestampof"}, TypeKind::kTimeuuid, TypeKind::kBigint,
                [](ByteView bytes) { return EncodeInteger(TypeKind::kBigint, MillisOf(bytes)); });
}

}  // namespace widerow::functions
