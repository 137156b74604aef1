// Finds times that are written as text, and lengths of time that are named by a text or by a column's name.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/bytes.h"

namespace widerow::advise {

inline constexpr int64_t kSecondMicros = 1'000'000;
inline constexpr int64_t kMinuteMicros = 60 * kSecondMicros;
inline constexpr int64_t kHourMicros = 60 * kMinuteMicros;
inline constexpr int64_t kDayMicros = 24 * kHourMicros;
inline constexpr int64_t kMonthMicros = 30 * kDayMicros;
inline constexpr int64_t kYearMicros = 365 * kDayMicros;

// A time at the beginning of a text.
struct TextTime {
  int64_t micros = 0;     // Since 1970. A time zone in the text is ignored.
  int64_t precision = 0;  // The length of the period that the text names: kDayMicros for 2023-07-22.
  size_t bytes = 0;       // The length of the time in the text.
  bool sorts = true;      // True if texts of this form sort as their times do: year first, all parts padded with zeros.
};

// Reads 20230722, 2023-07-22, 2023/07, 2023072213, 2023-07-22 13:05:09, 2023-07-22T13:05:09.123Z, 22.7.2023, 7/22/2023
// and similar forms. nullopt if `text` begins with no such time, or if a letter or a digit follows directly after the
// time.
std::optional<TextTime> ReadTextTime(ByteView text);

// Returns the length of a window such as '15m', '6h', '1d', '1mo'; nullopt for other texts.
std::optional<int64_t> WindowMicros(std::string_view width);

// Returns the length of the period that a column is named after ("month", "posted_minute"); nullopt for other names.
std::optional<int64_t> NamedPeriodMicros(std::string_view name);

}  // namespace widerow::advise
