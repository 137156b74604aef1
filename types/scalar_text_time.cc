// Parsers and printers of timestamp, date and time. ParseDateAndTime tries Cassandra's patterns from left to right with
// a TextCursor; types/civil_time.h converts between days and dates.
#include <algorithm>
#include <charconv>
#include <limits>

#include "base/clock.h"
#include "types/civil_time.h"
#include "types/scalar_text.h"
#include "types/value_bytes.h"

namespace widerow {
namespace {

constexpr int64_t kDateShift = int64_t{1} << 31;  // A date's bytes are unsigned days; 1970-01-01 is this number.

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

bool IsWholeNumber(std::string_view text) {
  if (!text.empty() && text[0] == '-') text.remove_prefix(1);
  return !text.empty() && std::all_of(text.begin(), text.end(), IsDigit);
}

template <typename T>
bool ParseWhole(std::string_view text, T& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

// Reads a text from left to right; each Take moves forward only if it succeeds.
struct TextCursor {
  std::string_view rest;

  bool Take(char c) {
    if (rest.empty() || rest[0] != c) return false;
    rest.remove_prefix(1);
    return true;
  }
  bool TakeNumber(size_t digits_min, size_t digits_max, int64_t& value) {
    size_t count = 0;
    while (count < rest.size() && count < digits_max && IsDigit(rest[count])) ++count;
    if (count < digits_min || !ParseWhole(rest.substr(0, count), value)) return false;
    rest.remove_prefix(count);
    return true;
  }
};

// Removes " UTC", " GMT" or " UT" from the beginning. Cassandra knows other names of time zones too, but only these
// mean the same everywhere and always.
bool TakeUniversalTime(std::string_view& text) {
  for (const std::string_view name : {" UTC", " GMT", " UT"}) {
    if (!text.starts_with(name)) continue;
    text.remove_prefix(name.size());
    return true;
  }
  return false;
}

// Accepts three forms: an empty text; Z, +01, +0100 or +01:00, with or without a space before it; and " UTC", " GMT" or
// " UT", with or without +01:00 after it.
bool ParseZone(std::string_view text, int64_t& offset_minutes) {
  offset_minutes = 0;
  const bool universal = TakeUniversalTime(text);
  if (text.empty()) return true;
  if (universal && text.size() != 6) return false;
  TextCursor cursor{text};
  if (!universal) cursor.Take(' ');
  if (cursor.rest == "Z") return true;
  const bool negative = !cursor.rest.empty() && cursor.rest[0] == '-';
  if (!cursor.Take('+') && !cursor.Take('-')) return false;
  int64_t hours = 0, minutes = 0;
  if (!cursor.TakeNumber(2, 2, hours)) return false;
  if (!cursor.rest.empty()) {
    cursor.Take(':');
    if (!cursor.TakeNumber(2, 2, minutes) || !cursor.rest.empty()) return false;
  }
  if (minutes > 59 || hours * 60 + minutes > 18 * 60) return false;
  offset_minutes = (negative ? -1 : 1) * (hours * 60 + minutes);
  return true;
}

// Accepts 5:0, 05:00, 05:00:00 and 05:00:00.123456789; 24:00 is the end of the day.
bool TakeTimeOfDay(TextCursor& cursor, int64_t& millis) {
  int64_t hour = 0, minute = 0, second = 0, fraction_millis = 0;
  if (!cursor.TakeNumber(1, 19, hour) || !cursor.Take(':') || !cursor.TakeNumber(1, 19, minute)) return false;
  if (cursor.Take(':')) {
    if (!cursor.TakeNumber(1, 19, second)) return false;
    if (cursor.Take('.')) {
      int64_t unit = 100;  // Milliseconds per digit; 0 from the fourth digit on.
      for (int digits = 0; digits < 9 && !cursor.rest.empty() && IsDigit(cursor.rest[0]); ++digits, unit /= 10) {
        fraction_millis += unit * (cursor.rest[0] - '0');
        cursor.rest.remove_prefix(1);
      }
    }
  }
  if (minute > 59 || second > 59 || hour > 24) return false;
  if (hour == 24 && (minute != 0 || second != 0 || fraction_millis != 0)) return false;
  millis = ((hour * 60 + minute) * 60 + second) * 1'000 + fraction_millis;
  return true;
}

// Takes a year of four digits, or of four to nine digits after a minus sign, or of five to nine after a plus sign.
bool TakeIsoYear(TextCursor& cursor, int64_t& year) {
  const bool positive = cursor.Take('+');
  const bool negative = !positive && cursor.Take('-');
  const size_t before = cursor.rest.size();
  if (!cursor.TakeNumber(4, positive || negative ? 9 : 4, year)) return false;
  if (positive && before - cursor.rest.size() == 4) return false;
  if (negative && year == 0) return false;
  if (negative) year = -year;
  return true;
}

// Takes a year of one to nine digits, not 0. A year with a plus sign has more than four digits, as in TimestampIsoText.
bool TakeLenientYear(TextCursor& cursor, int64_t& year) {
  const bool positive = cursor.Take('+');
  const size_t before = cursor.rest.size();
  return cursor.TakeNumber(1, 9, year) && year > 0 && (!positive || before - cursor.rest.size() > 4);
}

// Parses a date, or a date and a time of day. With a time of day, numbers may have any length; without one, the date
// must be yyyy-MM-dd. As in Cassandra's lenient mode, a day after the end of its month means the last day of the month.
bool ParseDateAndTime(std::string_view text, int64_t& epoch_millis) {
  for (const bool with_time : {true, false}) {
    TextCursor cursor{text};
    CivilDate date;
    int64_t month = 0, day = 0, time_millis = 0, offset_minutes = 0;
    const bool year_read = with_time ? TakeLenientYear(cursor, date.year) : TakeIsoYear(cursor, date.year);
    if (!year_read || !cursor.Take('-')) continue;
    if (!cursor.TakeNumber(with_time ? 1 : 2, with_time ? 19 : 2, month) || !cursor.Take('-')) continue;
    if (!cursor.TakeNumber(with_time ? 1 : 2, with_time ? 19 : 2, day)) continue;
    if (with_time && !cursor.Take(' ') && !cursor.Take('T')) continue;
    if (with_time && !TakeTimeOfDay(cursor, time_millis)) continue;
    if (!ParseZone(cursor.rest, offset_minutes)) continue;
    if (month < 1 || month > 12 || day < 1 || day > 31) return false;
    date.month = static_cast<int>(month);
    date.day = std::min(static_cast<int>(day), DaysInMonth(date.year, date.month));
    epoch_millis = DaysFromCivil(date) * kMillisPerDay + time_millis - offset_minutes * 60'000;
    return true;
  }
  return false;
}

// Parses a date as Java's ISO_LOCAL_DATE does; the day must exist.
bool ParseIsoDate(std::string_view text, CivilDate& date) {
  TextCursor cursor{text};
  int64_t month = 0, day = 0;
  if (!TakeIsoYear(cursor, date.year)) return false;
  if (!cursor.Take('-') || !cursor.TakeNumber(2, 2, month)) return false;
  if (!cursor.Take('-') || !cursor.TakeNumber(2, 2, day) || !cursor.rest.empty()) return false;
  if (month < 1 || month > 12 || day < 1 || day > DaysInMonth(date.year, static_cast<int>(month))) return false;
  date.month = static_cast<int>(month);
  date.day = static_cast<int>(day);
  return true;
}

// Parses hh:mm:ss[.fffffffff] as TimeSerializer.parseTimeStrictly does.
bool ParseTimeOfDay(std::string_view text, int64_t& nanos) {
  while (!text.empty() && static_cast<uint8_t>(text.front()) <= ' ') text.remove_prefix(1);
  while (!text.empty() && static_cast<uint8_t>(text.back()) <= ' ') text.remove_suffix(1);
  TextCursor cursor{text};
  int64_t hour = 0, minute = 0, second = 0, fraction = 0;
  if (!cursor.TakeNumber(1, 19, hour) || !cursor.Take(':') || !cursor.TakeNumber(1, 19, minute)) return false;
  if (!cursor.Take(':') || !cursor.TakeNumber(1, 19, second)) return false;
  if (cursor.Take('.')) {
    const size_t digits = cursor.rest.size();
    if (!cursor.TakeNumber(1, 9, fraction)) return false;
    for (size_t i = digits; i < 9; ++i) fraction *= 10;
  }
  if (!cursor.rest.empty() || hour > 23 || minute > 59 || second > 59) return false;
  nanos = ((hour * 60 + minute) * 60 + second) * 1'000'000'000 + fraction;
  return true;
}

int64_t FloorDivide(int64_t a, int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

int64_t YearOf(ByteView timestamp) { return CivilFromDays(FloorDivide(DecodeInteger(timestamp), kMillisPerDay)).year; }

std::string TimestampParts(int64_t millis, char separator, int fraction_digits) {
  const int64_t days = FloorDivide(millis, kMillisPerDay);
  return CivilText(CivilFromDays(days)) + separator +
         TimeOfDayText((millis - days * kMillisPerDay) * 1'000'000, fraction_digits);
}

}  // namespace

Result<Bytes> ParseTimestamp(std::string_view text) {
  if (IsWholeNumber(text)) {
    int64_t millis = 0;
    if (ParseWhole(text, millis)) return EncodeInteger(TypeKind::kTimestamp, millis);
    return InvalidError("Unable to make long (for date) from: '" + std::string(text) + "'");
  }
  std::string lower(text);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  if (lower == "now") return EncodeInteger(TypeKind::kTimestamp, SystemClock().NowMicros() / 1'000);
  int64_t millis = 0;
  if (ParseDateAndTime(text, millis)) return EncodeInteger(TypeKind::kTimestamp, millis);
  return InvalidError("Unable to parse a date/time from '" + std::string(text) + "'",
                      "write '2013-01-01 05:00:00.000+0100', '2013-01-01T05:00:00Z', '2013-01-01' or milliseconds "
                      "since 1970");
}

Result<Bytes> ParseDate(std::string_view text) {
  const std::string quoted = "'" + std::string(text) + "'";
  if (IsWholeNumber(text)) {
    int64_t days = 0;
    if (ParseWhole(text, days) && days >= 0 && days <= std::numeric_limits<uint32_t>::max()) {
      return EncodeInteger(TypeKind::kDate, days);
    }
    return InvalidError("Unable to make unsigned int (for date) from: " + quoted);
  }
  CivilDate date;
  // Cassandra refuses years whose milliseconds do not fit in 64 bits.
  constexpr int64_t kYearMax = 292'278'993;
  if (!ParseIsoDate(text, date) || date.year > kYearMax || date.year < -kYearMax) {
    return InvalidError("Unable to coerce " + quoted + " to a formatted date (long)");
  }
  const int64_t days = DaysFromCivil(date) + kDateShift;
  if (days < 0) {
    return InvalidError("Input date " + std::string(text) + " is less than min supported date -5877641-06-23T00:00Z");
  }
  if (days > std::numeric_limits<uint32_t>::max()) {
    return InvalidError("Input date " + std::string(text) +
                        " is greater than max supported date +5881580-07-11T00:00Z");
  }
  return EncodeInteger(TypeKind::kDate, days);
}

Result<Bytes> ParseTime(std::string_view text) {
  const std::string quoted = "'" + std::string(text) + "'";
  int64_t nanos = 0;
  if (IsWholeNumber(text)) {
    if (ParseWhole(text, nanos) && nanos >= 0 && nanos < kNanosPerDay) return EncodeInteger(TypeKind::kTime, nanos);
    return InvalidError("Unable to make long (for time) from: " + quoted);
  }
  if (ParseTimeOfDay(text, nanos)) return EncodeInteger(TypeKind::kTime, nanos);
  return InvalidError("(TimeType) Unable to coerce " + quoted + " to a formatted time (long)");
}

bool TimestampHasIsoText(ByteView bytes) {
  const int64_t year = YearOf(bytes);
  return year >= 1 && year <= 9'999;
}

bool TimestampHasYear(ByteView bytes) { return YearOf(bytes) >= 1; }

std::string TimestampText(ByteView bytes) {
  const int64_t millis = DecodeInteger(bytes);
  if (!TimestampHasIsoText(bytes)) return std::to_string(millis);
  return TimestampParts(millis, ' ', 6) + "+0000";
}

std::string TimestampIsoText(ByteView bytes, char separator) {
  return TimestampParts(DecodeInteger(bytes), separator, 3) + "Z";
}

std::string DateText(ByteView bytes) {
  return CivilText(CivilFromDays(static_cast<int64_t>(ReadBigEndian<uint32_t>(bytes.data())) - kDateShift));
}

}  // namespace widerow
