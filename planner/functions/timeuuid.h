// The time of a timeuuid, computed as Cassandra does: the 100 ns intervals since 1582 become whole microseconds, and
// these become milliseconds since 1970, cut off towards 1970. Of the millisecond before 1970, all but the first 900 ns
// count as 0.
#pragma once

#include "base/bytes.h"
#include "base/result.h"

namespace widerow::functions {

// Errors: kInvalid if the UUID has another version than 1. min_timeuuid and max_timeuuid give such for times that no
// timeuuid can say.
Result<int64_t> MillisOfTimeuuid(ByteView sixteen_bytes);

// The smallest and the largest timeuuid of a millisecond, in timeuuid order (signed bytes). Of a time beyond 60 bits
// (before 1582-10-15 or after 5236-03-31) the version may be another one.
Bytes MinTimeuuid(int64_t millis);
Bytes MaxTimeuuid(int64_t millis);

}  // namespace widerow::functions
