#include "planner/functions/calendar.h"

#include <algorithm>

#include "types/value_bytes.h"
#include "types/vint.h"

namespace widerow::functions {
namespace {

__extension__ using Wide = __int128;  // Wide enough for intermediate results.

// Returns the days and the rest of a duration in milliseconds. Their sum always fits: days are less than 2^31.
int64_t RestMillis(const Duration& duration) { return duration.days * kMillisPerDay + duration.nanos / kNanosPerMilli; }

// Adds calendar months, then `rest` milliseconds.
Wide PlusWide(int64_t millis, int64_t months, Wide rest) {
  if (months == 0) return millis + rest;
  const int64_t day = FloorDivide(millis, kMillisPerDay);
  const Wide of_day = millis - Wide{day} * kMillisPerDay;
  CivilDate date = CivilFromDays(day);
  const int64_t all_months = date.year * 12 + date.month - 1 + months;
  date.year = FloorDivide(all_months, 12);
  date.month = static_cast<int>(all_months - date.year * 12) + 1;
  date.day = std::min(date.day, DaysInMonth(date.year, date.month));
  return Wide{DaysFromCivil(date)} * kMillisPerDay + of_day + rest;
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
  return static_cast<int64_t>(PlusWide(millis, duration.months, RestMillis(duration)));
}

int64_t FloorOf(int64_t millis, const Duration& duration, int64_t start) {
  const int64_t rest = RestMillis(duration);
  const Wide passed = Wide{millis} - start;
  if (duration.months == 0) return rest == 0 ? millis : static_cast<int64_t>(millis - passed % rest);
  const auto at = [&](int64_t n) { return PlusWide(start, n * duration.months, Wide{n} * rest); };
  // A month has 28 to 31 days. So the number of steps is between steps(31) and steps(28), apart from rounding.
  const auto steps = [&](double days_of_month) {
    const double month = days_of_month * static_cast<double>(kMillisPerDay);
    const double step = static_cast<double>(duration.months) * month + static_cast<double>(rest);
    return static_cast<int64_t>(static_cast<double>(passed) / step);
  };
  // at(low) is not after `millis`, at(high) is after it.
  int64_t low = std::max<int64_t>(steps(31) - 1, 0), high = steps(28) + 1;
  while (high - low > 1) {
    const int64_t middle = low + (high - low) / 2;
    (at(middle) <= millis ? low : high) = middle;
  }
  return static_cast<int64_t>(at(low));
}

}  // namespace widerow::functions
