// Text of single scalar kinds, behind types/text_form.h and types/json_form.h. Each Parse takes what Cassandra's
// fromString for the type takes and fails with its sentence.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "types/type.h"

namespace widerow {

// scalar_text.cc
Result<Bytes> ParseScalar(const Type& type, std::string_view text);
std::string InetText(ByteView bytes);      // ::1
std::string InetLongText(ByteView bytes);  // 0:0:0:0:0:0:0:1, as Java prints it
// Shortest text that reads back to the same number: 1, 0.1, 1e+21, NaN, -Infinity.
std::string DoubleText(double value);
std::string FloatText(float value);

// scalar_text_time.cc
Result<Bytes> ParseTimestamp(std::string_view text);
Result<Bytes> ParseDate(std::string_view text);
Result<Bytes> ParseTime(std::string_view text);
// 2013-01-01 05:00:00.000000+0000; plain milliseconds where the year has not four digits.
std::string TimestampText(ByteView bytes);
// Date and time of day as `separator` joins them, milliseconds, Z.
std::string TimestampIsoText(ByteView bytes, char separator);
// Whether the year has four digits, so that TimestampIsoText can be read back.
bool TimestampHasIsoText(ByteView bytes);
std::string DateText(ByteView bytes);

// scalar_text_duration.cc
Result<Bytes> ParseDuration(std::string_view text);
// 1y2mo3d4h; 0s for none at all.
std::string DurationText(ByteView bytes);

}  // namespace widerow
