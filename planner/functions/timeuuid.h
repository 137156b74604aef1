// Converts between timeuuids and milliseconds since 1970, as Cassandra does. Pure functions.
#pragma once

#include "base/bytes.h"
#include "base/result.h"

namespace widerow::functions {

// Returns the time of a timeuuid. The time is cut to whole microseconds and then rounded to milliseconds towards 1970.
// kInvalid if the UUID is not of version 1; min_timeuuid and max_timeuuid can return such UUIDs.
Result<int64_t> MillisOfTimeuuid(ByteView sixteen_bytes);

// Return the smallest and the largest timeuuid of a millisecond, in the order of timeuuids. For a time that no timeuuid
// can have (before 1582-10-15 or after 5236-03-31), the result may have another version than 1.
Bytes MinTimeuuid(int64_t millis);
Bytes MaxTimeuuid(int64_t millis);

}  // namespace widerow::functions
