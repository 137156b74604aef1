// The time of a timeuuid, computed as Cassandra does. The 100 ns intervals since 1582 become whole microseconds, and
// these become milliseconds since 1970, rounded towards 1970. In the millisecond before 1970, all times but the first
// 900 ns therefore become 0.
#pragma once

#include "base/bytes.h"
#include "base/result.h"

namespace widerow::functions {

// Errors: kInvalid if the UUID is not of version 1. min_timeuuid and max_timeuuid return such UUIDs for times that are
// out of the range of timeuuids.
Result<int64_t> MillisOfTimeuuid(ByteView sixteen_bytes);

// The smallest and the largest timeuuid of a millisecond, in timeuuid order (signed bytes). A time that does not fit
// into 60 bits (before 1582-10-15 or after 5236-03-31) may change the version.
Bytes MinTimeuuid(int64_t millis);
Bytes MaxTimeuuid(int64_t millis);

}  // namespace widerow::functions
