// Texts of scalar values, for types/text_form.h and types/json_form.h. Each Parse function accepts what Cassandra's
// fromString accepts for the type, and its errors have Cassandra's sentences.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "types/type.h"

namespace widerow {

// The following functions are in scalar_text.cc.
Result<Bytes> ParseScalar(const Type& type, std::string_view text);
std::string InetText(ByteView bytes);      // ::1
std::string InetLongText(ByteView bytes);  // 0:0:0:0:0:0:0:1, Java's form.
// ::ffff:1.2.3.4 is an IPv6 address that contains an IPv4 address. As in Java, ParseScalar reads the text of such an
// address as the IPv4 address.
bool ContainsInet4(ByteView bytes);
Bytes Inet6Containing(ByteView inet4);
// Return the shortest text that reads back as the same number: 1, 0.1, 1e+21, NaN, -Infinity.
std::string DoubleText(double value);
std::string FloatText(float value);

// The following functions are in scalar_text_time.cc.
Result<Bytes> ParseTimestamp(std::string_view text);
Result<Bytes> ParseDate(std::string_view text);
Result<Bytes> ParseTime(std::string_view text);
// Returns a text such as 2013-01-01 05:00:00.000000+0000; plain milliseconds if the year is not 1 to 9999.
std::string TimestampText(ByteView bytes);
// Returns the date, `separator`, the time of day with milliseconds, and Z.
std::string TimestampIsoText(ByteView bytes, char separator);
// True if the year is 1 to 9999. The texts of other years are milliseconds.
bool TimestampHasIsoText(ByteView bytes);
// True if the year is 1 or later. ParseTimestamp accepts TimestampIsoText's text of such a time, even +10000-01-01
// 00:00:00.000Z.
bool TimestampHasYear(ByteView bytes);
std::string DateText(ByteView bytes);

// The following functions are in scalar_text_duration.cc.
Result<Bytes> ParseDuration(std::string_view text);
// Returns a text such as 1y2mo3d4h; "0s" for a duration of zero.
std::string DurationText(ByteView bytes);

}  // namespace widerow
