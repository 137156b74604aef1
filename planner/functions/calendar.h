// Calculates with timestamps, dates and durations: adds calendar months first, then days, then the rest. Pure
// functions.
#pragma once

#include "types/civil_time.h"
#include "types/type.h"

namespace widerow::functions {

inline constexpr int64_t kNanosPerMilli = 1'000'000;
inline constexpr int64_t kEpochDay = int64_t{1} << 31;  // The date value of 1970-01-01.

// Returns a / b rounded towards minus infinity; b > 0.
inline int64_t FloorDivide(int64_t a, int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

struct Duration {
  int64_t months = 0, days = 0, nanos = 0;
  bool negative() const { return months < 0 || days < 0 || nanos < 0; }
};
// Decodes a value of type duration, which must have passed ValidateValue.
Duration DecodeDuration(ByteView bytes);

// Convert between a timestamp or date and milliseconds since 1970.
int64_t ToMillis(TypeKind kind, ByteView bytes);
Bytes FromMillis(TypeKind kind, int64_t millis);

// Adds `duration`. A day that the resulting month does not have becomes the month's last day. Wraps if the result does
// not fit.
int64_t Plus(int64_t millis, const Duration& duration);

// Returns the latest of start, start + d, start + 2 d, … that is not after `millis`; returns `millis` if `duration` is
// zero. Requires start <= millis and a `duration` that is not negative.
int64_t FloorOf(int64_t millis, const Duration& duration, int64_t start);

}  // namespace widerow::functions
