// ClockOf looks at the column's type first. Then it tries times and dates that are written with digits (ByText), and
// then the ways in which numbers count time (kCounts). A way fits if it reads every sampled value and the times are
// plausible: all of them are after 1990 and at most two years after the newest row was written, and the newest of them
// is at most ten years before that row was written.
#include "advise/clock.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <set>

#include "advise/calendar.h"
#include "advise/columns.h"
#include "advise/values.h"
#include "types/value_bytes.h"

namespace widerow::advise {

namespace {

constexpr size_t kTimesToJudge = 20;  // A column with fewer different values is not judged.

struct Counting {
  double micros_of_unit;
  bool reversed;
  int64_t base;
  const char* words;
};
constexpr int64_t kTicksOf1970 = 621'355'968'000'000'000, kTicksMax = 3'155'378'975'999'999'999;
constexpr std::array<Counting, 13> kCounts = {{
    {1e6, false, 0, "seconds since 1970"},
    {1e3, false, 0, "milliseconds since 1970"},
    {1, false, 0, "microseconds since 1970"},
    {1e-3, false, 0, "nanoseconds since 1970"},
    {0.1, false, kTicksOf1970, "ticks of 100 ns"},
    {1e3, true, INT64_MAX, "milliseconds, reversed"},
    {1, true, INT64_MAX, "microseconds, reversed"},
    {1e-3, true, INT64_MAX, "nanoseconds, reversed"},
    {0.1, true, kTicksMax - kTicksOf1970, "ticks of 100 ns, reversed"},
    {1e6, true, 9'999'999'999, "seconds, reversed"},
    {1e3, true, 9'999'999'999'999, "milliseconds, reversed"},
    {1e3, true, 0, "milliseconds, negative"},
    {1e6, true, 0, "seconds, negative"},
}};

// Returns the time that `number` stands for; nullopt if it is not between the years 1970 and 2200.
std::optional<int64_t> TimeOfNumber(const Clock& clock, int64_t number) {
  constexpr double kMax = 230.0 * static_cast<double>(kYearMicros);
  int64_t units = 0;
  const bool overflow = clock.reversed ? __builtin_sub_overflow(clock.base, number, &units)
                                       : __builtin_sub_overflow(number, clock.base, &units);
  if (overflow) return std::nullopt;
  const double micros = static_cast<double>(units) * clock.micros_of_unit;
  return micros >= 0 && micros <= kMax ? std::optional(static_cast<int64_t>(micros)) : std::nullopt;
}

// Returns the number whose digits begin `text`; nullopt if `text` begins with no digit, or if a letter follows the
// digits. Sets `digits` to the number of digits.
std::optional<int64_t> LeadingNumber(ByteView text, size_t& digits) {
  digits = 0;
  while (digits < text.size() && text[digits] >= '0' && text[digits] <= '9') ++digits;
  if (digits == 0 || digits > 19) return std::nullopt;
  const char next = digits < text.size() ? text[digits] : '\0';
  if ((next >= 'a' && next <= 'z') || (next >= 'A' && next <= 'Z')) return std::nullopt;
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + digits, number);
  return error == std::errc() ? std::optional(number) : std::nullopt;
}

// Returns the length of the text that all values have in common before their first digit.
size_t CommonPrefix(const std::vector<ByteView>& values) {
  const ByteView first = values[0];
  size_t same = first.size();
  for (const ByteView value : values) {
    const size_t length = std::min(same, value.size());
    same = 0;
    while (same < length && value[same] == first[same]) ++same;
  }
  size_t at = 0;
  while (at < same && (first[at] < '0' || first[at] > '9')) ++at;
  return at;
}

std::optional<int64_t> NumberOf(const Type& type, ByteView value) {
  size_t digits = 0;
  if (IsText(type.kind) || type.kind == TypeKind::kBlob) return LeadingNumber(value, digits);
  if (!IsInteger(type.kind) || value.empty() || value.size() > 8) return std::nullopt;
  return DecodeInteger(value);
}

std::optional<TextTime> TextTimeOf(const Type& type, ByteView value) {
  if (IsText(type.kind)) return ReadTextTime(value);
  if (!IsInteger(type.kind) || value.empty() || value.size() > 8) return std::nullopt;
  return ReadTextTime(std::to_string(DecodeInteger(value)));
}

// Times are plausible if all of them are from `first` to `last`, and the newest is not before `newest_min`.
struct Plausible {
  int64_t first = 0, last = 0, newest_min = 0;
};
Plausible PlausibleTimes(const TableFacts& table) {
  int64_t newest = 0;
  for (const SampledPartition& partition : table.sample.partitions) newest = std::max(newest, partition.last_written);
  return {.first = 20 * kYearMicros, .last = newest + 2 * kYearMicros, .newest_min = newest - 10 * kYearMicros};
}

int64_t PrecisionOf(const std::vector<int64_t>& times) {
  for (const int64_t unit : {kDayMicros, kHourMicros, kMinuteMicros, kSecondMicros}) {
    if (std::ranges::all_of(times, [&](int64_t time) { return time % unit == 0; })) return unit;
  }
  return 1;
}

// True if the clock reads all values and the times are plausible. Sets clock.precision to the precision of the times.
bool Fits(const TableFacts& table, const Type& type, const std::vector<ByteView>& values, Clock& clock) {
  const Plausible plausible = PlausibleTimes(table);
  int64_t newest = INT64_MIN;
  std::vector<int64_t> times;
  for (const ByteView value : values) {
    const std::optional<int64_t> time = TimeOf(clock, type, value);
    if (!time || *time < plausible.first || *time > plausible.last) return false;
    newest = std::max(newest, *time);
    times.push_back(*time);
  }
  clock.precision = PrecisionOf(times);
  return newest >= plausible.newest_min;
}

std::optional<Clock> ByNumber(const TableFacts& table, const Type& type, const std::vector<ByteView>& values) {
  const bool text = !IsInteger(type.kind);
  for (const Counting& count : kCounts) {
    Clock clock{.form = Clock::Form::kNumber,
                .reversed = count.reversed,
                .base = count.base,
                .micros_of_unit = count.micros_of_unit,
                .prefix = text ? CommonPrefix(values) : 0,
                .words = std::string(count.words) + (text ? ", as text" : "")};
    clock.whole = clock.prefix == 0;
    if (!Fits(table, type, values, clock)) continue;
    if (text) {
      size_t length = 0, digits = 0;
      LeadingNumber(values[0].substr(clock.prefix), length);
      for (const ByteView value : values) {
        LeadingNumber(value.substr(clock.prefix), digits);
        clock.sorts = clock.sorts && digits == length;
        clock.whole = clock.whole && digits == value.size();
      }
    }
    return clock;
  }
  return std::nullopt;
}

std::optional<Clock> ByText(const TableFacts& table, const Type& type, const std::vector<ByteView>& values) {
  const bool text = IsText(type.kind);
  Clock clock{.form = Clock::Form::kText,
              .prefix = text ? CommonPrefix(values) : 0,
              .words = text ? "a time as text" : "a date as a number"};
  clock.whole = clock.prefix == 0;
  if (!Fits(table, type, values, clock)) return std::nullopt;
  int64_t precision = kMonthMicros;
  for (const ByteView value : values) {
    const TextTime time = *TextTimeOf(type, value.substr(clock.prefix));
    precision = std::min(precision, time.precision);
    clock.sorts = clock.sorts && time.sorts;
    clock.whole = clock.whole && (!text || clock.prefix + time.bytes == value.size());
  }
  clock.precision = precision;
  return clock;
}

// Returns the least distance between two different values of the column; nullopt if there are no two different values.
std::optional<int64_t> LeastStep(const TableFacts& table, uint32_t column, const Clock& clock) {
  std::set<int64_t> times;
  for (const ByteView value : ValuesOf(table, column)) {
    if (const auto time = TimeOf(clock, *table.column(column).type, value)) times.insert(*time);
  }
  std::optional<int64_t> least;
  for (auto at = times.begin(); at != times.end() && std::next(at) != times.end(); ++at)
    least = std::min(least.value_or(INT64_MAX), *std::next(at) - *at);
  return least;
}

std::optional<int64_t> DerivedPeriod(const TableFacts& table, uint32_t column) {
  const Term* const derivation = table.derivation(column);
  if (!IsTimeWindow(table, column)) return std::nullopt;
  const std::string function = FunctionOf(derivation);
  if (function == "to_date" || function == "todate") return kDayMicros;
  const auto* call = std::get_if<FunctionCall>(&derivation->node);
  const auto* width =
      call != nullptr && call->arguments.size() == 2 ? std::get_if<Literal>(&call->arguments[1].node) : nullptr;
  return width == nullptr ? kDayMicros : WindowMicros(width->text).value_or(kDayMicros);
}

}  // namespace

std::optional<int64_t> TimeOf(const Clock& clock, const Type& type, ByteView value) {
  switch (clock.form) {
    case Clock::Form::kType: return MicrosOf(type, value);
    case Clock::Form::kNumber: {
      const std::optional<int64_t> number = NumberOf(type, value.substr(std::min(clock.prefix, value.size())));
      return number ? TimeOfNumber(clock, *number) : std::nullopt;
    }
    case Clock::Form::kText: {
      const std::optional<TextTime> time = TextTimeOf(type, value.substr(std::min(clock.prefix, value.size())));
      return time ? std::optional(time->micros) : std::nullopt;
    }
  }
  return std::nullopt;
}

std::optional<Clock> ClockOf(const TableFacts& table, uint32_t column) {
  const Type& type = *table.column(column).type;
  const std::vector<ByteView> values = ValuesOf(table, column);
  if (IsTime(type.kind)) {
    Clock clock{.words = "a time"};
    std::vector<int64_t> times;
    for (const ByteView value : values) {
      if (const auto time = TimeOf(clock, type, value)) times.push_back(*time);
    }
    if (!times.empty()) clock.precision = PrecisionOf(times);
    return clock;
  }
  if (table.derivation(column) != nullptr) return std::nullopt;
  if (CountDistinct(values) < kTimesToJudge) return std::nullopt;
  if (std::optional<Clock> clock = ByText(table, type, values)) return clock;
  return ByNumber(table, type, values);
}

std::optional<uint32_t> ClusteringClock(const TableFacts& table) {
  if (const std::optional<uint32_t> time = ClusteringTime(table)) return time;
  for (uint32_t i = table.table->partition_key_size; i < table.key_columns(); ++i) {
    if (ClockOf(table, i)) return i;
  }
  return std::nullopt;
}

std::optional<int64_t> PeriodOf(const TableFacts& table, uint32_t column) {
  const ColumnSchema& schema = table.column(column);
  const TypeKind kind = schema.type->kind;
  if (table.derivation(column) != nullptr) return DerivedPeriod(table, column);
  if (kind == TypeKind::kDate) return kDayMicros;
  const std::optional<int64_t> named = NamedPeriodMicros(schema.name);
  if (kind != TypeKind::kTimestamp && !IsInteger(kind) && !IsText(kind)) return std::nullopt;
  const std::optional<Clock> clock = ClockOf(table, column);
  if (!clock || !clock->whole) return named;
  if (clock->precision < kMinuteMicros) return std::nullopt;  // The values are moments, not periods.
  if (table.sample.empty()) return named;
  const std::optional<int64_t> step = LeastStep(table, column, *clock);
  return step ? std::max(*step, clock->precision) : named.value_or(clock->precision);
}

}  // namespace widerow::advise
