// Finds the columns that hold times, whatever their type and name. Numbers of milliseconds and dates as text are times
// too. Some tables store a fixed number minus the time, so that the stored number falls as time passes ("reversed"). A
// Clock says how to read a time from the values of a column.
#pragma once

#include <optional>
#include <string>

#include "advise/facts.h"

namespace widerow::advise {

struct Clock {
  enum class Form { kType, kNumber, kText };
  Form form = Form::kType;
  // kNumber: the time is (value - base) * micros_of_unit, or (base - value) * micros_of_unit if `reversed`.
  bool reversed = false;
  int64_t base = 0;
  double micros_of_unit = 1;
  size_t prefix = 0;      // kText: the number of bytes before the time. They are the same in all values.
  bool whole = true;      // False: values have something before or after the time.
  bool sorts = true;      // True if values sort as their times do, or in the reverse order.
  int64_t precision = 1;  // All times are multiples of this: kDayMicros, kHourMicros, kMinuteMicros, …
  std::string words;      // "a time", "milliseconds since 1970", "a date as text", …
};

// Returns the clock of a key column. A column has one if its type is a time, or if all of its sampled values can be
// read as times that are plausible for the age of the rows. nullopt if it has none, or if there are too few values to
// tell.
std::optional<Clock> ClockOf(const TableFacts& table, uint32_t column);
// Returns a value's time in microseconds since 1970; nullopt if it holds none.
std::optional<int64_t> TimeOf(const Clock& clock, const Type& type, ByteView value);

// Returns the first clustering column that has a clock; nullopt if there is none.
std::optional<uint32_t> ClusteringClock(const TableFacts& table);

// Returns the length of the periods that a partition key column divides time into, such as one day. The column's type,
// its generating expression, its values or its name may show it. nullopt if the column is no period.
std::optional<int64_t> PeriodOf(const TableFacts& table, uint32_t column);

}  // namespace widerow::advise
