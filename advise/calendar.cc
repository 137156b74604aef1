// ReadTextTime tries two shapes. YearFirst reads a run of 6 to 17 digits, or year, month and day with separators.
// YearLast reads day and month, in either order, and then the year. A time of day may follow a date.
#include "advise/calendar.h"

#include <algorithm>
#include <array>
#include <chrono>

#include "advise/columns.h"

namespace widerow::advise {

namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsWord(char c) { return IsDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// Reads a text from its beginning. Number() and Take() move past what they find.
class Parts {
 public:
  explicit Parts(ByteView text) : text_(text) {}

  size_t taken() const { return at_; }
  char next() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  size_t digits() const {
    size_t count = 0;
    while (at_ + count < text_.size() && IsDigit(text_[at_ + count])) ++count;
    return count;
  }
  // Takes a number from the next `digits` digits; nullopt if there are fewer digits, or if the number is not from `min`
  // to `max`.
  std::optional<int> Number(size_t digits, int min, int max) {
    if (digits == 0 || this->digits() < digits) return std::nullopt;
    int number = 0;
    for (size_t i = 0; i < digits; ++i) number = number * 10 + (text_[at_ + i] - '0');
    if (number < min || number > max) return std::nullopt;
    at_ += digits;
    return number;
  }
  bool Take(std::string_view one_of) {
    const bool found = at_ < text_.size() && one_of.find(text_[at_]) != std::string_view::npos;
    at_ += found ? 1 : 0;
    return found;
  }

 private:
  const ByteView text_;
  size_t at_ = 0;
};

constexpr int kYearMin = 1970, kYearMax = 2099;

std::optional<int64_t> Micros(int year, int month, int day) {
  const std::chrono::year_month_day civil{std::chrono::year(year), std::chrono::month(static_cast<unsigned>(month)),
                                          std::chrono::day(static_cast<unsigned>(day))};
  if (!civil.ok()) return std::nullopt;
  return std::chrono::sys_days(civil).time_since_epoch().count() * kDayMicros;
}

// Takes hour, minute and second from `parts`. Stops at the first one that is missing.
void AddTimeOfDay(Parts& parts, bool separated, TextTime& time) {
  constexpr std::array<std::pair<int64_t, int>, 3> kUnits = {
      {{kHourMicros, 23}, {kMinuteMicros, 59}, {kSecondMicros, 60}}};
  for (const auto& [unit, max] : kUnits) {
    if (separated && unit != kHourMicros && !parts.Take(":.")) break;
    const std::optional<int> number = parts.Number(2, 0, max);
    if (!number) break;
    time.micros += unit * *number;
    time.precision = unit;
    time.bytes = parts.taken();
  }
  if (time.precision != kSecondMicros) return;
  if (parts.Take(".,")) parts.Number(std::min<size_t>(parts.digits(), 9), 0, 999'999'999);
  if (parts.Take("+-")) {
    parts.Number(2, 0, 14);
    parts.Take(":");
    parts.Number(2, 0, 59);
  } else {
    parts.Take("Z");
  }
  time.bytes = parts.taken();
}

std::optional<TextTime> YearFirst(ByteView text) {
  constexpr std::string_view kSeparators = "-/._";
  Parts parts(text);
  const size_t run = parts.digits();
  const bool separated = run == 4;
  if (!separated && run != 6 && run != 8 && run != 10 && run != 12 && run != 14 && run != 17) return std::nullopt;
  const std::optional<int> year = parts.Number(4, kYearMin, kYearMax);
  if (!year || (separated && !parts.Take(kSeparators))) return std::nullopt;
  const bool padded_month = !separated || parts.digits() == 2;
  const std::optional<int> month = parts.Number(padded_month ? 2 : 1, 1, 12);
  if (!month) return std::nullopt;
  TextTime time{
      .micros = *Micros(*year, *month, 1), .precision = kMonthMicros, .bytes = parts.taken(), .sorts = padded_month};
  if (separated ? !parts.Take(kSeparators) : run == 6) return time;
  const bool padded_day = !separated || parts.digits() >= 2;
  const std::optional<int> day = parts.Number(padded_day ? 2 : 1, 1, 31);
  const std::optional<int64_t> micros = day ? Micros(*year, *month, *day) : std::nullopt;
  if (!micros) return std::nullopt;
  time = {.micros = *micros, .precision = kDayMicros, .bytes = parts.taken(), .sorts = padded_month && padded_day};
  const bool has_time_of_day = separated ? parts.Take(" T_-") && parts.digits() == 2 : run > 8 || parts.Take("T");
  if (has_time_of_day) AddTimeOfDay(parts, separated, time);
  if (run == 17 && parts.Number(3, 0, 999)) time.bytes = parts.taken();
  return time;
}

std::optional<TextTime> YearLast(ByteView text) {
  constexpr std::string_view kSeparators = "./-";
  Parts parts(text);
  const std::optional<int> first = parts.Number(std::min<size_t>(parts.digits(), 2), 1, 31);
  if (!first || !parts.Take(kSeparators)) return std::nullopt;
  const std::optional<int> second = parts.Number(std::min<size_t>(parts.digits(), 2), 1, 31);
  if (!second || !parts.Take(kSeparators) || parts.digits() != 4) return std::nullopt;
  const std::optional<int> year = parts.Number(4, kYearMin, kYearMax);
  if (!year) return std::nullopt;
  const bool day_first = *second <= 12;
  const std::optional<int64_t> micros = day_first      ? Micros(*year, *second, *first)
                                        : *first <= 12 ? Micros(*year, *first, *second)
                                                       : std::nullopt;
  if (!micros) return std::nullopt;
  TextTime time{.micros = *micros, .precision = kDayMicros, .bytes = parts.taken(), .sorts = false};
  if (parts.Take(" T") && parts.digits() == 2) AddTimeOfDay(parts, true, time);
  return time;
}

}  // namespace

std::optional<TextTime> ReadTextTime(ByteView text) {
  std::optional<TextTime> time = YearFirst(text);
  if (!time) time = YearLast(text);
  if (!time || (time->bytes < text.size() && IsWord(text[time->bytes]))) return std::nullopt;
  return time;
}

std::optional<int64_t> WindowMicros(std::string_view width) {
  constexpr std::array<std::pair<std::string_view, int64_t>, 7> kUnits = {{{"s", kSecondMicros},
                                                                           {"m", kMinuteMicros},
                                                                           {"h", kHourMicros},
                                                                           {"d", kDayMicros},
                                                                           {"w", 7 * kDayMicros},
                                                                           {"mo", kMonthMicros},
                                                                           {"y", kYearMicros}}};
  Parts parts(width);
  const std::optional<int> count = parts.Number(std::min<size_t>(parts.digits(), 6), 1, 999'999);
  if (!count) return std::nullopt;
  for (const auto& [name, micros] : kUnits) {
    if (width.substr(parts.taken()) == name) return *count * micros;
  }
  return std::nullopt;
}

std::optional<int64_t> NamedPeriodMicros(std::string_view name) {
  if (HasWord(name, {"minute"})) return kMinuteMicros;
  if (HasWord(name, {"hour", "yyyymmddhh"})) return kHourMicros;
  if (HasWord(name, {"day", "date", "yyyymmdd", "dt"})) return kDayMicros;
  if (HasWord(name, {"week"})) return 7 * kDayMicros;
  if (HasWord(name, {"month", "yyyymm"})) return kMonthMicros;
  if (HasWord(name, {"quarter"})) return 3 * kMonthMicros;
  if (HasWord(name, {"year", "yyyy"})) return kYearMicros;
  return std::nullopt;
}

}  // namespace widerow::advise
