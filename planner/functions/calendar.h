// Timestamps, dates and durations: months as the calendar has them, then days, then the rest.
#pragma once

#include "types/civil_time.h"
#include "types/type.h"

namespace widerow::functions {

inline constexpr int64_t kNanosPerMilli = 1'000'000;
inline constexpr int64_t kEpochDay = int64_t{1} << 31;  // 1970-01-01 as a date's number.

// a / b, rounded towards minus infinity; b > 0.
inline int64_t FloorDivide(int64_t a, int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

struct Duration {
  int64_t months = 0, days = 0, nanos = 0;
  bool negative() const { return months < 0 || days < 0 || nanos < 0; }
};
// Of bytes that ValidateValue has seen.
Duration DecodeDuration(ByteView bytes);

// Milliseconds since 1970 of a timestamp or a date, and back.
int64_t ToMillis(TypeKind kind, ByteView bytes);
Bytes FromMillis(TypeKind kind, int64_t millis);

// A day that the month has not becomes its last one. Wraps where the result has no millisecond.
int64_t Plus(int64_t millis, const Duration& duration);

// The latest of start, start + d, start + 2 d, … that is not after `millis`; `millis` itself if `duration` is nothing. `start` is not
// after it either, and `duration` not negative.
int64_t FloorOf(int64_t millis, const Duration& duration, int64_t start);

}  // namespace widerow::functions
