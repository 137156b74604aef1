// Columns that hold times, whatever their type and name. A number of milliseconds, or a date as text, rises with time
// as a timestamp does; a reversed clock falls with it.
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
  size_t prefix = 0;      // Text: the bytes before the time, which are the same in all values.
  bool whole = true;      // The values are nothing but the time; otherwise something precedes or follows it.
  bool sorts = true;      // Values sort as their times do, or in reverse.
  int64_t precision = 1;  // All times are multiples of this: kDayMicros, kHourMicros, kMinuteMicros, …
  std::string words;      // "a time", "milliseconds since 1970", "a date as text", …
};

// Returns the clock of a key column: by its type, or because all of its sampled values are times of about the years in
// which the rows were written. nullopt if it is none, or if there are too few values to tell.
std::optional<Clock> ClockOf(const TableFacts& table, uint32_t column);
// Returns a value's time in microseconds since 1970; nullopt if it holds none.
std::optional<int64_t> TimeOf(const Clock& clock, const Type& type, ByteView value);

// Returns the first clustering column that is a clock; nullopt if there is none.
std::optional<uint32_t> ClusteringClock(const TableFacts& table);

// Returns the length of the periods that a partition key column divides time into: by its type, its derivation, its
// values or its name. nullopt if the column is no period.
std::optional<int64_t> PeriodOf(const TableFacts& table, uint32_t column);

}  // namespace widerow::advise
