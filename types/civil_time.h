// Days and times of day in the proleptic Gregorian calendar, without leap seconds: the basis of CQL's date, time and
// timestamp.
#pragma once

#include <cstdint>
#include <string>

namespace widerow {

inline constexpr int64_t kNanosPerDay = 86'400'000'000'000;
inline constexpr int64_t kMillisPerDay = 86'400'000;

struct CivilDate {
  int64_t year = 1970;
  int month = 1;
  int day = 1;
};

// Returns the days since 1970-01-01, for any year that fits in 50 bits.
int64_t DaysFromCivil(const CivilDate& date);
CivilDate CivilFromDays(int64_t days);
int DaysInMonth(int64_t year, int month);

// Returns the text of Java's LocalDate.toString(): 2013-01-01, -0001-01-01, +10000-01-01.
std::string CivilText(const CivilDate& date);
// Returns a text such as 08:12:54.123456789, with `fraction_digits` digits after the point. `nanos` is within one day.
std::string TimeOfDayText(int64_t nanos, int fraction_digits);

}  // namespace widerow
