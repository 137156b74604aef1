// uuid(), now() and the conversions between timeuuid, timestamp, date and bigint milliseconds.
#include <algorithm>
#include <limits>

#include "base/uuid.h"
#include "planner/functions/calendar.h"
#include "planner/functions/registry.h"
#include "planner/functions/timeuuid.h"
#include "types/value_bytes.h"

namespace widerow::functions {

namespace {

constexpr int64_t kMillisPerDay = 86'400'000;
constexpr int64_t kMicrosPerDay = 86'400'000'000;
// Returns the date of a timestamp. It rounds towards zero, as Cassandra does: one millisecond before 1970 is still
// 1970-01-01. A timestamp before the first date or after the last one has that date, so that dates keep the order of
// timestamps; keys derived with to_date need this. Cassandra gives such a timestamp a date somewhere between the two.
int64_t DayOf(int64_t millis) {
  return std::clamp<int64_t>(millis / kMillisPerDay + kEpochDay, 0, std::numeric_limits<uint32_t>::max());
}
int64_t MillisOfDay(int64_t day) {
  return (static_cast<int64_t>(static_cast<uint32_t>(day)) - kEpochDay) * kMillisPerDay;
}

// Returns the milliseconds of a timeuuid, timestamp or date.
Result<int64_t> MillisOf(TypeKind kind, ByteView bytes) {
  if (kind == TypeKind::kTimeuuid) return MillisOfTimeuuid(bytes);
  return kind == TypeKind::kDate ? MillisOfDay(DecodeInteger(bytes)) : DecodeInteger(bytes);
}

using Convert = std::function<Result<Bytes>(ByteView)>;

void AddConversion(FamilyMap& families, std::initializer_list<const char*> names, TypeKind from, TypeKind to,
                   const Convert& convert) {
  for (const char* name : names) {
    families[name].overloads.push_back(
        {.name = name,
         .parameters = {ScalarType(from)},
         .returns = ScalarType(to),
         .monotonic = true,
         .body = [convert](const FunctionContext&, std::span<const ValueView> values) -> Result<Value> {
           WR_ASSIGN_OR_RETURN(Bytes converted, convert(*values[0]));
           return Value(std::move(converted));
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

  // Adds a conversion. `units` turns milliseconds into the units of the type `to`.
  const auto add_time = [&](std::initializer_list<const char*> names, TypeKind from, TypeKind to,
                            int64_t (*units)(int64_t)) {
    AddConversion(families, names, from, to, [from, to, units](ByteView bytes) -> Result<Bytes> {
      WR_ASSIGN_OR_RETURN(const int64_t millis, MillisOf(from, bytes));
      return EncodeInteger(to, units(millis));
    });
  };
  const auto as_they_are = [](int64_t millis) { return millis; };
  for (const TypeKind from : {TypeKind::kTimeuuid, TypeKind::kDate}) {
    add_time({"to_timestamp", "totimestamp"}, from, TypeKind::kTimestamp, as_they_are);
  }
  for (const TypeKind from : {TypeKind::kTimeuuid, TypeKind::kTimestamp}) {
    add_time({"to_date", "todate"}, from, TypeKind::kDate, DayOf);
  }
  for (const TypeKind from : {TypeKind::kTimeuuid, TypeKind::kTimestamp, TypeKind::kDate}) {
    add_time({"to_unix_timestamp", "tounixtimestamp"}, from, TypeKind::kBigint, as_they_are);
  }
  AddConversion(families, {"min_timeuuid", "mintimeuuid"}, TypeKind::kTimestamp, TypeKind::kTimeuuid,
                [](ByteView bytes) { return MinTimeuuid(DecodeInteger(bytes)); });
  AddConversion(families, {"max_timeuuid", "maxtimeuuid"}, TypeKind::kTimestamp, TypeKind::kTimeuuid,
                [](ByteView bytes) { return MaxTimeuuid(DecodeInteger(bytes)); });
  // Cassandra 5 does not have these functions. Programs written for 4.1 still use them.
  add_time({"dateof"}, TypeKind::kTimeuuid, TypeKind::kTimestamp, as_they_are);
  add_time({"unixtimestampof"}, TypeKind::kTimeuuid, TypeKind::kBigint, as_they_are);
}

}  // namespace widerow::functions
