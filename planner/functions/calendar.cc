#include "planner/functions/calendar.h"

#include <algorithm>

#include "types/value_bytes.h"
#include "types/vint.h"

namespace widerow::functions {
namespace {

// Adds in two's complement: overflow wraps, as in Java.
int64_t Add(int64_t a, int64_t b) { return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b)); }
int64_t Times(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
}

}  // namespace

Duration DecodeDuration(ByteView bytes) {
  Duration duration;
  TakeSignedVint(bytes, duration.months);
  TakeSignedVint(bytes, duration.days);
  TakeSignedVint(bytes, duration.nanos);
  return duration;
}

int64_t ToMillis(TypeKind kind, ByteView bytes) {
  if (kind != TypeKind::kDate) return DecodeInteger(bytes);
  return (static_cast<int64_t>(static_cast<uint32_t>(DecodeInteger(bytes))) - kEpochDay) * kMillisPerDay;
}

Bytes FromMillis(TypeKind kind, int64_t millis) {
  return EncodeInteger(kind, kind == TypeKind::kDate ? millis / kMillisPerDay + kEpochDay : millis);
}

int64_t Plus(int64_t millis, const Duration& duration) {
  const int64_t rest = Add(Times(duration.days, kMillisPerDay), duration.nanos / kNanosPerMilli);
  if (duration.months == 0) return Add(millis, rest);
  const int64_t day = FloorDivide(millis, kMillisPerDay);
  const int64_t of_day = millis - day * kMillisPerDay;
  CivilDate date = CivilFromDays(day);
  const int64_t months = date.year * 12 + date.month - 1 + duration.months;
  date.year = FloorDivide(months, 12);
  date.month = static_cast<int>(months - date.year * 12) + 1;
  date.day = std::min(date.day, DaysInMonth(date.year, date.month));
  return Add(Add(Times(DaysFromCivil(date), kMillisPerDay), of_day), rest);
}

int64_t FloorOf(int64_t millis, const Duration& duration, int64_t start) {
  if (duration.months == 0) {
    const int64_t step = Add(Times(duration.days, kMillisPerDay), duration.nanos / kNanosPerMilli);
    return step == 0 ? millis : millis - (millis - start) % step;
  }
  const auto at = [&](int64_t n) { return Plus(start, {n * duration.months, n * duration.days, n * duration.nanos}); };
  // A month has 28 to 31 days. So the number of steps is between steps(31) and steps(28), apart from rounding.
  const double rest = static_cast<double>(duration.days * kMillisPerDay + duration.nanos / kNanosPerMilli);
  const auto steps = [&](double days_of_month) {
    const double step =
        static_cast<double>(duration.months) * days_of_month * static_cast<double>(kMillisPerDay) + rest;
    return static_cast<int64_t>(static_cast<double>(millis - start) / step);
  };
  // at(low) is not after `millis`, at(high) is after it.
  int64_t low = std::max<int64_t>(steps(31) - 1, 0), high = steps(28) + 1;
  while (high - low > 1) {
    const int64_t middle = low + (high - low) / 2;
    (at(middle) <= millis ? low : high) = middle;
  }
  return at(low);
}

}  // namespace widerow::functions
