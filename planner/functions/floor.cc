// floor(time, duration[, start]): the beginning of the period that contains a point in time. All periods have the
// length `duration`. A later time never has an earlier period, so GROUP BY accepts this function.
#include "planner/functions/calendar.h"
#include "planner/functions/registry.h"
#include "planner/functions/timeuuid.h"
#include "types/scalar_text.h"
#include "types/value_bytes.h"

namespace widerow::functions {
namespace {

Result<int64_t> MillisOfTime(TypeKind kind, ByteView bytes) {
  if (kind == TypeKind::kTimeuuid) return MillisOfTimeuuid(bytes);
  return ToMillis(kind, bytes);
}

Status CheckDuration(TypeKind kind, const Duration& duration, ByteView bytes) {
  if (duration.negative()) return InvalidError("Negative durations are not supported by the floor function");
  if (kind == TypeKind::kDate && duration.nanos != 0) {
    return InvalidError("The floor on date values cannot be computed for the " + DurationText(bytes) +
                        " duration as precision is below 1 day");
  }
  if (kind != TypeKind::kDate && duration.nanos % kNanosPerMilli != 0) {
    return InvalidError("The floor cannot be computed for the " + DurationText(bytes) +
                        " duration as precision is below 1 millisecond");
  }
  return OkStatus();
}

Function FloorPoint(TypeKind from, TypeKind to, bool with_start) {
  const auto body = [from, to](const FunctionContext&, std::span<const ValueView> values) -> Result<Value> {
    const Duration duration = DecodeDuration(*values[1]);
    WR_RETURN_IF_ERROR(CheckDuration(to, duration, *values[1]));
    WR_ASSIGN_OR_RETURN(const int64_t millis, MillisOfTime(from, *values[0]));
    const int64_t start = values.size() > 2 ? ToMillis(to, *values[2]) : 0;
    if (start > millis) return InvalidError("The floor function starting time is greater than the provided time");
    return Value(FromMillis(to, FloorOf(millis, duration, start)));
  };
  Function function{.name = "floor",
                    .parameters = {ScalarType(from), ScalarType(TypeKind::kDuration)},
                    .returns = ScalarType(to),
                    .monotonic = true,
                    .body = body};
  if (with_start) function.parameters.push_back(ScalarType(to));
  return function;
}

Function FloorTimeOfDay() {
  const auto body = [](const FunctionContext&, std::span<const ValueView> values) -> Result<Value> {
    const Duration duration = DecodeDuration(*values[1]);
    if (duration.negative()) return InvalidError("Negative durations are not supported by the floor function");
    if (duration.months != 0 || duration.days != 0 || duration.nanos > kNanosPerDay) {
      return InvalidError("For time values, the floor can only be computed for durations smaller that a day");
    }
    const int64_t nanos = DecodeInteger(*values[0]);
    return Value(EncodeInteger(TypeKind::kTime, duration.nanos == 0 ? nanos : nanos - nanos % duration.nanos));
  };
  return {.name = "floor",
          .parameters = {ScalarType(TypeKind::kTime), ScalarType(TypeKind::kDuration)},
          .returns = ScalarType(TypeKind::kTime),
          .monotonic = true,
          .body = body};
}

}  // namespace

void AddFloor(FamilyMap& families) {
  std::vector<Function>& overloads = families["floor"].overloads;
  for (const bool with_start : {false, true}) {
    overloads.push_back(FloorPoint(TypeKind::kTimestamp, TypeKind::kTimestamp, with_start));
    overloads.push_back(FloorPoint(TypeKind::kTimeuuid, TypeKind::kTimestamp, with_start));
    overloads.push_back(FloorPoint(TypeKind::kDate, TypeKind::kDate, with_start));
  }
  overloads.push_back(FloorTimeOfDay());
}

}  // namespace widerow::functions
